import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { usePages } from '#test/support/page/page-tests.ts';
import { PHONE } from '#test/support/page/web-page.ts';

const GUEST = { email: 'gil@example.org', password: 'a lamp in the rain' };
const MOVIE = {
  name: 'Movie night',
  icon: 'film',
  room: 'living-room',
  targets: [
    { device: 'living-room-lamp', set: { on: true, brightness: 15 } },
    { device: 'kitchen-ceiling', set: { on: false } },
  ],
};
const NIGHT = { name: 'Good night', targets: [{ device: 'front-door-lock', set: { locked: true } }] };

describe.skipIf(!needs('chromium'))('scenes on the page', () => {
  const { ask, open, goTo } = usePages(async (asked) => {
    await asked('POST', '/user', { ...GUEST, name: 'Gil', role: 'guest' });
    await asked('POST', '/scene', MOVIE);
    await asked('POST', '/scene', NIGHT);
  });
  const valueOf = async (device: string, key: string) => (await ask('GET', `/device/${device}/feature/${key}`)).json;
  const set = (device: string, values: object) => ask('POST', `/device/${device}/command`, { set: values });

  test('one tap brings the home into a scene; its line says how it went, and undo puts everything back', async () => {
    await set('living-room-lamp', { on: true, brightness: 70 });
    await set('kitchen-ceiling', { on: true });
    const page = await open(PHONE);
    await page.getByRole('button', { name: /^Movie night$/ }).tap();
    await page.getByText('Movie night · 2 of 2 confirmed').waitFor();
    await page.getByRole('button', { name: 'Movie night active' }).waitFor();
    expect([await valueOf('living-room-lamp', 'brightness'), await valueOf('kitchen-ceiling', 'on')]).toEqual([
      15,
      false,
    ]);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.getByText('Undone · 2 of 2 confirmed').waitFor();
    expect(await valueOf('living-room-lamp', 'brightness')).toBe(70);
    expect(await valueOf('kitchen-ceiling', 'on')).toBe(true);
    await page.getByRole('button', { name: 'Movie night', exact: true }).waitFor();
    // One of its two devices.
    await set('kitchen-ceiling', { on: false });
    await page.getByRole('button', { name: 'Movie night partly active: 1 of 2' }).waitFor();
  });

  test('a scene with a lock says so and asks first, and a guest cannot use or change it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Good night With a lock or alarm' }).click();
    await page.getByRole('dialog', { name: 'Turn on Good night?' }).getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Good night · 1 of 1 confirmed').waitFor();
    const guest = await open({}, GUEST);
    await guest.getByRole('button', { name: 'All off' }).waitFor();
    expect(await guest.getByRole('button', { name: /^Good night/ }).isDisabled()).toBe(true);
    await goTo(guest, '/scene/good-night', 'Good night');
    await guest.getByText('Your account may not use it').waitFor();
    expect(await guest.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(true);
    expect(await guest.locator('main form').count()).toBe(0);
    await goTo(guest, '/scene', 'Scenes');
    await guest.getByRole('button', { name: 'Turn on Movie night' }).waitFor();
    expect(await guest.getByRole('button', { name: 'Save as scene' }).count()).toBe(0);
  });

  test('a room is saved as it is now, and the scene says what is in it', async () => {
    await set('living-room-lamp', { on: true, brightness: 33 });
    const page = await open(PHONE);
    await goTo(page, '/room/living-room', 'Living room');
    await page.getByRole('button', { name: 'Save as scene' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Save Living room as a scene' });
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await dialog.getByText('Required').waitFor();
    await dialog.getByLabel('Name').fill('Cosy');
    await dialog.getByRole('button', { name: 'Book' }).tap();
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Cosy is saved.').waitFor();
    await page.getByRole('button', { name: 'Open the scene' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Cosy' }).waitFor();
    await page.getByLabel('Living room lamp').waitFor();
    expect((await ask('GET', '/scene/cosy')).json).toMatchObject({ icon: 'book', room: { selector: 'living-room' } });
    await expect.poll(() => page.getByRole('slider', { name: 'Brightness' }).inputValue()).toBe('33');
    await page.getByRole('button', { name: 'Remove scene' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove scene' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Scenes' }).waitFor();
    expect((await ask('GET', '/scene/cosy')).status).toBe(404);
  });

  test('one slider changes the lamps of a room that are on, and its line takes it back', async () => {
    // Of the simulated home, no room has two lamps.
    await ask('PATCH', '/device/kitchen-ceiling', { room: 'living-room' });
    await set('living-room-lamp', { on: true, brightness: 80 });
    await set('kitchen-ceiling', { on: true, brightness: 20 });
    const page = await open(PHONE);
    await goTo(page, '/room/living-room', 'Living room');
    const slider = page.getByRole('slider', { name: 'Brightness of all lights' });
    await expect.poll(() => slider.inputValue()).toBe('50');
    await slider.fill('25');
    await page.getByText('Lights 25 %: Living room · 2 of 2 confirmed').waitFor();
    const levels = async () => [
      await valueOf('living-room-lamp', 'brightness'),
      await valueOf('kitchen-ceiling', 'brightness'),
    ];
    expect(await levels()).toEqual([40, 10]);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.getByText('Undone · 2 of 2 confirmed').waitFor();
    expect(await levels()).toEqual([80, 20]);
    await ask('PATCH', '/device/kitchen-ceiling', { room: 'kitchen' });
  });

  test('a scene is edited with the controls of its devices, tried, put back and saved', async () => {
    await ask('POST', '/scene', { ...MOVIE, name: 'Reading' });
    await set('living-room-lamp', { on: true, brightness: 60 });
    const page = await open();
    await goTo(page, '/scene/reading', 'Reading');
    await page.getByText('Now: 60 %').waitFor();
    const brightness = page.getByRole('slider', { name: 'Brightness' });
    await brightness.fill('25');
    await page.getByRole('slider', { name: 'Fade' }).fill('3');
    await page.getByLabel('Kitchen ceiling').uncheck();
    await page.getByLabel('Add a device').selectOption({ label: 'Living room blind' });
    // Nothing of this was done in the home.
    expect(await valueOf('living-room-lamp', 'brightness')).toBe(60);
    await page.getByRole('checkbox', { name: 'Living room blind' }).uncheck();
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('Reading (try) · 1 of 1 confirmed', { exact: true }).waitFor();
    expect(await valueOf('living-room-lamp', 'brightness')).toBe(25);
    await page.getByRole('button', { name: 'Put back' }).click();
    await page.getByText('Undone · 1 of 1 confirmed').waitFor();
    expect(await valueOf('living-room-lamp', 'brightness')).toBe(60);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Reading is saved.').waitFor();
    expect((await ask('GET', '/scene/reading')).json).toMatchObject({
      transition_ms: 3_000,
      targets: [{ device: { selector: 'living-room-lamp' }, set: { on: true, brightness: 25 } }],
    });
  });

  test('of two people who change a scene, the second one sees it and decides', async () => {
    await ask('POST', '/scene', { ...MOVIE, name: 'Dinner' });
    const page = await open();
    await goTo(page, '/scene/dinner', 'Dinner');
    await page.getByLabel('Name').fill('Dinner for two');
    await ask('PATCH', '/scene/dinner', { name: 'Supper', transition_ms: 5_000 });
    await page.getByText('Somebody else changed this scene meanwhile.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Dinner for two');
    // As if the page had not heard of it yet.
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else changed this scene meanwhile.').waitFor();
    expect((await ask('GET', '/scene/dinner')).json).toMatchObject({ name: 'Supper' });
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Supper');
    await page.getByText('Fade: 5 seconds').waitFor();
    await page.getByLabel('Name').fill('Supper for two');
    await ask('PATCH', '/scene/dinner', { icon: 'meal' });
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Supper for two is saved.').waitFor();
    expect((await ask('GET', '/scene/dinner')).json).toMatchObject({ name: 'Supper for two' });
  });
});
