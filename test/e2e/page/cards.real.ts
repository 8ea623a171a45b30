import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createDice } from '#test/support/machine/dice.ts';
import {
  claimHub,
  createHubFolder,
  type DeviceJson,
  type HubFolder,
  type HubProcess,
  listDevices,
} from '#test/support/daemon/hub-process.ts';
import { type LargeHome, openLargeHome } from '#test/support/daemon/large-home.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openDevices, openWebPage, type WebPage } from '#test/support/page/web-page.ts';

const PHONE_PX = 390;
const TABLET_PX = 820;
const DESKTOP_PX = 1440;
/** Two cards fit side by side on a phone, and no card is wider than a hand. */
const NARROWEST_PX = 150;
const WIDEST_PX = 352;

const EVENTS = '**/api/v1/event*';

/** Every page with cards, and how to open it. */
const PAGES: readonly (readonly [name: string, open: (web: WebPage, address: string) => Promise<void>])[] = [
  ['the rooms', async ({ page }, address) => void (await page.goto(`${address}/room`))],
  [
    'the rooms while they load',
    async ({ page }, address) => {
      await page.route(EVENTS, () => undefined);
      await page.goto(`${address}/room`);
    },
  ],
  [
    'the devices of one kind',
    async ({ page }, address) => {
      await page.goto(`${address}/room`);
      await page.getByRole('button', { name: 'Lights', exact: true }).click();
    },
  ],
  [
    'the one device found',
    async ({ page }, address) => {
      await page.goto(`${address}/room`);
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

const ROOMS = ['Attic', 'Bath', 'Cellar'];
/** Every second device is a lamp. The rooms get the devices in turn. */
const NAMES = Array.from(
  { length: 24 },
  (_, index) => `${['Red', 'Green', 'Blue', 'Old'][Math.floor(index / 2) % 4]} thing ${String(index + 1)}`,
);
const STEPS = 30;
const SEED = 20_261_122;

type Filter = { kind: 'All' | 'Lights' | 'Sensors' | 'Needs attention'; room: string; search: string };
type Shown = { rooms: unknown[]; found: string; inNeed: string | null };

const SHOWN = `({
  rooms: [...document.querySelectorAll('.room')].map((room) => ({
    name: room.querySelector('h2 bdi').textContent,
    cards: [...room.querySelectorAll('.card-name, .sensor-row .row-title')].map((name) => name.textContent).sort(),
    lit: room.querySelectorAll('.card[data-lit=true]').length,
    count: /\\d+ on/.exec(room.querySelector('h2 .card-state')?.textContent)?.[0] ?? null,
    action: room.querySelector('.room-off')?.textContent ?? null,
  })),
  found: document.querySelector('.home [role=status]').textContent,
  inNeed: document.querySelector('.chip[data-kind=attention] .chip-count')?.textContent ?? null,
})`;

const isLamp = ({ features }: DeviceJson): boolean => features.some(({ key }) => key === 'on');
const isOffline = ({ availability }: DeviceJson): boolean => availability.state === 'offline';
const isLit = (device: DeviceJson): boolean =>
  !isOffline(device) && device.features.some(({ key, value }) => key === 'on' && value === true);

/** The part of these devices that the page must show with this filter. */
function expected(devices: readonly DeviceJson[], { kind, room, search }: Filter): Shown {
  const isWanted = (device: DeviceJson): boolean =>
    (kind !== 'Lights' || isLamp(device)) &&
    (kind !== 'Sensors' || !isLamp(device)) &&
    (kind !== 'Needs attention' || isOffline(device)) &&
    (room === '' || device.room?.name === room) &&
    search.split(' ').every((word) => `${device.name} ${device.room?.name ?? ''}`.toLowerCase().includes(word));
  const isFiltered = kind !== 'All' || room !== '' || search !== '';
  const wanted = devices.filter(isWanted);
  const rooms = [...ROOMS, 'No room'].flatMap((name) => {
    const own = wanted.filter((device) => (device.room?.name ?? 'No room') === name);
    if (own.length === 0) return [];
    const lit = own.filter(isLit).length;
    const count = lit === 0 || isFiltered ? null : `${lit} on`;
    const action =
      lit === 0 ? null : !isFiltered ? 'Lights off' : lit === 1 ? 'Turn this one off' : `Turn these ${lit} off`;
    return [{ name, cards: own.map((device) => device.name).sort(), lit, count, action }];
  });
  const found = wanted.length === 1 ? '1 device found' : `${wanted.length} devices found`;
  const inNeed = devices.filter(isOffline).length;
  return {
    rooms,
    found: !isFiltered ? '' : wanted.length === 0 ? 'No devices found' : found,
    inNeed: inNeed === 0 && kind !== 'Needs attention' ? null : String(inNeed),
  };
}

describe.skipIf(!needs('chromium'))('the numbers of the home', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let home: LargeHome;
  let page: Page;
  beforeAll(async () => {
    hubs = createHubFolder();
    home = await openLargeHome(hubs, NAMES, ROOMS);
    browser = await launchChromium();
    const web = await openWebPage(browser, home.hub.address);
    await logInOnPage(web);
    page = web.page;
    await openDevices(page);
  });
  afterAll(async () => {
    await browser.close();
    await home.close();
    await hubs.close();
  });

  const devices = () => listDevices(home.hub, home.token, NAMES.length);
  const put = async (index: number, state: 'ON' | 'OFF'): Promise<void> => {
    await home.zigbee2mqtt.publish(`device ${index}`, { state, brightness: 120 });
  };
  const select = async (filter: Filter): Promise<void> => {
    const { kind, room, search } = filter;
    const chip = page.locator('.chip', { hasText: kind === 'Needs attention' ? /^Needs/ : new RegExp(`^${kind}$`) });
    // The chip is absent while nothing needs attention.
    if ((await chip.count()) === 0) filter.kind = 'All';
    else await chip.click();
    await page.getByRole('combobox', { name: 'Room' }).selectOption(room === '' ? 'All rooms' : room);
    await page.getByRole('searchbox').fill(search);
  };

  test(`match what is shown, while lamps change, move and fail under search and filter (seed ${SEED})`, async () => {
    const dice = createDice(SEED);
    const pick = <One>(of: readonly One[]): One => of[Math.floor(dice() * of.length)] as One;
    const filter: Filter = { kind: 'All', room: '', search: '' };
    const rooms = (await home.hub.ask('GET', '/api/v1/room', { token: home.token })).json as { id: string }[];
    const changes: readonly (() => Promise<unknown>)[] = [
      () => put(pick([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]), pick(['ON', 'ON', 'OFF'])),
      () => put(pick([0, 8, 16]), 'ON'),
      () =>
        home.zigbee2mqtt.publish(
          `device ${Math.floor(dice() * NAMES.length)}/availability`,
          { state: pick(['offline', 'online', 'online']) },
          true,
        ),
      async () => {
        const { id } = pick(await devices());
        const room = pick([...rooms.map((one) => one.id), null]);
        return await home.hub.ask('PATCH', `/api/v1/device/${id}`, { token: home.token, body: { room } });
      },
      () => {
        filter.kind = pick(['All', 'All', 'Lights', 'Sensors', 'Needs attention']);
        return select(filter);
      },
      () => select(Object.assign(filter, { room: pick(['', '', ...ROOMS]) })),
      () => select(Object.assign(filter, { search: pick(['', '', 'red', 'thing 1', 'attic', 'nowhere']) })),
    ];
    for (let step = 0; step < STEPS; step += 1) {
      await pick(changes)();
      await pick(changes)();
      await vi.waitFor(
        async () => {
          const shown = await page.evaluate<Shown>(SHOWN);
          expect(shown, `step ${step}, ${JSON.stringify(filter)}`).toEqual(expected(await devices(), filter));
        },
        { interval: 20 },
      );
    }
  });

  test('turns off the lights that a search shows, and nothing else', async () => {
    const filter: Filter = { kind: 'All', room: '', search: '' };
    for (const [index] of NAMES.entries()) {
      await home.zigbee2mqtt.publish(`device ${index}/availability`, { state: 'online' }, true);
      if (index % 2 === 0) await put(index, 'ON');
    }
    const litNames = async (): Promise<string[]> => (await devices()).filter(isLit).map(({ name }) => name);
    await expect.poll(async () => (await litNames()).length).toBe(NAMES.length / 2);
    await select(Object.assign(filter, { search: 'green' }));
    const green = (await litNames()).filter((name) => name.startsWith('Green'));
    const action = page.locator('.room-off');
    while ((await action.count()) > 0) await action.first().click();
    await expect.poll(async () => (await litNames()).length).toBe(NAMES.length / 2 - green.length);
    expect((await litNames()).filter((name) => name.startsWith('Green'))).toEqual([]);
    expect(green.length).toBeGreaterThan(1);
  });
});
