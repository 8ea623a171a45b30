import type { HomeView } from '#web/client/api.ts';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createHubFolder, type HubFolder, OWNER } from '#test/support/daemon/hub-process.ts';
import { type LargeHome, openLargeHome } from '#test/support/daemon/large-home.ts';
import { needs } from '#test/support/machine/requires.ts';
import { runs } from '#test/support/machine/runs.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { PHONE_TO_DESK, usePages } from '#test/support/page/page-tests.ts';
import { logInOnPage, openWebPage, PHONE } from '#test/support/page/web-page.ts';

/** Runs before the page: what moved by itself, and from where to where. */
const MOVES = `
  window.moves = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      for (const { node, previousRect, currentRect } of sources) {
        window.moves.push([node?.outerHTML?.slice(0, 80), JSON.stringify(previousRect), JSON.stringify(currentRect)].join(' '));
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;
/** What has come so far is drawn. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    for (let frame = 0; frame < 20; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  })()`);

const roomCard = (page: Page, name: string) =>
  page.locator('.room-card').filter({ has: page.getByRole('link', { name, exact: true }) });

describe.skipIf(!needs('chromium'))('the home at a glance', () => {
  const { ask, open } = usePages();
  const set = (device: string, values: object) => ask('POST', `/device/${device}/command`, { set: values });
  const statusOf = (page: Page, name: string) =>
    page.getByRole('group', { name: 'The home now' }).getByRole('button', { name, exact: true });
  const colorOf = (page: Page, tone: string): Promise<unknown> =>
    page.evaluate(`getComputedStyle(document.querySelector('.status[data-tone=${tone}]')).color`);

  test('says in words and in color that a door is unlocked, and leads to it', async () => {
    const page = await open(PHONE);
    await statusOf(page, 'Locked').waitFor();
    const plain = await colorOf(page, 'good');
    await set('front-door-lock', { locked: false });
    const unlocked = statusOf(page, 'Front door lock: Unlocked');
    await unlocked.waitFor();
    await expect.poll(() => colorOf(page, 'danger')).not.toBe(plain);
    await expect.poll(() => statusOf(page, 'Locked').count()).toBe(0);
    await roomCard(page, 'Hallway').getByText('unlocked').waitFor();
    await unlocked.tap();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^Front door lock/ })
      .tap();
    await page.getByRole('heading', { level: 1, name: 'Front door lock' }).waitFor();
    await set('front-door-lock', { locked: true });
  });

  test('has a switch for the lamps of a room, which leaves its plugs alone', async () => {
    await set('kitchen-ceiling', { on: true, brightness: 70 });
    await set('kitchen-fridge-plug', { on: true });
    const page = await open(PHONE);
    const lights = page.getByRole('switch', { name: 'Kitchen: lights' });
    await expect.poll(() => lights.getAttribute('aria-checked')).toBe('true');
    await lights.tap();
    await expect.poll(() => lights.getAttribute('aria-checked')).toBe('false');
    const isOn = async (device: string) => (await ask('GET', `/device/${device}/feature/on`)).json;
    await expect.poll(() => isOn('kitchen-ceiling')).toBe(false);
    expect(await isOn('kitchen-fridge-plug')).toBe(true);
    await lights.tap();
    await expect.poll(() => isOn('kitchen-ceiling')).toBe(true);
    // Each lamp is as bright as it was.
    expect((await ask('GET', '/device/kitchen-ceiling/feature/brightness')).json).toBe(70);
  });

  test('is put in order by a person, who finds it so in every browser, and nobody else does', async () => {
    await ask('POST', '/user', { email: 'bo@example.org', name: 'Bo', role: 'guest', password: 'a lamp in the rain' });
    const page = await open(PHONE);
    await page.goto('/device/living-room-thermostat');
    await page.getByRole('button', { name: 'Favorite' }).tap();
    // The page shows it before the hub has it, and leaving the page ends the request.
    await expect.poll(async () => ((await ask('GET', '/me/home')).json as HomeView).favorites.length).toBe(1);
    await page.goto('/settings/rooms');
    await page.getByRole('button', { name: 'Move down: Bedroom' }).tap();
    await page.getByRole('button', { name: 'Hide: Kitchen' }).tap();
    await expect.poll(async () => ((await ask('GET', '/me/home')).json as HomeView).hidden.length).toBe(1);
    expect(await findingsOn(page)).toEqual([]);
    const rooms = (of: Page) => of.locator('.room-card h3').allTextContents();
    const other = await open();
    await expect.poll(() => rooms(other)).toEqual(['Hallway', 'Bedroom', 'Living room']);
    await other.getByRole('heading', { level: 2, name: 'Favorites' }).waitFor();
    await other.getByRole('article').getByRole('link', { name: 'Living room thermostat' }).waitFor();
    const guest = await open({}, { email: 'bo@example.org', password: 'a lamp in the rain' });
    await expect.poll(() => rooms(guest)).toEqual(['Bedroom', 'Hallway', 'Kitchen', 'Living room']);
    expect(await guest.getByRole('heading', { name: 'Favorites' }).count()).toBe(0);
    await ask('PUT', '/me/home', {});
  });

  test('gives a room the picture that is chosen for it', async () => {
    const page = await open(PHONE);
    await page.goto('/room/bedroom');
    await page.getByRole('button', { name: 'Rename room' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Bed', exact: true }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await ask('GET', '/room/bedroom')).json).toMatchObject({ icon: 'bed' });
  });

  const screens = PHONE_TO_DESK.slice(0, runs(PHONE_TO_DESK.length, 2));
  test.each(screens)('leads to five places, and moves nothing when it is there, on %s', async (_name, look) => {
    const page = await open(look);
    expect(await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link').allInnerTexts()).toEqual([
      'Home',
      'Rooms',
      'Automations',
      'History',
      'Settings',
    ]);
    await page.addInitScript(MOVES);
    await page.route('**/api/v1/health', async (route) => {
      const answer = await route.fetch();
      const health = (await answer.json()) as { database: object };
      const database = { ...health.database, backup_failure: 'no space left on device' };
      await route.fulfill({ response: answer, json: { ...health, database } });
    });
    // Each answer comes last once.
    for (const last of ['me', 'me/home', 'event', 'scene', 'mode', 'health']) {
      let release = (): void => undefined;
      const others = new Promise<void>((resolve) => (release = resolve));
      const isLast = (url: URL): boolean => url.pathname === `/api/v1/${last}`;
      const hold = async (route: Route): Promise<void> => {
        await others;
        await route.fallback();
      };
      await page.route(isLast, hold);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await drawn(page);
      release();
      await page.getByRole('button', { name: 'All off' }).waitFor();
      await page.getByRole('button', { name: /^\d+ problems?$/ }).waitFor();
      await drawn(page);
      await page.unroute(isLast, hold);
      expect([last, await page.evaluate('window.moves')]).toEqual([last, []]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findingsOn(page)).toEqual([]);
  });
});

