import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';

const GUEST = { email: 'gil@example.org', password: 'a lamp in the rain' };
const SENSOR = {
  type: 'water_leak_detector',
  features: [
    { key: 'water_leak', capability: 'water_leak' },
    { key: 'co_alarm', capability: 'co_alarm' },
  ],
};

describe.skipIf(!needs('chromium'))('a guest and a danger', () => {
  const { ask, open } = usePages(async (asked) => {
    const { json } = await asked('GET', '/room/bedroom');
    const rooms = [(json as { readonly id: string }).id];
    await asked('POST', '/user', { ...GUEST, name: 'Gil', role: 'guest', rooms, valid_until: '2099-07-05T18:00:00Z' });
  });

  test('a guest reads on the home page and under the settings until when it is theirs, and finds only what is theirs', async () => {
    const page = await open(SMALL, GUEST);
    await page.getByText(/^You can use this home until .*Jul/).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).tap();
    await page.getByText(/^You can use this home until .*Jul/).waitFor();
    const rows = page.getByRole('main').getByRole('listitem').getByRole('link');
    expect(await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/settings/account',
      '/settings/appearance',
      '/settings/notifications',
      '/settings/sessions',
      '/settings/rooms',
    ]);
    expect(await page.getByText(/new rooms|where they go/).count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
  });

  test.each([
    ['water_leak', 'Water: Kitchen', 'Turn off the water at its valve.'],
    ['co_alarm', 'Carbon monoxide: Kitchen', 'It has no smell.'],
  ])('the page of a device with %s says where it is and what to do', async (key, title, advice) => {
    const report = (isThere: boolean) =>
      ask('PUT', '/provider/leak/device/bath', { name: 'Machine', ...SENSOR, values: { [key]: isThere } });
    await report(false);
    await ask('PATCH', '/device/machine', { room: 'kitchen' });
    const page = await open(SMALL);
    await page.goto('/device/machine');
    await page.getByRole('heading', { name: 'Machine' }).waitFor();
    expect(await page.getByText('What to do:').count()).toBe(0);
    await report(true);
    const notice = page.getByRole('alert').filter({ hasText: 'What to do:' });
    await notice.getByText(title, { exact: true }).waitFor();
    await notice.getByText(advice).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await report(false);
    await notice.waitFor({ state: 'detached' });
  });

  test('a lamp has its whites one tap away, its wheel behind a fold, and says once since when it is on', async () => {
    await ask('POST', '/device/living-room-lamp/command', { set: { on: true, color_temperature: 3500 } });
    const page = await open(SMALL);
    await page.goto('/device/living-room-lamp');
    await page.getByText(/^On since/).waitFor();
    const controls = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Controls' }) });
    expect(await controls.getByText(/^Changed /).count()).toBe(0);
    await page.getByRole('group', { name: 'Color temperature' }).getByRole('button', { name: 'Neutral' }).tap();
    await expect
      .poll(async () => (await ask('GET', '/device/living-room-lamp/feature/color_temperature')).json)
      .toBe(4000);
    await page.getByRole('group', { name: 'Colors' }).getByRole('button', { name: 'Color', exact: true }).tap();
    expect(await page.getByRole('slider', { name: /hue/i }).isVisible()).toBe(false);
    await page.getByText('Any color').tap();
    await page.getByRole('slider', { name: /hue/i }).waitFor();
  });
});
