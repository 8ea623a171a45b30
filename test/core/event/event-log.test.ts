import { array, assert, constantFrom, integer, property, record, subarray } from 'fast-check';
import { expect, test } from 'vitest';
import type { Room, RoomId } from '#core/room/room.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createEventLog, dataOf, type EventKind, type EventKinds, kindOfType } from '#core/event/event-log.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const room: Room = { id: 'r1' as RoomId, selector: 'r', name: 'Room', revision: 1, createdAtMs: 0, updatedAtMs: 0 };
const roomEvent: HomeEvent = { type: 'room.changed', room };
const SAMPLES: Readonly<Record<EventKind, HomeEvent>> = {
  // The log reads only the room of a device.
  feature: { type: 'feature.changed', device: { id: 'd1', roomId: null }, key: 'on', state: {} } as never,
  inventory: roomEvent,
  passing: { type: 'integration.changed', integration: 'a', status: { state: 'off', sinceMs: 0, error: null } },
  asked: { type: 'automation.run.dull', automation: {} as never, run: 'r', phase: 'finished', outcome: 'not_met' },
};
const KINDS = Object.keys(SAMPLES) as EventKind[];

function openLog(capacity: number, maxBytes = Number.POSITIVE_INFINITY, size = 10) {
  let encoded = 0;
  const ring = { capacity, maxBytes };
  const log = createEventLog({
    startLater: (run) => void setImmediate(run),
    epoch: 'run1',
    sizes: { feature: ring, inventory: ring, passing: ring, asked: ring },
    monotonicMs: () => 0,
    rightOf: () => null,
    log: createRecordingLog().log,
    encode: () => {
      encoded += 1;
      const frame = Buffer.from(`event ${encoded}`.padEnd(size));
      return { frame, dataFrom: 0, dataTo: frame.length };
    },
  });
  const append = (count: number, event = roomEvent): void => {
    for (let index = 0; index < count; index += 1) log.append(event);
  };
  const kept = (position = 0, kinds?: EventKinds): number[] =>
    [...log.after(position, kinds)].map(({ sequence }) => sequence);
  return { log, append, kept, encoded: () => encoded };
}

test('keeps the newest events, numbered without a gap, and knows the position after which it has all of them', () => {
  assert(
    property(integer({ min: 1, max: 8 }), integer({ min: 0, max: 30 }), (capacity, count) => {
      const { log, append, kept } = openLog(capacity);
      append(count);
      const oldest = Math.max(0, count - capacity);
      expect(log.oldestPosition()).toBe(oldest);
      expect(kept()).toEqual(Array.from({ length: count - oldest }, (_, index) => oldest + index + 1));
    }),
  );
});

test('drops the oldest events if all together are too large, but never the newest', () => {
  const { log, append, kept } = openLog(100, 35);
  append(10);
  expect(kept()).toEqual([8, 9, 10]);
  const large = openLog(100, 5);
  large.append(3);
  expect(large.kept()).toEqual([3]);
  expect(log.locate('run1-6')).toBe('too_old');
});

const runs = array(record({ kind: constantFrom(...KINDS), count: integer({ min: 1, max: 12 }) }), { maxLength: 30 });

test('with any events of any kinds, a reader gets each event of its kinds or learns that some are lost', () => {
  assert(
    property(
      record({ capacity: integer({ min: 1, max: 9 }), maxBytes: constantFrom(20, 70, Number.POSITIVE_INFINITY) }),
      runs,
      record({ wanted: subarray(KINDS), from: integer({ min: 0, max: 120 }) }),
      ({ capacity, maxBytes }, appended, { wanted, from }) => {
        const { log, append, kept } = openLog(capacity, maxBytes);
        // The model: all events so far, and how many of the newest of each kind the log keeps.
        const all: EventKind[] = [];
        for (const { kind, count } of appended) {
          append(count, SAMPLES[kind]);
          all.push(...Array.from({ length: count }, () => kind));
        }
        const room = Math.max(1, Math.min(capacity, Math.floor(maxBytes / 10)));
        const numbersOf = (kind: EventKind): number[] => all.flatMap((one, at) => (one === kind ? [at + 1] : []));
        const gone = new Set(KINDS.flatMap((kind) => numbersOf(kind).slice(0, -room)));
        const kinds = new Set(wanted);
        const position = Math.min(from, all.length);
        const owed = all.flatMap((kind, at) => (kinds.has(kind) && at + 1 > position ? [at + 1] : []));
        const isLost = log.locate(`run1-${position}`, kinds) === 'too_old';
        expect(isLost).toBe(owed.some((sequence) => gone.has(sequence)));
        expect(kept(position, kinds)).toEqual(owed.filter((sequence) => !gone.has(sequence)));
        expect(kept(position, new Set(KINDS.filter((kind) => kind !== 'asked')))).toEqual(kept(position));
      },
    ),
    searchOf(500),
  );
});

