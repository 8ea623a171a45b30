import { expect, test } from 'vitest';
import type { Issuer } from '#core/cause/issuer.ts';
import type { UserId } from '#core/person/user.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createModeDisks, openModeHome } from '#test/core/mode/mode-home.ts';

const HOUR_MS = 3_600_000;
const by: Issuer = { type: 'session', id: 's', userId: 'u' as UserId };
const away = (forMs: number | null, next?: string) => ({ value: 'away', by, forMs, next });
const set = (value: string) => ({ value, by, forMs: null, next: undefined });

test('a new hub is at home, and says so without writing anything', async () => {
  const { modes, disks, time } = await openModeHome();
  expect(modes.modes()).toMatchObject([{ key: 'home', value: 'home', changedBy: null, revision: 1 }]);
  expect(await disks.modes.load()).toEqual([]);
  expect(time.pendingMs()).toEqual([]);
});

test('setting a mode makes one event, which names who set it, and the mode is there after a restart', async () => {
  const home = await openModeHome();
  await home.time.advance(1_000);
  const mode = await home.modes.setMode('home', away(null));
  expect(mode).toMatchObject({ value: 'away', changedBy: by, until: null, revision: 2 });
  expect(await home.modes.setMode('home', away(null))).toBe(mode);
  expect(home.events).toEqual([{ type: 'mode.changed', mode, endMs: undefined, isGone: false }]);
  expect((await openModeHome(home.disks)).modes.findMode('home')).toEqual(mode);
});

test('a value that holds for a time is followed by the one from before, although it was set anew meanwhile', async () => {
  const home = await openModeHome();
  await home.modes.setMode('home', set('night'));
  await home.modes.setMode('home', away(HOUR_MS));
  await home.time.advance(HOUR_MS / 2);
  const again = await home.modes.setMode('home', away(HOUR_MS));
  expect(home.modes.endMs(again)).toBe(home.time.clock.wallMs() + HOUR_MS);
  await home.time.advance(HOUR_MS - 1);
  expect(home.modes.findMode('home')?.value).toBe('away');
  await home.time.advance(1);
  expect(home.modes.findMode('home')).toMatchObject({ value: 'night', changedBy: 'until', until: null });
  expect(home.time.pendingMs()).toEqual([]);
});

test('a value that is set without an end takes the end away', async () => {
  const home = await openModeHome();
  await home.modes.setMode('home', away(HOUR_MS, 'night'));
  await home.modes.setMode('home', away(null));
  await home.time.advance(2 * HOUR_MS);
  expect(home.modes.findMode('home')).toMatchObject({ value: 'away', until: null });
});

test('a value whose time was over while the hub was off ends at the start', async () => {
  const disks = createModeDisks();
  const time = createManualTime();
  const before = await openModeHome(disks, time);
  await before.modes.setMode('home', away(HOUR_MS, 'vacation'));
  before.modes.stop();
  await time.advance(HOUR_MS * 3);
  const after = await openModeHome(disks, time);
  expect(after.modes.findMode('home')).toMatchObject({ value: 'vacation', changedBy: 'until' });
  expect(after.events).toMatchObject([{ type: 'mode.changed', mode: { value: 'vacation' } }]);
});

test('a clock that is set meanwhile moves no end', async () => {
  const home = await openModeHome();
  const mode = await home.modes.setMode('home', away(HOUR_MS));
  home.state.shiftMs = 50 * 365 * 24 * HOUR_MS;
  expect(home.modes.endMs(mode)).toBe(home.time.clock.wallMs() + home.state.shiftMs + HOUR_MS);
  await home.time.advance(HOUR_MS - 1);
  expect(home.modes.findMode('home')?.value).toBe('away');
  await home.time.advance(1);
  expect(home.modes.findMode('home')?.value).toBe('home');
});

test('if the disk takes no write at the end of a value, the end is tried again each minute', async () => {
  const home = await openModeHome();
  await home.modes.setMode('home', away(HOUR_MS));
  home.disks.modes.failWith = new Error('the disk is full');
  await home.time.advance(HOUR_MS + 60_000 - 1);
  expect(home.modes.findMode('home')?.value).toBe('away');
  expect(home.lines.filter((line) => line.includes('a mode cannot be ended'))).toHaveLength(1);
  home.disks.modes.failWith = undefined;
  await home.time.advance(60_000);
  expect(home.modes.findMode('home')?.value).toBe('home');
});

test('a failed write changes nothing and makes no event', async () => {
  const home = await openModeHome();
  home.disks.modes.failWith = new Error('the disk is full');
  await expect(home.modes.setMode('home', away(null))).rejects.toThrow('the disk is full');
  expect([home.modes.findMode('home')?.value, home.events]).toEqual(['home', []]);
});

test('a value that the mode does not have is refused, and so is one to follow', async () => {
  const { modes } = await openModeHome();
  const code = 'VALIDATION_FAILED';
  await expect(modes.setMode('home', set('party'))).rejects.toMatchObject({ code });
  await expect(modes.setMode('home', away(1, 'party'))).rejects.toMatchObject({ code });
  await expect(modes.setMode('heating', set('summer'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('own values join those of `home`, which stay, and so does a value in use', async () => {
  const { modes } = await openModeHome();
  const values = ['home', 'away', 'night', 'vacation', 'party', 'guests'];
  await modes.changeMode('home', { values });
  await modes.setMode('home', { ...set('party'), forMs: 1000, next: 'guests' });
  const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' });
  for (const gone of ['night', 'party', 'guests']) {
    await expect(modes.changeMode('home', { values: values.filter((one) => one !== gone) })).rejects.toEqual(refused);
  }
  await expect(modes.removeMode('home')).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
});

test('a home has at most ten modes; the event of a removed one says that it is gone', async () => {
  const home = await openModeHome();
  const own = (key: string) => ({ key, name: key, values: ['a', 'b'], value: 'a' });
  for (let at = 1; at < 10; at += 1) await home.modes.addMode(own(`mode${at}`));
  await expect(home.modes.addMode(own('mode10'))).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  await expect(home.modes.addMode(own('mode1'))).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  await home.modes.removeMode('mode1');
  expect(home.events.at(-1)).toMatchObject({ type: 'mode.changed', mode: { key: 'mode1' }, isGone: true });
  expect(await home.modes.addMode(own('mode10'))).toMatchObject({ revision: 1 });
  const stale = home.modes.setMode('mode2', set('b'), { ifRevision: 2 });
  await expect(stale).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
});
