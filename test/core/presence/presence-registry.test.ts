import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { User, UserId } from '#core/person/user.ts';
import { anyoneHome, type Presence } from '#core/presence/presence.ts';
import { openPresenceRegistry } from '#core/presence/presence-registry.ts';
import { createKeyedDisk } from '#test/core/mode/mode-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const ADA = 'ada' as UserId;
const GRACE_MS = 900_000;
const TAG = { deviceId: 'tag' as DeviceId, key: 'presence' };
const BED = { deviceId: 'bed' as DeviceId, key: 'motion' };
type Said = boolean | undefined;

/** Ada, with a tag that tells presence and a sensor of motion. `undefined` is a device that cannot be reached. */
async function openHome(disk = createKeyedDisk<Presence>(), time = createManualTime(), said = new Map<string, Said>()) {
  const events: HomeEvent[] = [];
  const users = new Map([[ADA, { id: ADA, name: 'Ada' } as User]]);
  const lost = new Set<DeviceId>();
  const findDevice = (id: DeviceId): Device | undefined => {
    const value = said.get(id);
    const key = id === TAG.deviceId ? TAG.key : BED.key;
    return {
      id,
      features: [{ key, capability: key }],
      availability: lost.has(id)
        ? { state: 'unknown', reason: 'integration_down' }
        : { state: value === undefined ? 'offline' : 'online', reason: null },
      states: new Map([[key, { value: value ?? false, quality: 'confirmed' }]]),
    } as unknown as Device;
  };
  let writes = 0;
  const hooks = { save: disk.save };
  const presence = await openPresenceRegistry({
    store: {
      ...disk,
      save: (item) => {
        writes += 1;
        return hooks.save(item);
      },
    },
    turn: createTurnQueue(),
    hubClock: {
      nowMs: time.clock.wallMs,
      epoch: () => 'e',
      nowInEpochMs: (epoch) => (epoch === 'e' ? time.clock.monotonicMs() : undefined),
    },
    startTimer: time.startTimer,
    findUser: (id) => users.get(id),
    findDevice,
    emit: (event) => void events.push(event),
    log: createRecordingLog().log,
  });
  const say = async (id: DeviceId, value: Said): Promise<void> => {
    said.set(id, value);
    const device = findDevice(id);
    if (device === undefined) throw new Error('there is no such device');
    presence.notice({ type: 'availability.changed', device, availability: device.availability });
    await time.advance(0);
  };
  return {
    presence,
    time,
    disk,
    said,
    lost,
    events,
    users,
    hooks,
    say,
    state: () => presence.presenceOf(ADA).state,
    writes: () => writes,
  };
}

async function openWithSources(sources = [TAG, BED]) {
  const home = await openHome();
  await home.presence.change(ADA, { sources });
  return home;
}

test('nothing is known of a new person, and nothing is written', async () => {
  const home = await openHome();
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'unknown', evidence: null });
  expect([home.writes(), home.time.pendingMs()]).toEqual([0, []]);
});

test('who says so is at home at once, and away after 15 minutes', async () => {
  const home = await openHome();
  await home.presence.tell(ADA, 'home');
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'home', evidence: 'told' });
  await home.presence.tell(ADA, 'away');
  await home.time.advance(GRACE_MS - 1);
  expect(home.state()).toBe('home');
  await home.time.advance(1);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'away', evidence: 'told' });
  expect(home.events.map((event) => event.type === 'presence.changed' && event.presence.state)).toEqual([
    'home',
    'away',
  ]);
});

test('who comes back in time was never away', async () => {
  const home = await openHome();
  await home.presence.tell(ADA, 'home');
  await home.presence.tell(ADA, 'away');
  await home.time.advance(GRACE_MS - 1);
  await home.presence.tell(ADA, 'home');
  await home.time.advance(GRACE_MS * 2);
  expect(home.state()).toBe('home');
  expect(home.events).toHaveLength(1);
});

test('a device that sees the person contradicts the word that they left, until it sees them no more', async () => {
  const home = await openWithSources();
  await home.say(BED.deviceId, true);
  await home.presence.tell(ADA, 'away');
  await home.time.advance(GRACE_MS * 2);
  expect(home.state()).toBe('home');
  await home.say(BED.deviceId, false);
  await home.time.advance(GRACE_MS);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'away', evidence: 'told' });
});

