import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { SMALL } from '#test/support/page/page-tests.ts';
import { openLookedHome } from '#test/support/page/views.ts';
import { logInOnPage, openWebPage } from '#test/support/page/web-page.ts';

const NAME_OF_FOCUS = `document.activeElement === document.body
  ? '' : (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)`;

/** The names of the controls that the tab key reaches, until it is back at the first one. */
async function tabStops(page: Page): Promise<readonly string[]> {
  const stops: string[] = [];
  for (let step = 0; step < 200; step += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<string>(NAME_OF_FOCUS);
    if (stop === '') break;
    stops.push(stop);
  }
  return stops;
}

test.skipIf(!needs('chromium'))(
  'axe finds nothing on any page, and nothing is wider than a small telephone',
  async () => {
    const home = await openLookedHome();
    onTestFinished(home.close);
    expect(await home.faultsIn({ ...SMALL, colorScheme: 'light' })).toEqual([]);
  },
);

describe.skipIf(!needs('chromium'))('for everybody', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    await claimHub(hub);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  test('a browser that reads German never draws English words, also while words are on their way', async () => {
    const context = await browser.newContext({ locale: 'de-AT', baseURL: hub.address });
    // Every text that is ever drawn.
    await context.addInitScript(`window.drawn = ''; new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const one of addedNodes) window.drawn += ' ' + one.textContent;
    }).observe(document, { subtree: true, childList: true })`);
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    expect(await page.evaluate('window.drawn')).toContain('Passwort vergessen?');
    expect(await page.evaluate('window.drawn')).not.toContain('Log in');
    const { email, password } = OWNER;
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('link', { name: 'Einstellungen' }).waitFor();
    const held: Route[] = [];
    await context.route('**/words-rule-pages.js', (route) => void held.push(route));
    await page.getByRole('link', { name: 'Automationen' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await page.evaluate('window.drawn')).not.toMatch(/undefined|Automations|Loading/);
    await held[0]?.continue();
    await page.getByRole('heading', { name: 'Automationen', level: 1 }).waitFor();
    expect(await page.evaluate('window.drawn')).not.toMatch(/undefined|Automations|Loading/);
    await context.close();
  });

  test('the tab key reaches everything in its visible order, and a link moves the focus to the new page', async () => {
    const web = await openWebPage(browser, hub.address);
    await logInOnPage(web);
    const { page } = web;
    await page.goto(`${hub.address}/room`);
    await page.getByRole('switch').first().waitFor();
    await page.getByRole('link', { name: 'Add devices' }).waitFor();
    const stops = await tabStops(page);
    expect(stops.slice(0, 12)).toEqual([
      'Skip to content',
      'Home',
      'Notifications',
      'Search',
      'Add devices',
      'Home',
      'Rooms',
      'Automations',
      'History',
      'Settings',
      'Arrange',
      'Search devices',
    ]);
    // One stop for each device, two for the kinds of devices, and those in the headings of the rooms.
    const [devices, rooms] = [await page.locator('.card, .sensor-row').count(), await page.locator('.room').count()];
    const lights = await page.locator('.room-off').count();
    expect([devices, stops.length]).toEqual([13, 12 + 2 + devices + 2 * rooms + lights]);
    // The arrow keys reach the other controls of a card.
    const reached = async (key: string): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let step = 0; step < 6; step += 1) {
        await page.keyboard.press(key);
        found.push(await page.evaluate<string>(NAME_OF_FOCUS));
      }
      return found;
    };
    await page.getByRole('switch', { name: 'Kitchen ceiling' }).focus();
    expect(await reached('ArrowDown')).toEqual(
      expect.arrayContaining(['Kitchen ceiling', 'Brightness: Kitchen ceiling']),
    );
    await page.getByRole('article').filter({ hasText: 'Thermostat' }).getByRole('link').focus();
    expect(await reached('ArrowRight')).toEqual(expect.arrayContaining(['Colder', 'Warmer']));
    expect(await reached('ArrowLeft')).toEqual(expect.arrayContaining(['Living room thermostat']));
    // The focus returns to the last control.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => page.evaluate(NAME_OF_FOCUS)).toBe('Living room thermostat');
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(NAME_OF_FOCUS)).toBe('Search devices');
    expect(await page.getByRole('searchbox').getAttribute('aria-keyshortcuts')).toBe('/');
    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    // From any other page.
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(NAME_OF_FOCUS)).toBe('Search your home and its settings');
    await page.context().close();
  });
});
