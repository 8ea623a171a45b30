import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { importPast } from '#test/support/page/past.ts';
import { logInOnPage, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

const HOUR_MS = 3_600_000;
const SMALL: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 700 } };
const wave = (base: number) => (atMs: number) => Number((base + 2 * Math.sin(atMs / HOUR_MS / 4)).toFixed(1));
/** In the simulated home, whose meter begins at 128.4 kWh. */
const PAST = {
  'bedroom-climate/temperature': wave(20),
  'bedroom-climate/humidity': wave(50),
  'living-room-thermostat/temperature': wave(21),
  'kitchen-fridge-plug/energy': (atMs: number) => Number((128 - ((Date.now() - atMs) / HOUR_MS) * 0.1).toFixed(3)),
  'hallway-ceiling/on': (atMs: number) => Math.sin(atMs / HOUR_MS) > 0,
  'living-room-remote/button': () => 'single',
};
const ALL = Object.keys(PAST).join(',');

describe.skipIf(!needs('chromium'))('the page of the history', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  let web: WebPage;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    ({ access_token: token } = await claimHub(hub));
    await importPast(hub, token, { days: 40, series: PAST });
    web = await openWebPage(browser, hub.address, SMALL);
    page = web.page;
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });
  const open = async (path: string): Promise<void> => {
    await page.goto(hub.address + path);
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  };
  const figure = (name: string) => page.getByRole('figure').filter({ has: page.getByText(name, { exact: true }) });
  const queryOf = (): URLSearchParams => new URL(page.url()).searchParams;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  test('offers what people look at, lets them choose more, and keeps the choice in its address', async () => {
    await page.goto(hub.address);
    await page.getByRole('link', { name: 'History' }).tap();
    await button('Temperature (2)').tap();
    await figure('Temperature').waitFor();
    expect(queryOf().get('f')).toBe('living-room-thermostat/temperature,bedroom-climate/temperature');
    // Both lines are in one figure, each with what it is.
    expect(await figure('Temperature').getByRole('listitem').count()).toBe(2);

    await button('Add or change').tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search').fill('climate humid');
    await dialog.getByRole('checkbox', { name: /^Bedroom climate: Humidity/ }).check();
    await dialog.getByRole('button', { name: 'Show' }).tap();
    // Another unit has an axis of its own.
    await figure('Bedroom climate: Humidity').waitFor();
    expect(await page.getByRole('figure').count()).toBe(2);
    await button('Living room thermostat: Temperature: remove').tap();
    await figure('Bedroom climate: Temperature').waitFor();

    const chosen = queryOf().get('f');
    await page.reload();
    await figure('Bedroom climate: Humidity').waitFor();
    expect(queryOf().get('f')).toBe(chosen);
    await page.goBack();
    await expect.poll(() => queryOf().get('f')?.split(',').length).toBe(3);
    await figure('Temperature').waitFor();
    expect(web.complaints).toEqual([]);
  });

  test('gives a room the line of its temperature, as wide as its card, in a place that was free for it', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const asked: string[] = [];
    const isHistory = ({ pathname }: URL): boolean => pathname === '/api/v1/history';
    await page.route(isHistory, async (route) => {
      asked.push(new URL(route.request().url()).search);
      await waiting;
      await route.continue();
    });
    await page.goto(`${hub.address}/room/bedroom`);
    const card = page.getByRole('link', { name: /^Temperature/ });
    const before = await card.boundingBox();
    release();
    await card.getByText(/^Last 24 hours: \d+\.\d° to \d+\.\d°$/).waitFor();
    expect(await card.boundingBox()).toEqual(before);
    const line = await card.locator('path').boundingBox();
    expect(line?.width).toBeGreaterThan((before?.width ?? 0) * 0.8);
    expect(asked).toHaveLength(1);
    await page.unroute(isHistory);
    await card.tap();
    await figure('Bedroom climate: Temperature').waitFor();
    expect(web.complaints).toEqual([]);
  });

  test('goes back and forth in time, and to the last night', async () => {
    await open('/history?f=bedroom-climate/temperature');
    await figure('Bedroom climate: Temperature').waitFor();
    expect(await button('Later').getAttribute('aria-disabled')).toBe('true');
    const lengthMs = (): number => Date.parse(queryOf().get('to') ?? '') - Date.parse(queryOf().get('from') ?? '');
    await button('Earlier').tap();
    await expect.poll(lengthMs).toBe(24 * HOUR_MS);
    await expect.poll(() => button('Later').getAttribute('aria-disabled')).toBe('false');
    await button('Later').tap();
    await expect.poll(() => queryOf().get('to')).toBeNull();
    const asked = page.waitForRequest(
      (request) => request.url().includes('/history?series=') && request.url().includes('&to='),
    );
    await button('Night').tap();
    await asked;
    await expect.poll(() => new URL(page.url()).search).toMatch(/from=[^&]+T22:00:00\.000Z&to=[^&]+T07:00:00\.000Z/);
    await figure('Bedroom climate: Temperature').waitFor();
    await expect.poll(() => button('Night').getAttribute('aria-pressed')).toBe('true');
    await button('Year').tap();
    await expect.poll(() => queryOf().get('from')).toBe('-365d');
    expect(web.complaints).toEqual([]);
    await figure('Bedroom climate: Temperature').waitFor();
  });

  test('draws counters as what they counted, apart from what they counted unheard, and has all of it as tables', async () => {
    await open(`/history?f=${ALL}&view=table`);
    const energy = figure('Kitchen fridge plug: Energy');
    const heads = energy.getByRole('columnheader');
    await heads.first().waitFor();
    expect(await heads.allTextContents()).toEqual(['From', 'To', 'Counted', 'While the device was not heard']);
    await energy.getByText(/^and 0\.[23]\d? kWh at an unknown time$/).waitFor();
    expect((await energy.getByRole('row').count()) - 1).toBeGreaterThanOrEqual(24);
    const temperature = figure('Temperature').getByRole('columnheader');
    expect(await temperature.allTextContents()).toEqual(['From', 'To', 'Bedroom climate', 'Living room thermostat']);
    await figure('Temperature').getByText('Not known: the device was offline').first().waitFor();
    await figure('Living room remote: Button').getByText('Pressed once').first().waitFor();

    await button('Charts').tap();
    await expect.poll(() => energy.locator('.increase-gap').count()).toBe(1);
    await expect.poll(() => energy.locator('.increase-bar').count()).toBeGreaterThan(20);
    // The keyboard and a screen reader get what is drawn.
    const look = page.getByRole('slider', { name: 'Temperature: look at a moment' });
    await look.focus();
    await expect
      .poll(() => look.getAttribute('aria-valuetext'))
      .toMatch(/^Bedroom climate \d.*, Living room thermostat \d.*, from /);
    const saving = page.waitForEvent('download');
    await button('Download CSV').tap();
    expect((await saving).suggestedFilename()).toBe('history-day.csv');
    const savingTable = page.waitForEvent('download');
    await button('Download as a table').tap();
    const table = await savingTable;
    expect(table.suggestedFilename()).toBe('history-day-table.csv');
    const [head, ...rows] = readFileSync(await table.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toContain('Bedroom – Bedroom climate: Temperature (°C)');
    expect(rows.length).toBeGreaterThan(1);
    const cells = head?.split(',').length ?? 0;
    for (const row of rows) {
      expect(row).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/);
      expect(row.split(',')).toHaveLength(cells);
    }
  });

  test('calls a mode and its values as people named them', async () => {
    const body = { value_names: { night: 'Nachtruhe & Co' } };
    expect((await hub.ask('PATCH', '/api/v1/mode/home', { token, body })).status).toBe(200);
    await hub.ask('PUT', '/api/v1/mode/home', { token, body: { value: 'night' } });
    await open('/history?f=mode/home&view=table');
    await figure('Mode: Mode').getByText('Nachtruhe & Co').first().waitFor();
    await open('/history/log');
    await page.getByText('Mode Mode: Nachtruhe & Co').first().waitFor();
  });

  test('says what of an address is not there, and shows the rest', async () => {
    await open('/history?f=no-such/thing,bedroom-climate/temperature,%3Cb%3E/x&from=nonsense&to=later');
    await page.getByText('No longer there: no-such/thing, <b>/x.').waitFor();
    await figure('Bedroom climate: Temperature').waitFor();
    await open('/history?f=no-such/thing');
    await button('Choose').waitFor();
    expect(web.complaints).toEqual([]);
  });

  test('has a logbook of the home, a room or a device, that says who did it', async () => {
    await hub.ask('POST', '/api/v1/device/kitchen-ceiling/command', {
      token,
      body: { set: { on: true, brightness: 42 } },
    });
    await expect
      .poll(async () => {
        await open('/history/log');
        await page.getByRole('listitem').first().waitFor();
        return page.getByRole('listitem').filter({ hasText: 'Kitchen ceiling' }).filter({ hasText: 'by Ada' }).count();
      })
      .toBeGreaterThan(0);
    await page.getByLabel('Room').selectOption('Hallway');
    await expect.poll(() => page.url()).toContain('/history/log?room=hallway');
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Living room' }).count()).toBe(0);
    await page.getByRole('listitem').filter({ hasText: 'Hallway ceiling' }).first().waitFor();
    await page.getByLabel('Room').selectOption('All rooms');
    await page.getByLabel('Device', { exact: true }).selectOption('Living room remote');
    await expect.poll(() => page.getByRole('listitem').filter({ hasNotText: 'Living room remote' }).count()).toBe(0);
    const before = await page.getByRole('listitem').count();
    await button('Show more').tap();
    await expect.poll(() => page.getByRole('listitem').count()).toBeGreaterThan(before);
    expect(web.complaints).toEqual([]);
  });

  test('says in words how a run of an automation ended, and leads to it', async () => {
    const steps = [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true, brightness: 37 } } }];
    await hub.ask('POST', '/api/v1/automation', {
      token,
      body: { name: 'Logged', triggers: [{ type: 'hook' }], steps },
    });
    await hub.ask('POST', '/api/v1/automation/logged/run', { token });
    const line = page.getByRole('listitem').filter({ hasText: 'Logged' }).filter({ hasText: 'Done' });
    await expect
      .poll(async () => {
        await open('/history/log');
        await page.getByRole('listitem').first().waitFor();
        return line.count();
      })
      .toBeGreaterThan(0);
    await line.first().getByRole('link', { name: 'Logged' }).tap();
    await page.getByRole('heading', { level: 1, name: /^Run at/ }).waitFor();
    expect(web.complaints).toEqual([]);
  });
});
