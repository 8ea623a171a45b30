import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/chromium.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/hub-process.ts';
import { needs } from '#test/support/requires.ts';
import { logInOnPage, openWebPage, type WebPage } from '#test/support/web-page.ts';

const PHONE_PX = 390;
const TABLET_PX = 820;
const DESKTOP_PX = 1440;
/** Two beside each other on a telephone; never wider than a hand. */
const NARROWEST_PX = 150;
const WIDEST_PX = 352;

const EVENTS = '**/api/v1/event*';

/** Every page that has cards, and how one gets there. */
const PAGES: readonly (readonly [name: string, open: (web: WebPage, address: string) => Promise<void>])[] = [
  ['the home', async ({ page }, address) => void (await page.goto(address))],
  [
    'the home before it is told',
    async ({ page }, address) => {
      await page.route(EVENTS, () => undefined);
      await page.goto(address);
    },
  ],
  [
    'the home of one kind',
    async ({ page }, address) => {
      await page.goto(address);
      await page.getByRole('button', { name: 'Lights', exact: true }).click();
    },
  ],
  [
    'the home with one card found',
    async ({ page }, address) => {
      await page.goto(address);
      await page.getByRole('searchbox').fill('kitchen ceiling');
      await expect.poll(() => page.locator('.card').count()).toBe(1);
    },
  ],
  ['a room', async ({ page }, address) => void (await page.goto(`${address}/room/kitchen`))],
];

const widthsOf = (page: Page): Promise<number[]> =>
  page.evaluate<number[]>(`[...document.querySelectorAll('.card')].map((card) => card.getBoundingClientRect().width)`);
const beyondEdgePx = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

describe.skipIf(!needs('chromium'))('cards', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let web: WebPage;
  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    await claimHub(hub);
    browser = await launchChromium();
    web = await openWebPage(browser, hub.address);
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  const table = PAGES.flatMap(([name, open]) =>
    [PHONE_PX, TABLET_PX, DESKTOP_PX].map((widthPx) => [name, widthPx, open] as const),
  );
  test.each(table)('of %s at %i px have the width of a card', async (_name, width, open) => {
    const { page } = web;
    await page.unroute(EVENTS);
    await page.setViewportSize({ width, height: 900 });
    await open(web, hub.address);
    await page.locator('.card').first().waitFor();
    const widths = await widthsOf(page);
    expect(widths.filter((px) => px < NARROWEST_PX || px > WIDEST_PX)).toEqual([]);
    expect(new Set(widths.map(Math.round)).size).toBe(1);
    expect(await beyondEdgePx(page)).toBeLessThanOrEqual(0);
  });
});
