import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';

const GUEST = { email: 'lim@example.org', password: 'a lamp in the rain' };

describe.skipIf(!needs('chromium'))('modes on the page', () => {
  const { ask, open } = usePages();

  test('the mode of the home gets a value of its own, which can be set and dropped', async () => {
    const page = await open(SMALL);
    await page.goto('/settings/modes');
    const form = page.locator('form').filter({ has: page.getByRole('heading', { name: 'Mode', exact: true }) });
    const value = form.getByLabel('Add to Home, Away, Night, and Vacation');
    await value.fill('night');
    await form.getByRole('button', { name: 'Add', exact: true }).tap();
    await form.getByText('It has this value already.').waitFor();
    await value.fill('Gäste & Party');
    // Somebody sets the mode while the form is open.
    await ask('PUT', '/mode/home', { value: 'away' });
    await form.getByText('Active', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Add', exact: true }).tap();
    await page.getByText('Mode is saved.').waitFor();
    const values = ['home', 'away', 'night', 'vacation', 'gaste_party'];
    expect((await ask('GET', '/mode/home')).json).toMatchObject({
      values,
      value_names: { gaste_party: 'Gäste & Party' },
      value: 'away',
    });
    expect(await form.getByRole('button', { name: /^Remove the value/ }).count()).toBe(1);
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await form.getByRole('button', { name: 'Remove the value: Gäste & Party' }).tap();
    await page.getByText('Gäste & Party is no longer a value.').waitFor();
    expect((await ask('GET', '/mode/home')).json).toMatchObject({ values: values.slice(0, 4) });
  });

  test('a mode is added, renamed and removed', async () => {
    const page = await open(SMALL);
    await page.goto('/settings/modes');
    const add = page.locator('details').filter({ hasText: 'Another switch for the whole home' });
    await add.locator('summary').tap();
    await add.getByLabel('Name').fill('Heating');
    await add.getByLabel('Value 1').fill('Sömmer');
    await add.getByRole('button', { name: 'Add switch' }).tap();
    await expect.poll(() => add.getByLabel('Value 1').getAttribute('aria-invalid')).toBe('true');
    await add.getByRole('button', { name: 'Another value' }).tap();
    await add.getByLabel('Value 2').fill('sömmer');
    await add.getByRole('button', { name: 'Another value' }).tap();
    await add.getByText('It has this value already.').waitFor();
    await add.getByLabel('Value 2').fill('Winter, cold');
    expect(await findingsOn(page)).toEqual([]);
    await add.getByRole('button', { name: 'Add switch' }).tap();
    await page.getByText('Heating is saved.').waitFor();
    expect((await ask('GET', '/mode/heating')).json).toMatchObject({
      name: 'Heating',
      values: ['sommer', 'winter_cold'],
      value_names: { sommer: 'Sömmer', winter_cold: 'Winter, cold' },
    });
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Remove mode' }) });
    await form.getByText('A mode needs two values').waitFor();
    await form.getByLabel('Name').fill('Warmth');
    await form.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Warmth is saved.').waitFor();
    await form.getByRole('button', { name: 'Remove mode' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove mode' }).tap();
    await form.waitFor({ state: 'detached' });
    expect((await ask('GET', '/mode/heating')).status).toBe(404);
  });

  test('the sheet says until when a mode holds that was set elsewhere, and takes the end away', async () => {
    await ask('PUT', '/mode/home', { value: 'night', for_s: 7200, next: 'home' });
    const page = await open(SMALL);
    await page.getByRole('button', { name: /^Mode: Night/ }).tap();
    const dialog = page.getByRole('dialog', { name: 'Mode and people' });
    const length = dialog.getByLabel('For', { exact: true });
    await expect.poll(() => length.inputValue()).toBe('moment');
    await expect.poll(() => dialog.getByLabel('Until', { exact: true }).inputValue()).not.toBe('');
    await length.selectOption('No end');
    await expect.poll(async () => (await ask('GET', '/mode/home')).json).toMatchObject({ value: 'night', until: null });
    await expect.poll(() => length.inputValue()).toBe('');
  });

  test('who comes home while the home is away is asked for its mode', async () => {
    await ask('PUT', '/mode/home', { value: 'away' });
    await ask('POST', '/presence/me', { state: 'away' });
    const page = await open(SMALL);
    await page.getByRole('button', { name: /^Mode: Away/ }).tap();
    const sheet = page.getByRole('dialog', { name: 'Mode and people' });
    await sheet.getByRole('button', { name: 'I’m home' }).tap();
    const question = page.getByRole('dialog', { name: 'The home is set to Away' });
    await question.getByText('Set it to Home, now that you are there?').waitFor();
    expect((await ask('GET', '/mode/home')).json).toMatchObject({ value: 'away' });
    await question.getByRole('button', { name: 'Set it' }).tap();
    await expect.poll(async () => (await ask('GET', '/mode/home')).json).toMatchObject({ value: 'home' });
    // At home nobody is asked again.
    await sheet.getByRole('button', { name: 'I’m home' }).tap();
    await expect
      .poll(() => sheet.getByRole('button', { name: 'Home', exact: true }).getAttribute('aria-pressed'))
      .toBe('true');
    expect(await question.count()).toBe(0);
  });

  test('a guest who is limited to a room tells where they are, and sees no one else', async () => {
    const rooms = (await ask('GET', '/room')).json as { id: string; name: string }[];
    const kitchen = rooms.find(({ name }) => name === 'Kitchen')?.id;
    await ask('POST', '/user', { ...GUEST, name: 'Lim', role: 'guest', rooms: [kitchen] });
    const page = await open(SMALL, GUEST);
    await page.getByRole('button', { name: 'Where you are' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Where you are' });
    await dialog.getByRole('button', { name: 'I’m home' }).tap();
    await expect.poll(() => dialog.getByRole('button', { name: 'I’m home' }).getAttribute('aria-pressed')).toBe('true');
    await dialog.getByRole('button', { name: 'Close' }).tap();
    const { people } = (await ask('GET', '/presence')).json as { people: { user: { name: string }; state: string }[] };
    expect(people.find(({ user }) => user.name === 'Lim')?.state).toBe('home');
  });
});
