import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import type { Room, RoomId } from '#core/device.ts';
import type { HomeEvent } from '#core/event.ts';
import { createEventLog } from '#core/event-log.ts';
import { createRecordingLog } from '#test/support/recording-log.ts';

const room: Room = { id: 'r1' as RoomId, selector: 'r', name: 'Room', revision: 1, createdAtMs: 0, updatedAtMs: 0 };
const roomEvent: HomeEvent = { type: 'room.changed', room };

function openLog(capacity: number, maxBytes = Number.POSITIVE_INFINITY, size = 10) {
  let encoded = 0;
  const log = createEventLog({
    epoch: 'run1',
    capacity,
    maxBytes,
    monotonicMs: () => 0,
    log: createRecordingLog().log,
    encode: (_event, cursor) => {
      encoded += 1;
      return Buffer.from(cursor.padEnd(size));
    },
  });
  const append = (count: number): void => {
    for (let index = 0; index < count; index += 1) log.append(roomEvent);
  };
  const kept = (): number[] => {
    const found: number[] = [];
    for (let sequence = 0; sequence <= log.lastSequence() + 1; sequence += 1) {
      const event = log.find(sequence);
      if (event !== undefined) found.push(event.sequence);
    }
    return found;
  };
  return { log, append, kept, encoded: () => encoded };
}

test('keeps the newest events, numbered without a hole, and knows after which place it has them all', () => {
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

test('lets go of the oldest where all together are too large, but never of the newest', () => {
  const { log, append, kept } = openLog(100, 35);
  append(10);
  expect(kept()).toEqual([8, 9, 10]);
  const large = openLog(100, 5);
  large.append(3);
  expect(large.kept()).toEqual([3]);
  expect(log.locate('run1-6')).toBe('too_old');
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
])('of the cursor %s it says %s', (cursor, expected) => {
  const { log, append } = openLog(8);
  append(10);
  expect(log.locate(cursor)).toBe(expected);
});

test('encodes each event once, whoever reads it, as it was when it happened', () => {
  const { log, append, encoded } = openLog(8);
  const heard: string[] = [];
  const stop = log.subscribe((event, kept) => heard.push(`${event.type} ${kept.bytes.toString().trim()}`));
  append(2);
  stop();
  append(1);
  expect(heard).toEqual(['room.changed run1-1', 'room.changed run1-2']);
  expect(log.find(2)?.bytes).toBe(log.find(2)?.bytes);
  expect([encoded(), log.cursor()]).toEqual([3, 'run1-3']);
});
