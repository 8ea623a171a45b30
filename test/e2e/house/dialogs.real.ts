import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';

const GUEST = { email: 'gil@example.org', password: 'a lamp in the rain' };
const RESIDENT = { email: 'rea@example.org', password: 'a lamp in the rain' };

describe.skipIf(!needs('chromium'))('a dialog', () => {
  const { ask, open } = usePages(async (asked) => {
    const { json } = await asked('GET', '/room/bedroom');
    const rooms = [(json as { readonly id: string }).id];
    await asked('POST', '/user', { ...GUEST, name: 'Gil', role: 'guest', rooms });
    await asked('POST', '/user', { ...RESIDENT, name: 'Rea', role: 'resident' });
    await asked('PATCH', '/notification/settings', { built_in: { disk_nearly_full: false } });
  });
  const report = (values: object, name = 'Washing machine') =>
    ask('PUT', '/provider/leak/device/bath', {
      name,
      type: 'water_leak_detector',
      features: [{ key: 'water_leak', capability: 'water_leak' }],
      values,
    });

  test('is closed by its cross, a pull at its head, a tap beside it and Escape, and by no button in it', async () => {
    const page = await open(SMALL);
    const dialog = page.getByRole('dialog');
    const ways: readonly (() => Promise<unknown>)[] = [
      () => dialog.getByRole('button', { name: 'Close' }).tap(),
      () => pull(page, dialog, 120),
      () => page.touchscreen.tap(20, 20),
      () => page.keyboard.press('Escape'),
    ];
    const openIt = async (name: RegExp | string): Promise<void> => {
      // A browser takes a tap right after a swipe for the end of it.
      const tapped = async (): Promise<number> => {
        if ((await dialog.count()) === 0) await page.getByRole('button', { name }).first().tap();
        return dialog.count();
      };
      await expect.poll(tapped).toBe(1);
      expect(await dialog.getByRole('button', { name: /close|done/i }).count()).toBe(1);
    };
    for (const close of ways) {
      await openIt(/^Mode: Home/);
      await close();
      await dialog.waitFor({ state: 'detached' });
    }
    for (const name of ['Notifications', /^Search$/]) {
      await openIt(name);
      await dialog.getByRole('button', { name: 'Close' }).tap();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('stays open after a short pull, and its head stays in sight where it is long', async () => {
    await ask('POST', '/device/living-room-lamp/command', { set: { on: true } });
    const page = await open({ ...SMALL, viewport: { width: 390, height: 420 } });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: /^Mode: Home/ }).click();
    await pull(page, dialog, 30);
    expect(await dialog.getAttribute('style')).toBe('');
    await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('of the lights has a switch for each, and one that goes out stays to be lit again', async () => {
    for (const lamp of ['living-room-lamp', 'kitchen-ceiling']) {
      await ask('POST', `/device/${lamp}/command`, { set: { on: true } });
    }
    const page = await open(SMALL);
    await page.getByRole('button', { name: /lights on$/ }).tap();
    const dialog = page.getByRole('dialog');
    const lamp = dialog.getByRole('switch', { name: 'Living room lamp' });
    const isOn = async () => (await ask('GET', '/device/living-room-lamp/feature/on')).json;
    await lamp.tap();
    await expect.poll(isOn).toBe(false);
    expect(await lamp.getAttribute('aria-checked')).toBe('false');
    expect(await findingsOn(page)).toEqual([]);
    await lamp.tap();
    await expect.poll(isOn).toBe(true);
    await dialog.getByRole('button', { name: 'Lights off' }).tap();
    await expect.poll(isOn).toBe(false);
  });

  test('tells a guest of one room that there is water in another, and of nothing else there', async () => {
    await report({ water_leak: false });
    await ask('PATCH', '/device/washing-machine', { room: 'kitchen' });
    const page = await open(SMALL, GUEST);
    await page.getByText('All is well').waitFor();
    await report({ water_leak: true });
    await page.getByRole('alert').getByText('Water: Kitchen', { exact: true }).waitFor();
    await page.getByText('All is well').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Notifications: 1 needs attention' }).tap();
    await page.getByRole('dialog').getByText('Water: Kitchen', { exact: true }).waitFor();
    // It is not the guest's to silence, and its device is not there for the guest.
    expect(await page.getByRole('button', { name: /^Got it/ }).count()).toBe(0);
    expect(await page.getByText('Washing machine').count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    const home = await open(SMALL, RESIDENT);
    await home.getByRole('button', { name: 'Got it: Water: Kitchen – Washing machine' }).first().tap();
    await home.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByText('Water: Kitchen', { exact: true }).count()).toBeGreaterThan(0);
    await report({ water_leak: false });
    await page.getByText('All is well').waitFor();
  });
});

/** A finger on the head of the dialog, moved down. */
async function pull(page: Page, dialog: Locator, byPx: number): Promise<void> {
  const box = await dialog.getByRole('heading').first().boundingBox();
  if (box === null) throw new Error('the dialog has no head');
  const [x, y] = [box.x + 20, box.y + box.height / 2];
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', down: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + down }] });
  await touch('touchStart', 0);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', byPx * part);
  await touch('touchEnd', byPx);
  await session.detach();
}