test('events that change no device do not displace events of devices and features', () => {
  const { log, append, kept } = openLog(100);
  append(1, SAMPLES.inventory);
  append(1, SAMPLES.feature);
  append(100_000, SAMPLES.passing);
  expect(kept(0, new Set(['feature', 'inventory']))).toEqual([1, 2]);
  expect(log.locate('run1-0', new Set(['feature', 'inventory']))).toBe(0);
  expect(log.locate('run1-0')).toBe('too_old');
});

test('events that a client has to ask for reach no other, and displace none', () => {
  const { log, append, kept } = openLog(8);
  append(1);
  append(20, SAMPLES.asked);
  expect([kept(), kept(0, new Set(['inventory', 'asked'])).length, log.locate('run1-0')]).toEqual([[1], 9, 0]);
  expect(log.locate('run1-0', new Set(['asked']))).toBe('too_old');
});

test('each type has a kind, and an event for a single login is sent but not kept', () => {
  const { log, append, kept } = openLog(8);
  const heard: number[] = [];
  log.subscribe((_event, { sequence }) => heard.push(sequence));
  append(1);
  append(20, { type: 'session.revoked', sessionId: 's', userId: 'u' });
  append(1);
  expect([heard.length, kept(), log.oldestPosition()]).toEqual([22, [1, 22], 0]);
  expect(Object.values(SAMPLES).map(({ type }) => kindOfType(type))).toEqual(KINDS);
});

test.each([
  ['run1-3', 3],
  ['run1-10', 10],
  ['run1-2', 2],
  ['run1-1', 'too_old'],
  ['run1-11', 'unknown_cursor'],
  ['run0-3', 'restarted'],
  ['run1-', 'unknown_cursor'],
  ['3', 'unknown_cursor'],
  ['RUN1-3', 'unknown_cursor'],
  ['run1-99999999999999999999', 'unknown_cursor'],
])('locates the cursor %s: %s', (cursor, expected) => {
  const { log, append } = openLog(8);
  append(10);
  expect(log.locate(cursor)).toBe(expected);
});

test('encodes each event once, for all readers, as it was when it happened', () => {
  const { log, append, encoded } = openLog(8);
  const heard: string[] = [];
  const stop = log.subscribe((event, kept) => heard.push(`${event.type} ${dataOf(kept).trim()}`));
  append(2);
  stop();
  append(1);
  expect(heard).toEqual(['room.changed event 1', 'room.changed event 2']);
  const frame = (): Buffer | undefined => [...log.after(1)][0]?.frame;
  expect(frame()).toBe(frame());
  expect([encoded(), log.cursor()]).toEqual([3, 'run1-3']);
});

test('what is kept holds the memory of its own frames and no other', () => {
  const count = 1_000;
  const { log, append } = openLog(count, undefined, 100);
  for (let index = 0; index < count; index += 1) {
    append(1);
    Buffer.from('something that is gone at once'.repeat(100));
  }
  const memory = new Set([...log.after(0)].map(({ frame }) => frame.buffer));
  const held = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(held).toBeLessThan(count * 100 + 64 * 1024);
});

test('the bytes of frequent events are made once others have had their turn, or when somebody reads them', async () => {
  const { log, append, encoded, kept } = openLog(100);
  append(2, SAMPLES.feature);
  expect(encoded()).toBe(0);
  append(1);
  expect(encoded()).toBe(3);
  append(2, SAMPLES.feature);
  expect([encoded(), kept(), encoded()]).toEqual([3, [1, 2, 3, 4, 5], 5]);
  append(1, SAMPLES.feature);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(encoded()).toBe(6);
  const frames: string[] = [];
  log.subscribe((_event, { frame }) => frames.push(frame.toString().trim()));
  append(1, SAMPLES.feature);
  expect([frames, kept(6), encoded()]).toEqual([['event 7'], [7], 7]);
});

test('counts a small change of a value without making its bytes, and as much as once they are made', () => {
  const { log, encoded } = openLog(100);
  const changed = (value: unknown): void =>
    log.append({ ...SAMPLES.feature, state: { value } } as unknown as HomeEvent);
  for (const value of [1, true, null, 'cool']) changed(value);
  expect([log.volume(), encoded()]).toEqual([4, 0]);
  log.oldestPosition();
  expect([log.volume(), encoded()]).toEqual([4, 4]);
  // These may be large, and a device pays for what it sends.
  for (const value of ['x'.repeat(2_000), ['x']]) changed(value);
  expect([log.volume(), encoded()]).toEqual([6, 6]);
});
