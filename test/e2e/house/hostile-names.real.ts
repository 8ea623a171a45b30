import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHubFolder, type HubFolder } from '#test/support/daemon/hub-process.ts';
import { type LargeHome, openLargeHome } from '#test/support/daemon/large-home.ts';
import { needs } from '#test/support/machine/requires.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import {
  logInOnPage,
  openDevices,
  openDetails,
  openWebPage,
  PHONE,
  type WebPage,
} from '#test/support/page/web-page.ts';

const SCRIPT = '</title><script>alert(1)</script>';
const NAMES = [
  '<svg onload=alert(1)>',
  SCRIPT,
  '"><img src=x onerror=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Eright to left',
  '/device/../../settings',
  '__proto__',
  'x'.repeat(100),
  'ﷺ'.repeat(50),
  'W'.repeat(60),
];
const ROOMS = ['<img src=x onerror=alert(1)>', '\u202E<b>Attic'];

/** Elements that a name or a room would be, if it were not text. */
const OF_NAMES = ':is(main, dialog) :is(img, script, iframe, b, [onload], [onerror])';
const TOO_WIDE = 'document.documentElement.scrollWidth - innerWidth';
const SIZES = `[...new Set([...document.querySelectorAll('.card')].map((card) => card.offsetWidth + ' x ' + card.offsetHeight))]`;

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.locator(OF_NAMES).count()).toBe(0);
  expect(await page.evaluate<number>(TOO_WIDE)).toBeLessThanOrEqual(0);
}

describe.skipIf(!needs('chromium'))('I1: names of strangers', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let home: LargeHome;
  let web: WebPage;
  beforeAll(async () => {
    hubs = createHubFolder();
    home = await openLargeHome(hubs, NAMES, ROOMS);
    browser = await launchChromium();
    web = await openWebPage(browser, home.hub.address, PHONE);
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await home.close();
    await hubs.close();
  });

  test('are shown as text: no script runs, nothing leaves its place, no card changes its size', async () => {
    const { page, complaints } = web;
    await openDevices(page);
    const shown = async (): Promise<readonly string[]> =>
      (await page.locator('.card-name, .sensor-row .row-title').allTextContents()).toSorted();
    await expect.poll(shown).toEqual(NAMES.toSorted());
    for (const name of ROOMS) await page.locator('h2 bdi').getByText(name, { exact: true }).waitFor();
    expect(await page.evaluate<string[]>(SIZES)).toHaveLength(1);
    await expectHarmless(page);
    expect(complaints).toEqual([]);
  });

  test('are the heading and the title of the page of their device, and stand in a question about it', async () => {
    const { page, complaints } = web;
    for (const { name, selector } of home.devices) {
      await page.goto(`/device/${selector}`);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      expect(await page.title()).toContain(name.trim().slice(0, 20));
      await openDetails(page);
      await page.getByRole('button', { name: 'Forget this device' }).tap();
      await page.getByRole('dialog', { name: `Forget ${name}?`, exact: true }).waitFor();
      await expectHarmless(page);
    }
    expect(complaints).toEqual([]);
  });
});
