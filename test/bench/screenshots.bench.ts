import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { furnishShownHome } from '#test/support/page/shown-home.ts';
import { logInOnPage, openWebPage, PHONE } from '#test/support/page/web-page.ts';

// Pictures of every page, to look at: `var/screenshots`. With README=1, those of the README alone, in its folder.

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'var/screenshots');
const README = join(ROOT, 'src/web/screenshots');
const MOST_BYTES = 150_000;
const TABLET: BrowserContextOptions = { viewport: { width: 820, height: 1180 }, hasTouch: true };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const SIZES = { phone: PHONE, tablet: TABLET, desktop: DESKTOP } as const;
const SCHEMES = ['light', 'dark'] as const;

const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  rooms: '/room',
  room: '/room/living-room',
  lamp: '/device/living-room-lamp',
  thermostat: '/device/living-room-thermostat',
  lock: '/device/front-door-lock',
  blind: '/device/living-room-blind',
  scenes: '/scene',
  scene: '/scene/movie-night',
  rules: '/rule',
  rule: '/rule/light-in-the-hallway',
  templates: '/rule_template',
  history: '/history?f=bedroom-climate/temperature,bedroom-climate/humidity,hallway-ceiling/on',
  log: '/history/log',
  energy: '/history/energy',
  add: '/add',
  settings: '/settings',
  appearance: '/settings/appearance',
  hub: '/settings/hub',
  place: '/settings/place',
  people: '/settings/people',
  integrations: '/settings/integrations',
  notifications: '/settings/notifications',
  health: '/settings/health',
  backup: '/settings/backup',
  audit: '/settings/audit',
  docs: '/docs',
};

let browser: Browser;
let hubs: HubFolder;
let hub: HubProcess;
beforeAll(async () => {
  browser = await launchChromium();
  hubs = createHubFolder();
  hub = await hubs.serve();
  await furnishShownHome(hub, await claimHub(hub));
});
afterAll(async () => {
  await browser.close();
  await hubs.close();
});

const openLoggedIn = async (options: BrowserContextOptions): Promise<Page> => {
  const web = await openWebPage(browser, hub.address, { locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  await logInOnPage(web);
  return web.page;
};
/** Everything is loaded and drawn, and nothing moves any more. */
const settle = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('load');
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)))');
};

const sets = Object.entries(SIZES).flatMap(([size, options]) =>
  SCHEMES.map((colorScheme) => ({ size, colorScheme, options })),
);
test.skipIf(process.env['README'] !== undefined).each(sets)('every page on a $size, $colorScheme', async (set) => {
  const page = await openLoggedIn({ ...set.options, colorScheme: set.colorScheme, reducedMotion: 'reduce' });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(PAGES)) {
    await settle(page, path);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([name, wide]).toEqual([name, set.options.viewport?.width]);
    await page.screenshot({ path: join(FOLDER, `${name}-${set.size}-${set.colorScheme}.png`) });
  }
  await page.context().close();
});

const SHOWN = [
  { name: 'home', path: '/', options: { viewport: { width: 1440, height: 780 } }, colorScheme: 'light' },
  { name: 'rule', path: '/rule/light-in-the-hallway', options: PHONE, colorScheme: 'dark' },
  { name: 'lamp', path: '/device/living-room-lamp', options: PHONE, colorScheme: 'light' },
  {
    name: 'history',
    path: PAGES['history'] ?? '',
    options: { viewport: { width: 1200, height: 720 } },
    colorScheme: 'dark',
  },
] as const;
test.skipIf(process.env['README'] === undefined).each(SHOWN)('the picture of the README: $name', async (shown) => {
  const page = await openLoggedIn({ ...shown.options, colorScheme: shown.colorScheme, reducedMotion: 'reduce' });
  await settle(page, shown.path);
  const path = join(README, `${shown.name}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality: 80 });
  expect(statSync(path).size).toBeLessThanOrEqual(MOST_BYTES);
  await page.context().close();
});
