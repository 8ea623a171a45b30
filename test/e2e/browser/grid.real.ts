import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { DESKTOP, usePages } from '#test/support/page/page-tests.ts';
import { goAsLink } from '#test/support/page/views.ts';

const PAGES = [
  '/',
  '/room',
  '/room/kitchen',
  '/device/kitchen-ceiling',
  '/rule',
  '/rule_new',
  '/scene',
  '/history',
  '/history/log',
  '/history/energy',
  '/settings',
  '/settings/people',
  '/add',
];
const leftOf = (page: Page): Promise<number> =>
  page.evaluate(`document.querySelector('main .page').getBoundingClientRect().left`);

describe.skipIf(!needs('chromium'))('on a desk', () => {
  const { openAt } = usePages();

  test.each([1_440, 2_200])('every page begins at the same edge, %i px wide', async (width) => {
    const page = await openAt('/', 'Ada', { ...DESKTOP, viewport: { width, height: 900 } });
    const edges = new Set<number>();
    for (const path of PAGES) {
      await goAsLink(page, path);
      edges.add(await leftOf(page));
    }
    expect([...edges]).toHaveLength(1);
  });

  test('a chart is as high as the screen allows', async () => {
    const page = await openAt('/history?f=bedroom-climate/temperature', 'History', DESKTOP);
    const heights = async () => [
      (await page.locator('.line-chart').boundingBox())?.height,
      (await page.locator('.line-chart canvas').boundingBox())?.height,
    ];
    await page.locator('.line-chart canvas').waitFor();
    for (const [high, wanted] of [
      [900, 288],
      [600, 192],
    ] as const) {
      await page.setViewportSize({ width: 1_440, height: high });
      await expect.poll(heights).toEqual([wanted, wanted]);
    }
  });
});
