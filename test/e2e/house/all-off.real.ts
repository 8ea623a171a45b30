import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';

const PASSWORD = 'a lamp in the rain';
const PLUG = '/device/kitchen-fridge-plug';
/** As a browser reads devices that came years ago. */
const LONG_AGO = `{
  const parse = JSON.parse;
  JSON.parse = (text, reviver) => parse(text.replace(/"created_at":"2\\d{3}/g, '"created_at":"2020'), reviver);
}`;

describe.skipIf(!needs('chromium'))('“All off”', () => {
  const { ask, open } = usePages(async (asked) => {
    for (const role of ['guest', 'resident']) {
      await asked('POST', '/user', { email: `${role}@example.org`, password: PASSWORD, name: role, role });
    }
  });
  const marks = async () => {
    const { all_off: isIn, all_off_by: by } = (await ask('GET', PLUG)).json as Record<string, unknown>;
    return [isIn, by];
  };
  const isOn = async (device: string) => (await ask('GET', `/device/${device}/feature/on`)).json;
  const allOn = async (): Promise<void> => {
    for (const device of ['living-room-lamp', 'kitchen-fridge-plug']) {
      await ask('POST', `/device/${device}/command`, { set: { on: true } });
      await expect.poll(() => isOn(device)).toBe(true);
    }
  };
  const press = (page: Page) => page.getByRole('button', { name: /^All off/ }).tap();

  test('acts by the types for people who may not choose, without a question', async () => {
    for (const role of ['guest', 'resident']) {
      await allOn();
      const page = await open(SMALL, { email: `${role}@example.org`, password: PASSWORD });
      await press(page);
      await expect.poll(() => isOn('living-room-lamp')).toBe(false);
      expect([role, await page.getByRole('dialog').count(), await isOn('kitchen-fridge-plug')]).toEqual([
        role,
        0,
        true,
      ]);
    }
    expect(await marks()).toEqual([false, 'type']);
  });

  test('acts by the types on a tablet on the wall', async () => {
    await allOn();
    const scopes = ['device:read', 'device:control', 'event:read', 'scene:run'];
    const { json } = await ask('POST', '/api_token', { name: 'wall', scopes });
    const page = await open(SMALL);
    await page.evaluate(`localStorage.setItem('hearthd.wall', '${(json as { readonly token: string }).token}')`);
    await page.goto('/wall');
    await page.getByRole('button', { name: /^All off/ }).waitFor();
    // It may be night: somebody who comes lights the screen.
    await page.keyboard.press('Shift');
    await press(page);
    await expect.poll(() => isOn('living-room-lamp')).toBe(false);
    expect([await page.getByRole('dialog').count(), await isOn('kitchen-fridge-plug')]).toEqual([0, true]);
  });

  test('shows what it turns off before its first use, with the plugs left on, and does nothing if one thinks again', async () => {
    await allOn();
    const page = await open(SMALL);
    await press(page);
    const dialog = page.getByRole('dialog', { name: 'What All off turns off' });
    const plug = dialog.getByRole('checkbox', { name: 'Kitchen fridge plug' });
    expect([await plug.isChecked(), await dialog.getByRole('checkbox', { checked: true }).count()]).toEqual([false, 4]);
    expect(await findingsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).tap();
    expect([await isOn('living-room-lamp'), await marks()]).toEqual([true, [false, 'type']]);
    // No card: the home is of today.
    expect(await page.getByText('“All off” leaves on').count()).toBe(0);

    await press(page);
    await dialog.getByRole('checkbox', { name: 'Hallway ceiling' }).tap();
    await dialog.getByRole('button', { name: 'Turn off' }).tap();
    await page.getByText(/^All off · /).waitFor();
    expect([await isOn('living-room-lamp'), await isOn('kitchen-fridge-plug')]).toEqual([false, true]);
    expect(await marks()).toEqual([false, 'person']);
    expect((await ask('GET', '/device/hallway-ceiling')).json).toMatchObject({ all_off: false, all_off_by: 'person' });
    // What nobody changed is still left to its type.
    expect((await ask('GET', '/device/kitchen-ceiling')).json).toMatchObject({ all_off: true, all_off_by: 'type' });

    await allOn();
    await press(page);
    await expect.poll(() => isOn('living-room-lamp')).toBe(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await ask('PATCH', PLUG, { all_off: null });
    expect(await marks()).toEqual([false, 'type']);
  });

  test('says in a home from before what it leaves on, until somebody has chosen in two taps', async () => {
    await ask('PATCH', PLUG, { all_off: null });
    await allOn();
    const page = await open(SMALL);
    await page.addInitScript(LONG_AGO);
    await page.goto('/');
    await page.getByText('“All off” leaves on: Kitchen fridge plug.').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).tap();
    await page.getByText('“All off” leaves on').waitFor({ state: 'detached' });
    expect([await marks(), await isOn('living-room-lamp')]).toEqual([[false, 'person'], true]);
    // A resident, who may not choose, reads no card.
    await ask('PATCH', PLUG, { all_off: null });
    const other = await open(SMALL, { email: 'resident@example.org', password: PASSWORD });
    await other.addInitScript(LONG_AGO);
    await other.goto('/');
    await other.getByRole('heading', { name: 'Rooms' }).waitFor();
    expect(await other.getByText('“All off” leaves on').count()).toBe(0);
  });
});
