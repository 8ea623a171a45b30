import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { logInOnPage, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';
import { startNtfy } from '#test/notify/channel-home.ts';

const GUEST = { email: 'gil@example.org', password: 'a lamp in the rain' };
const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['a small telephone, light', { ...PHONE, viewport: { width: 320, height: 640 }, colorScheme: 'light' }],
  ['a small telephone, dark', { ...PHONE, viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
  ['a desktop, light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['a desktop, dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
];

describe.skipIf(!needs('chromium'))('notifications on the page', { timeout: 60_000 }, () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  const opened: WebPage[] = [];
  const ask = (method: string, path: string, body?: unknown) =>
    hub.ask(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    token = (await claimHub(hub)).access_token;
    await ask('POST', '/user', { ...GUEST, name: 'Gil', role: 'guest' });
    // The machine of the test may have a full disk.
    await ask('PATCH', '/notification/settings', { built_in: { disk_nearly_full: false } });
  });
  beforeEach(async () => {
    const { json } = await ask('GET', '/notification?open=true');
    for (const { id } of json as { id: string }[]) await ask('POST', `/notification/${id}/ack`);
  });
  afterEach(async () => {
    for (const { page, complaints } of opened.splice(0)) {
      await page.context().close();
      if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
    }
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });
  const open = async (options: BrowserContextOptions = {}, who = OWNER): Promise<WebPage['page']> => {
    const web = await openWebPage(browser, hub.address, options);
    opened.push(web);
    await logInOnPage(web, who);
    return web.page;
  };
  const send = (body: object) => ask('POST', '/notification', body);

  test('the bell counts what needs attention as it comes, and what one acknowledges is gone from each page', async () => {
    const [page, other] = [await open(), await open(PHONE)];
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await send({ title: 'The washing machine is done' });
    await send({ title: 'The window is open', severity: 'warning', text: 'Since this morning.' });
    await other.getByRole('button', { name: 'Notifications: 2 need attention' }).waitFor();
    await page.getByRole('button', { name: 'Notifications: 2 need attention' }).click();
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    await sheet.getByText('Since this morning.').waitFor();
    const titles = await sheet.locator('.notification-title').allTextContents();
    expect(titles).toEqual(['The window is open', 'The washing machine is done']);
    await sheet.getByRole('button', { name: 'OK: The window is open' }).click();
    await other.getByRole('button', { name: 'Notifications: 1 needs attention' }).waitFor();
    await sheet.getByRole('button', { name: 'OK: The washing machine is done' }).click();
    await sheet.getByText('Nothing needs your attention.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    expect((await ask('GET', '/notification?open=true')).json).toEqual([]);
  });

  test('what is critical stands above the page until somebody acknowledges it or it is over', async () => {
    const page = await open(PHONE);
    await send({ title: 'Water at Kitchen sink', severity: 'critical', key: 'water' });
    const banner = page.getByRole('alert').filter({ hasText: 'Water at Kitchen sink' });
    await banner.waitFor();
    await page.getByRole('link', { name: 'Settings' }).first().tap();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await banner.count()).toBe(1);
    await send({ resolve_key: 'water' });
    await banner.waitFor({ state: 'detached' });
  });

  test('a guest sees only what is for guests, and no channels', async () => {
    const page = await open({}, GUEST);
    await send({ title: 'for the home' });
    await send({ title: 'Welcome', to: ['role:guest'] });
    await page.getByRole('button', { name: 'Notifications: 1 needs attention' }).click();
    await page.getByRole('dialog').getByText('Welcome').waitFor();
    expect(await page.getByText('for the home').count()).toBe(0);
    await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page.getByText('Quiet hours').waitFor();
    expect(await page.getByText('Where they go').count()).toBe(0);
  });

  test('an owner adds a channel, tests it, sets quiet hours and switches off what the hub notices', async () => {
    const ntfy = await startNtfy('tk_1');
    const page = await open();
    await page.goto(`${hub.address}/settings/notifications`);
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page.getByLabel('Address').fill(ntfy.url);
    await page.getByLabel('Topic').fill('home');
    await page.getByLabel('Access token').fill('tk_1');
    await page.getByLabel('Name').fill('Phones');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByText('Phones was added.').waitFor();
    await page.getByRole('button', { name: 'Test Phones' }).click();
    await page.getByText('Phones took the test.').waitFor();
    expect(ntfy.received).toHaveLength(1);
    await page.getByLabel('Keep quiet at night').check();
    await page.getByLabel('From').fill('21:30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your quiet hours are saved.').waitFor();
    expect((await ask('GET', '/me')).json).toMatchObject({ quiet_hours: { from: '21:30', to: '07:00' } });
    await page.getByLabel('A low battery').uncheck();
    await expect
      .poll(async () => (await ask('GET', '/notification/settings')).json)
      .toMatchObject({ built_in: { battery_low: false, water: true } });
    await page.getByRole('button', { name: 'Remove Phones' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Phones was removed.').waitFor();
  });

  test.each(LOOKS)('axe finds nothing, and nothing is wider than the page, on %s', async (_name, look) => {
    const page = await open(look);
    const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    await send({ title: 'Water at Kitchen sink', severity: 'critical', text: 'The sensor reports water.' });
    await send({
      title: 'The battery of Hallway motion is low',
      severity: 'warning',
      text: 'Charge or replace it soon.',
    });
    await send({ title: 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3) });
    await page.getByRole('alert').filter({ hasText: 'Water at Kitchen sink' }).waitFor();
    expect(['banner', await findingsOn(page), await page.evaluate(isTooWide)]).toEqual(['banner', [], false]);
    await page.getByRole('button', { name: 'Notifications: 3 need attention' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'OK to all' }).waitFor();
    expect(['sheet', await findingsOn(page), await page.evaluate(isTooWide)]).toEqual(['sheet', [], false]);
    await page.getByRole('dialog').getByRole('button', { name: 'OK to all' }).click();
    await page.getByText('Nothing needs your attention.').waitFor();
    await page.goto(`${hub.address}/settings/notifications`);
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page.getByLabel('A jammed lock').waitFor();
    expect(['settings', await findingsOn(page), await page.evaluate(isTooWide)]).toEqual(['settings', [], false]);
  });
});
