import { beforeEach, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';
import { PHONE } from '#test/support/page/web-page.ts';
import { startNtfy } from '#test/notify/channel-home.ts';

const GUEST = { email: 'gil@example.org', password: 'a lamp in the rain' };

describe.skipIf(!needs('chromium'))('notifications on the page', () => {
  const { ask, askAs, open, goTo } = usePages(async (asked) => {
    await asked('POST', '/user', { ...GUEST, name: 'Gil', role: 'guest' });
    // The machine of the test may have a full disk.
    await asked('PATCH', '/notification/settings', { built_in: { disk_nearly_full: false } });
  });
  beforeEach(async () => {
    const { json } = await ask('GET', '/notification?open=true');
    for (const { id } of (json as { notifications: { id: string }[] }).notifications)
      await ask('POST', `/notification/${id}/acknowledge`);
  });
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
    await sheet.getByRole('button', { name: 'Got it: The window is open' }).click();
    await other.getByRole('button', { name: 'Notifications: 1 needs attention' }).waitFor();
    await sheet.getByRole('button', { name: 'Got it: The washing machine is done' }).click();
    await sheet.getByText('Nothing needs your attention.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    expect((await ask('GET', '/notification?open=true')).json).toMatchObject({ notifications: [] });
  });

  test('low batteries are one line that says where each of them is, and water is never inside of it', async () => {
    const wants = { name: 'doors', scopes: ['device:provide'], provider: 'doors' };
    const { token } = (await ask('POST', '/api_token', wants)).json as { token: string };
    const bring = (method: string, path: string, body?: object) => askAs(token)(method, `/provider/doors${path}`, body);
    await bring('PUT', '', { name: 'Doors' });
    const rooms = ((await ask('GET', '/room')).json as { id: string; name: string }[]).slice(0, 3);
    const keys = [...['battery', 'water_leak'].entries()];
    const features = keys.map(([at, key]) => {
      return { key, capability: key, kind: 'state', value_type: at === 0 ? 'number' : 'boolean' };
    });
    for (const { id } of rooms) {
      const made = await bring('PUT', `/device/${id}`, { name: 'Garden door', type: 'contact_sensor', features });
      await ask('PATCH', `/device/${(made.json as { id: string }).id}`, { room: id });
    }
    const reports = rooms.map(({ id }, at) => ({ device: id, values: { battery: 4, water_leak: at === 0 } }));
    await bring('POST', '/state', { reports });
    const page = await open(SMALL);
    await page.getByRole('button', { name: 'Notifications: 4 need attention' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    const likes = sheet.getByRole('listitem').filter({ hasText: '3 batteries are low' });
    await likes.getByText('Show all').tap();
    const inside = await likes.getByRole('link').allTextContents();
    expect(inside.toSorted()).toEqual(rooms.map(({ name }) => `${name} – Garden door`).toSorted());
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await sheet.getByRole('button', { name: 'Got it: 3 batteries are low' }).tap();
    await likes.waitFor({ state: 'detached' });
    expect(await sheet.locator('.notification-title').allTextContents()).toContain(
      `Water: ${rooms[0]?.name} – Garden door`,
    );
    // The hub tells guests of water until it is over.
    for (const { id } of rooms) await bring('DELETE', `/device/${id}`);
    await sheet.getByText('Nothing needs your attention.').waitFor();
  });

  test('what is critical stands above the page until somebody acknowledges it or it is over', async () => {
    const page = await open(PHONE);
    await send({ title: 'Water: Kitchen sink', severity: 'critical', key: 'water' });
    const banner = page.getByRole('alert').filter({ hasText: 'Water: Kitchen sink' });
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
    await goTo(page, '/settings/notifications', 'Notifications');
    await page.getByLabel('Address').fill(ntfy.url);
    await page.getByLabel('Topic').fill('home');
    await page.getByLabel('Access token').fill('tk_1');
    await page.getByLabel('Name').fill('Phones');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByText('Phones was added.').waitFor();
    await page.getByRole('button', { name: 'Test Phones' }).click();
    await page.getByText('Phones took the test.').waitFor();
    expect(ntfy.received).toHaveLength(1);
    await page.getByRole('button', { name: 'Change Phones' }).click();
    const change = page.getByRole('dialog', { name: 'Change Phones' });
    await change.getByLabel('Name').fill('Our phones');
    await change.getByLabel('What it sends').selectOption('Only what is critical');
    expect(await findingsOn(page)).toEqual([]);
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Our phones was changed.').waitFor();
    const { json } = await ask('GET', '/notification_channel');
    const changed = { name: 'Our phones', min_severity: 'critical', has_token: true, enabled: true, topic: 'home' };
    expect(json).toContainEqual(expect.objectContaining(changed));
    await page.getByRole('button', { name: 'Test Our phones' }).click();
    await page.getByText('Our phones took the test.').waitFor();
    await page.getByLabel('Keep quiet at night').check();
    await page.getByLabel('From').fill('21:30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your quiet hours are saved.').waitFor();
    expect((await ask('GET', '/me')).json).toMatchObject({ quiet_hours: { from: '21:30', to: '07:00' } });
    await page.getByLabel('A low battery').uncheck();
    await expect
      .poll(async () => (await ask('GET', '/notification/settings')).json)
      .toMatchObject({ built_in: { battery_low: false, water: true } });
    await page.getByRole('button', { name: 'Remove Our phones' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Our phones was removed.').waitFor();
  });
});