test('a sensor of motion that sees nobody is no word that somebody left', async () => {
  const home = await openWithSources([BED]);
  await home.say(BED.deviceId, true);
  await home.say(BED.deviceId, false);
  await home.time.advance(GRACE_MS * 4);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'home', evidence: 'device' });
});

test('a person whose devices are all silent is neither at home nor away', async () => {
  const home = await openWithSources();
  await home.say(TAG.deviceId, true);
  await home.say(TAG.deviceId, undefined);
  await home.time.advance(GRACE_MS - 1);
  expect(home.state()).toBe('home');
  await home.time.advance(1);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'unknown', evidence: null });
});

test('who took their tag along is away once the sensor of motion sees them no more', async () => {
  const home = await openWithSources();
  await home.say(TAG.deviceId, true);
  await home.say(BED.deviceId, true);
  await home.say(TAG.deviceId, false);
  await home.time.advance(GRACE_MS * 2);
  expect(home.state()).toBe('home');
  await home.say(BED.deviceId, false);
  await home.time.advance(GRACE_MS - 1);
  expect(home.state()).toBe('home');
  await home.time.advance(1);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'away', evidence: 'device' });
});

test('who says that they are at home stays so beside a tag that said the opposite before', async () => {
  const home = await openWithSources();
  await home.say(TAG.deviceId, false);
  await home.presence.tell(ADA, 'home');
  await home.say(BED.deviceId, true);
  await home.say(BED.deviceId, false);
  await home.time.advance(GRACE_MS * 2);
  expect(home.state()).toBe('home');
  await home.say(TAG.deviceId, true);
  await home.say(TAG.deviceId, false);
  await home.time.advance(GRACE_MS);
  expect(home.state()).toBe('away');
});

test('a tag whose bridge is lost says nothing', async () => {
  const home = await openWithSources([TAG]);
  await home.say(TAG.deviceId, true);
  home.lost.add(TAG.deviceId);
  await home.say(TAG.deviceId, true);
  await home.time.advance(GRACE_MS);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'unknown', evidence: null });
});

test('a restless device writes nothing', async () => {
  const home = await openWithSources();
  await home.say(TAG.deviceId, true);
  const before = home.writes();
  for (let at = 0; at < 100; at += 1) await home.say(TAG.deviceId, at % 2 === 1);
  await home.say(TAG.deviceId, true);
  expect(home.writes()).toBe(before);
});

test('the word of a person from before a restart counts at its time', async () => {
  const before = await openHome();
  await before.presence.tell(ADA, 'home');
  await before.presence.tell(ADA, 'away');
  before.presence.stop();
  await before.time.advance(GRACE_MS / 2);
  const after = await openHome(before.disk, before.time);
  expect(after.state()).toBe('home');
  await after.time.advance(GRACE_MS / 2);
  expect(after.state()).toBe('away');
});

test('a device that is silent after a restart leaves what it said in doubt', async () => {
  const before = await openWithSources([TAG]);
  await before.say(TAG.deviceId, true);
  before.presence.stop();
  const after = await openHome(before.disk, before.time);
  await after.time.advance(GRACE_MS);
  expect(after.state()).toBe('unknown');
});

test.each([
  { name: 'a tag that says away', source: TAG, was: false, state: 'away' },
  { name: 'a sensor of motion that sees nobody', source: BED, was: true, state: 'home' },
])('$name leaves no doubt once it is heard after a restart', async ({ source, was, state }) => {
  const before = await openWithSources([source]);
  await before.say(source.deviceId, true);
  await before.say(source.deviceId, was);
  await before.time.advance(GRACE_MS);
  expect(before.state()).toBe(state);
  before.presence.stop();
  const after = await openHome(before.disk, before.time);
  await after.say(source.deviceId, false);
  await after.time.advance(2 * GRACE_MS);
  expect(after.state()).toBe(state);
});

test('who is away by a tag is so only as long as it is heard', async () => {
  const home = await openWithSources([TAG]);
  await home.say(TAG.deviceId, true);
  await home.say(TAG.deviceId, false);
  await home.time.advance(GRACE_MS);
  await home.say(TAG.deviceId, undefined);
  await home.time.advance(GRACE_MS - 1);
  await home.say(TAG.deviceId, false);
  await home.time.advance(GRACE_MS);
  expect(home.state()).toBe('away');
  await home.say(TAG.deviceId, undefined);
  await home.time.advance(GRACE_MS);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'unknown', evidence: null });
});

