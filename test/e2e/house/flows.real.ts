import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';

const GUEST = { email: 'gil@example.org', password: 'a lamp in the rain' };

describe.skipIf(!needs('chromium'))('what is done every day', () => {
  const { ask, open } = usePages(async (asked) => {
    await asked('POST', '/user', { ...GUEST, name: 'Gil', role: 'guest' });
    await asked('POST', '/scene', {
      name: 'Movie night',
      icon: 'film',
      targets: [
        { device: 'living-room-lamp', set: { on: true, brightness: 15 } },
        { device: 'hallway-ceiling', set: { on: false } },
      ],
    });
    // Somebody has chosen what "All off" turns off.
    await asked('PATCH', '/device/kitchen-fridge-plug', { all_off: false });
    // The machine of the test may have a full disk.
    await asked('PATCH', '/notification/settings', { built_in: { disk_nearly_full: false } });
  });
  const valueOf = async (device: string, key: string) => (await ask('GET', `/device/${device}/feature/${key}`)).json;
  /** Taps what a thumb finds on the first screen, or after a swipe along a line of chips, and counts. */
  const createThumb = () => {
    let taps = 0;
    return {
      taps: () => taps,
      tap: async (what: Locator): Promise<void> => {
        await what.tap();
        taps += 1;
      },
    };
  };

  test('one tap turns a lamp on', async () => {
    await ask('POST', '/device/bedroom-bedside-lamp/command', { set: { on: false } });
    const page = await open(SMALL);
    const { tap, taps } = createThumb();
    await tap(page.getByRole('switch', { name: 'Bedroom: lights' }));
    await expect.poll(() => valueOf('bedroom-bedside-lamp', 'on')).toBe(true);
    expect(taps()).toBe(1);
  });

  test('one tap is a movie night', async () => {
    await ask('POST', '/device/living-room-lamp/command', { set: { on: true, brightness: 90 } });
    const page = await open(SMALL);
    const { tap, taps } = createThumb();
    await tap(page.getByRole('button', { name: /^Movie night/ }));
    await page.getByText('Movie night · 2 of 2 confirmed').waitFor();
    expect([taps(), await valueOf('living-room-lamp', 'brightness')]).toEqual([1, 15]);
  });

  test('one tap turns off the lights and not the fridge, and one more takes it back', async () => {
    await ask('POST', '/device/hallway-ceiling/command', { set: { on: false } });
    await ask('POST', '/device/kitchen-fridge-plug/command', { set: { on: true } });
    await ask('POST', '/device/living-room-lamp/command', { set: { on: true } });
    await expect.poll(() => valueOf('kitchen-fridge-plug', 'on')).toBe(true);
    await expect.poll(() => valueOf('living-room-lamp', 'on')).toBe(true);
    const page = await open(SMALL);
    const { tap, taps } = createThumb();
    await tap(page.getByRole('button', { name: /^All off/ }));
    await page.getByText(/All off · (\d+) of \1 confirmed$/).waitFor();
    expect([await valueOf('living-room-lamp', 'on'), await valueOf('kitchen-fridge-plug', 'on')]).toEqual([
      false,
      true,
    ]);
    await page.getByRole('button', { name: 'All off active' }).waitFor();
    expect(taps()).toBe(1);
    await tap(page.getByRole('button', { name: 'Undo' }));
    await page.getByText(/Undone · (\d+) of \1 confirmed$/).waitFor();
    // What was off before was not touched, and is no failure.
    expect(await page.locator('.message-detail').count()).toBe(0);
    expect([taps(), await valueOf('living-room-lamp', 'on')]).toEqual([2, true]);
  });

  test('two taps set the home to away, and a third says for how long', async () => {
    const page = await open(SMALL);
    const { tap, taps } = createThumb();
    await tap(page.getByRole('button', { name: /^Mode: Home/ }));
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Away', exact: true }));
    await expect.poll(async () => (await ask('GET', '/mode/home')).json).toMatchObject({ value: 'away', until: null });
    expect(taps()).toBe(2);
    await page.getByRole('dialog').getByLabel('For').selectOption('3 hours');
    await page.getByText(/^Until .*, then Home$/).waitFor();
    expect((await ask('GET', '/mode/home')).json).toMatchObject({ value: 'away', next: 'home' });
    await page.getByRole('dialog').getByRole('button', { name: 'Home', exact: true }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: /^Mode: Home/ }).waitFor();
    expect((await ask('GET', '/mode/home')).json).toMatchObject({ value: 'home', until: null });
  });

  test('one tap shows what needs attention, and one more takes note of it', async () => {
    await ask('POST', '/notification', { title: 'The window is open', severity: 'warning' });
    const page = await open(SMALL);
    const { tap, taps } = createThumb();
    await tap(page.getByRole('button', { name: 'Notifications: 1 needs attention' }));
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Got it: The window is open' }));
    await page.getByText('Nothing needs your attention.').waitFor();
    expect([taps(), (await ask('GET', '/notification?open=true')).json]).toEqual([
      2,
      { notifications: [], next: null },
    ]);
  });

  test('a notification offers what to do about it: one tap does it and takes note', async () => {
    await ask('POST', '/device/living-room-lamp/command', { set: { on: true } });
    await ask('POST', '/notification', {
      title: 'Everybody has left',
      actions: [
        { label: 'Leave', scene: 'all-off' },
        { label: 'Lamp off', command: { targets: { devices: ['living-room-lamp'] }, set: { on: false } } },
        { label: 'Unlock', command: { targets: { devices: ['front-door-lock'] }, set: { locked: false } } },
      ],
      to: ['role:owner', 'role:guest'],
    });
    // It is done with the rights of the person who taps.
    const guest = await open(SMALL, GUEST);
    await guest.getByRole('button', { name: 'Notifications: 1 needs attention' }).tap();
    await guest.getByRole('dialog').getByRole('button', { name: 'Unlock' }).tap();
    await guest.getByText('Your account is not allowed to do this.').waitFor();
    expect(await valueOf('front-door-lock', 'locked')).toBe(true);
    const page = await open(SMALL);
    await page.getByRole('button', { name: 'Notifications: 1 needs attention' }).tap();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Lamp off' }).tap();
    await page.getByText('Nothing needs your attention.').waitFor();
    expect(await valueOf('living-room-lamp', 'on')).toBe(false);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await page.getByText('Lamp off · 1 of 1 confirmed').waitFor();
  });

  test('somebody says that they are home or away, and everybody in the home sees it', async () => {
    const page = await open(SMALL);
    await page.getByRole('button', { name: /^Mode: Home/ }).tap();
    const dialog = page.getByRole('dialog', { name: 'Mode and people' });
    await dialog.getByRole('button', { name: 'I’m home' }).tap();
    await dialog.getByText(/^At home · /).waitFor();
    await dialog.getByRole('button', { name: 'I’m away' }).tap();
    await page.getByText('You count as away in 15 minutes, unless a device says otherwise.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: /^Mode: Home\. .* at home$/ }).waitFor();
    expect((await ask('GET', '/presence')).json).toMatchObject({ anyone: 'home' });
  });

  test('an admin chooses the devices that tell whether a person is home', async () => {
    const page = await open(SMALL);
    const { json } = await ask('GET', '/user');
    const [ada] = json as { id: string; name: string }[];
    await page.goto('/settings/people');
    await page.getByRole('link', { name: /ada/ }).getByText('At home').waitFor();
    await page.goto(`/settings/people/${ada?.id ?? ''}`);
    await page.getByRole('checkbox', { name: 'Hallway motion' }).check();
    await page.getByLabel('Counts as away after').selectOption('30 minutes');
    expect(await findingsOn(page)).toEqual([]);
    await page.locator('form', { hasText: 'Counts as away after' }).getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved').first().waitFor();
    const presence = (await ask('GET', '/presence')).json as { people: unknown[] };
    expect(presence.people).toContainEqual(
      expect.objectContaining({
        away_after_s: 1_800,
        sources: [expect.objectContaining({ key: expect.stringMatching(/motion|presence/) })],
      }),
    );
  });

  test('a guest sees the mode but cannot set it, and sees only whether somebody is home', async () => {
    const page = await open(SMALL, GUEST);
    await page.getByRole('button', { name: /^Mode: Home/ }).tap();
    const dialog = page.getByRole('dialog', { name: 'Mode and people' });
    expect(await dialog.getByRole('button', { name: 'Away', exact: true }).isDisabled()).toBe(true);
    await dialog.getByText(/^(?:Somebody|Nobody) is at home|not known$/).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(0);
    await dialog.getByRole('button', { name: 'I’m home' }).tap();
    await dialog.getByText('Somebody is at home').waitFor();
  });
});