const NAMES = Array.from({ length: 61 }, (_, index) => `Thing ${String(index + 1)}`);
const ROOMS = ['Attic', 'Bath', 'Bedroom', 'Cellar', 'Garden', 'Hallway', 'Kitchen', 'Living room', 'Loft', 'Office'];

describe.skipIf(!needs('chromium'))('a home of 61 devices', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let home: LargeHome;
  beforeAll(async () => {
    hubs = createHubFolder();
    home = await openLargeHome(hubs, NAMES, ROOMS);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await home.close();
    await hubs.close();
  });

  test('is at most two screens of a phone', async () => {
    const web = await openWebPage(browser, home.hub.address, PHONE);
    await logInOnPage(web, OWNER);
    await web.page.getByRole('button', { name: 'All off' }).waitFor();
    await expect.poll(() => web.page.locator('.room-card').count()).toBe(ROOMS.length);
    const height = await web.page.evaluate<number>('document.documentElement.scrollHeight');
    process.stdout.write(`61 devices in 10 rooms: ${height} px on a phone\n`);
    expect(height).toBeLessThanOrEqual(2 * 844);
  });

  test('has all its devices on three screens of a phone, in rooms that open and stay open', async () => {
    const web = await openWebPage(browser, home.hub.address, PHONE);
    const { page } = web;
    await logInOnPage(web, OWNER);
    await page.getByRole('link', { name: 'Rooms', exact: true }).tap();
    await expect.poll(() => page.locator('.room-fold').count()).toBe(ROOMS.length);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    process.stdout.write(`the rooms of 61 devices: ${height} px on a phone\n`);
    expect(height).toBeLessThanOrEqual(3 * 844);
    expect(await page.locator('.card, .sensor-row').count()).toBe(0);
    await page.getByRole('button', { name: /^Attic/ }).tap();
    const kinds = async () => [await page.locator('.card').count(), await page.locator('.sensor-row').count()];
    await expect.poll(kinds).toEqual([4, 3]);
    await page.locator('.sensor-row').first().tap();
    await page.getByRole('heading', { level: 1, name: /^Thing/ }).waitFor();
    await page.goBack();
    await expect.poll(kinds).toEqual([4, 3]);
    // What a search shows is not folded.
    await page.getByRole('searchbox').fill('thing 61');
    await expect.poll(kinds).toEqual([1, 0]);
    await page.context().close();
  });
});