test('a removed person has no presence and no timer that writes', async () => {
  const home = await openHome();
  await home.presence.tell(ADA, 'home');
  await home.presence.tell(ADA, 'away');
  const before = home.writes();
  home.users.delete(ADA);
  await home.time.advance(GRACE_MS);
  expect(home.writes()).toBe(before);
  await expect(home.presence.tell('eve' as UserId, 'home')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('who was removed while their change was written is nobody, and nothing is logged', async () => {
  const home = await openHome();
  await home.presence.tell(ADA, 'home');
  home.hooks.save = async () => {
    home.users.delete(ADA);
    throw new Error('FOREIGN KEY constraint failed');
  };
  await expect(home.presence.change(ADA, { awayAfterS: 60 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const eve = 'eve' as UserId;
  home.users.set(eve, { id: eve, name: 'Eve' } as User);
  home.hooks.save = async () => {
    home.users.delete(eve);
    throw new Error('FOREIGN KEY constraint failed');
  };
  await expect(home.presence.tell(eve, 'home')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('what a full disk did not take is written once there is room', async () => {
  const home = await openWithSources([TAG]);
  home.disk.failWith = new Error('the disk is full');
  await home.say(TAG.deviceId, true);
  await home.time.advance(59_000);
  expect(home.state()).toBe('unknown');
  home.disk.failWith = undefined;
  await home.time.advance(1_000);
  expect(home.presence.presenceOf(ADA)).toMatchObject({ state: 'home', evidence: 'device' });
  expect(home.time.pendingMs()).toEqual([]);
});

test('of two changes that the disk did not take only the later is tried again', async () => {
  const home = await openWithSources();
  const { save } = home.hooks;
  home.hooks.save = () => Promise.reject(new Error('the disk is full'));
  await Promise.all([home.say(TAG.deviceId, true), home.say(BED.deviceId, true)]);
  expect(home.state()).toBe('unknown');
  expect(home.time.pendingMs()).toHaveLength(1);
  home.hooks.save = save;
  await home.time.advance(60_000);
  expect([home.state(), home.time.pendingMs()]).toEqual(['home', []]);
});

test('a source that was taken away and is given again is heard', async () => {
  const home = await openWithSources([TAG]);
  await home.say(TAG.deviceId, true);
  await home.presence.change(ADA, { sources: [] });
  await home.presence.tell(ADA, 'away');
  await home.time.advance(GRACE_MS);
  expect(home.state()).toBe('away');
  await home.presence.change(ADA, { sources: [TAG] });
  await home.time.advance(0);
  expect(home.state()).toBe('home');
});

test('anyone is home if one person is, and away only if all are', () => {
  expect([
    anyoneHome(['away', 'home', 'unknown']),
    anyoneHome(['away', 'away']),
    anyoneHome(['away', 'unknown']),
    anyoneHome([]),
  ]).toEqual(['home', 'away', 'unknown', 'unknown']);
});

/** What happens in a random history: a word, a wait in shares of Ada's time, or what a device says. */
const step = fc.oneof(
  fc.record({ told: fc.constantFrom('home' as const, 'away' as const) }),
  fc.record({ waitShare: fc.integer({ min: 1, max: 150 }) }),
  fc.record({ device: fc.constantFrom(TAG.deviceId, BED.deviceId), says: fc.constantFrom(true, false, undefined) }),
);

test('in random histories nobody is away whom a device sees, and nobody leaves sooner than their time', async () => {
  const holds = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const home = await openWithSources();
    let seenMs = home.time.clock.wallMs();
    for (const one of steps) {
      const before = home.state();
      if ('told' in one) await home.presence.tell(ADA, one.told);
      else if ('waitShare' in one) await home.time.advance((GRACE_MS * one.waitShare) / 100);
      else await home.say(one.device, one.says);
      const isSeen = [...home.said.values()].includes(true);
      expect(isSeen && home.state() !== 'home').toBe(false);
      const { state, sinceMs } = home.presence.presenceOf(ADA);
      const hasLeft = state !== 'home' && before === 'home';
      expect(hasLeft && sinceMs - seenMs < GRACE_MS).toBe(false);
      if (isSeen || ('told' in one && one.told === 'home')) seenMs = home.time.clock.wallMs();
    }
    home.presence.stop();
    expect(home.time.pendingMs()).toEqual([]);
  });
  await fc.assert(holds, searchOf(2_000));
});
