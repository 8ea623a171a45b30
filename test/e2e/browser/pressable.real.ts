import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { furnishLookedHome } from '#test/support/page/looked-home.ts';
import { SMALL, useBrowser } from '#test/support/page/page-tests.ts';
import { goAsLink } from '#test/support/page/views.ts';
import { PHONE } from '#test/support/page/web-page.ts';

/** Changes what the page is for, so that it offers to save: its first field with words. */
async function changeSomething(page: Page): Promise<boolean> {
  const field = page.locator('main form :is(input[type="text"], input[type="email"], input:not([type]))').first();
  if (!(await field.isVisible())) return false;
  await field.fill('Another');
  return true;
}

/** The main buttons that something else covers where the page brings them into view. */
const COVERED = `[...document.querySelectorAll('main .button-main')].flatMap((button) => {
  if (button.getClientRects().length === 0) return [];
  button.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = button.getBoundingClientRect();
  return [[0.5, 0.5], [0.5, 0.1], [0.5, 0.9]].flatMap(([x, y]) => {
    const hit = document.elementFromPoint(left + width * x, top + height * y);
    return button.contains(hit) ? [] : [button.textContent + ': ' + (hit?.closest('[class]')?.className ?? 'nothing')];
  });
})`;
/** A button in a closed fold has a place and cannot be pressed there. */
const OPEN_FOLDS = `document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })`;
const COUNT = `[...document.querySelectorAll('main .button-main')].filter((one) => one.getClientRects().length > 0).length`;

describe.skipIf(!needs('chromium'))('on a telephone', () => {
  const open = useBrowser();
  let hubs: HubFolder;
  let hub: HubProcess;
  let paths: readonly string[];
  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    paths = await furnishLookedHome(hub, await claimHub(hub));
  });
  afterAll(async () => hubs.close());

  test.each([SMALL, PHONE])('every main button of every page can be pressed: $viewport', async (look) => {
    const page = await open(hub.address, look);
    const covered: string[] = [];
    let pressable = 0;
    for (const path of paths) {
      await goAsLink(page, path);
      const isChanged = await changeSomething(page);
      await page.evaluate(OPEN_FOLDS);
      await page.evaluate('scrollTo(0, 0)');
      covered.push(...(await page.evaluate<readonly string[]>(COVERED)).map((fault) => `${path}: ${fault}`));
      pressable += await page.evaluate<number>(COUNT);
      if (!isChanged) continue;
      // It asks before it lets go.
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect(covered).toEqual([]);
    expect(pressable).toBeGreaterThan(20);
  });

  test('a message stands above the places, and at the lower edge where there are none', async () => {
    const page = await open(hub.address, PHONE);
    await goAsLink(page, '/scene/movie-night');
    const gapOf = (below: string): Promise<number> =>
      page.evaluate(`${below} - document.querySelector('.messages').getBoundingClientRect().bottom`);
    const places = `document.querySelector('.nav-places').getBoundingClientRect().top`;
    await expect.poll(() => gapOf(places)).toBeGreaterThan(0);
    expect(await gapOf(places)).toBeLessThan(20);
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect.poll(() => gapOf('innerHeight')).toBeLessThan(20);
  });
});
