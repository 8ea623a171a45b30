import { expect, test } from 'vitest';
import type { SampleValue } from '#core/past/history/sample.ts';
import { createRecordingBudget } from '#core/past/history/tracks/recording-budget.ts';

const DAY_MS = 86_400_000;
const TEXT = 'x'.repeat(4_096);
const START_MS = Date.UTC(2026, 10, 3);

function createWorld() {
  const time = { nowMs: START_MS };
  const told: (readonly [kind: string, id: string, reason: string, isPaused: boolean])[] = [];
  const months: number[] = [];
  const budget = createRecordingBudget({
    nowMs: () => time.nowMs,
    isScript: (integration) => integration === 'script',
    onPaused: ({ kind, id, reason }, isPaused) => void told.push([kind, id, reason, isPaused]),
    onMonth: () => void months.push(time.nowMs),
  });
  /** How many of these values are taken. */
  const takeMany = (id: string, integration: string, values: readonly SampleValue[]): number =>
    values.filter((value) => budget.take({ id, integration }, value)).length;
  return { ...budget, time, told, months, takeMany };
}

test('a meter with thirty numbers a second loses none of a day', () => {
  const { takeMany, told } = createWorld();
  const second = Array.from({ length: 30 }, (_, index) => index);
  let taken = 0;
  for (let seconds = 0; seconds < 86_400; seconds += 1) taken += takeMany('meter', 'script', second);
  expect(taken).toBe(30 * 86_400);
  expect(told).toEqual([]);
});

test('the hub reports a device that floods the history once, and the device has room again on the next day', () => {
  const { takeMany, told, time } = createWorld();
  const flood = Array.from({ length: 10_000 }, () => TEXT);
  const taken = takeMany('tracker', 'mqtt', flood);
  expect(taken * TEXT.length).toBeLessThan(50_000_000);
  expect(taken).toBeGreaterThan(5_000);
  expect(takeMany('lamp', 'mqtt', [1])).toBe(1);
  expect(told).toEqual([['device', 'tracker', 'day', true]]);
  time.nowMs += DAY_MS;
  expect(takeMany('lamp', 'mqtt', [1])).toBe(1);
  expect(told).toEqual([
    ['device', 'tracker', 'day', true],
    ['device', 'tracker', 'day', false],
  ]);
  expect(takeMany('tracker', 'mqtt', flood.slice(0, 100))).toBe(100);
});

test('the devices of a script share a day, however many it invents', () => {
  const { takeMany, told, time } = createWorld();
  let bytes = 0;
  const flood = Array.from({ length: 1_000 }, () => TEXT);
  for (let device = 0; device < 100; device += 1) bytes += takeMany(`d${device}`, 'script', flood) * TEXT.length;
  expect(bytes).toBeLessThan(100_000_000);
  expect(takeMany('other', 'mqtt', [TEXT])).toBe(1);
  time.nowMs += DAY_MS;
  expect(takeMany('d1', 'script', [TEXT])).toBe(1);
  expect(told, 'once for the script').toEqual([
    ['integration', 'script', 'day', true],
    ['integration', 'script', 'day', false],
  ]);
});

/** A disk that has what was taken, as a look at it tells. */
function createMonth(maxBytes: number) {
  const world = createWorld();
  const disk = { bytes: 0, ofDevices: new Map<string, number>(), ofIntegrations: new Map<string, number>() };
  const look = (limit = maxBytes): void => {
    const use = { ...disk, ofDevices: new Map(disk.ofDevices), ofIntegrations: new Map(disk.ofIntegrations) };
    world.noteMonth({ atMs: world.time.nowMs, use, maxBytes: limit });
  };
  const put = (id: string, integration: string, bytes: number): void => {
    disk.bytes += bytes;
    for (const [counts, name] of [
      [disk.ofDevices, id],
      [disk.ofIntegrations, integration],
    ] as const)
      counts.set(name, (counts.get(name) ?? 0) + bytes);
  };
  look();
  return {
    ...world,
    disk,
    look,
    put,
    /** Reports until nothing is taken any more, and returns how many bytes that were; the disk is asked now and then. */
    flood: (id: string, integration: string): number => {
      let taken = 0;
      for (let count = 0; world.takeMany(id, integration, [1]) === 1; count += 1) {
        taken += 16;
        put(id, integration, 16);
        if (count % 1_000 === 0) look();
      }
      return taken;
    },
  };
}

test('a device alone gets to a quarter of the month, and the next one to a quarter of the rest', () => {
  const { flood, disk, takeMany, told, paused } = createMonth(1_000_000);
  expect(flood('first', 'a')).toBeCloseTo(250_000, -3);
  expect(flood('second', 'b')).toBeCloseTo(187_500, -3);
  for (let at = 0; at < 50; at += 1) flood(`other-${at}`, `i${at}`);
  expect(disk.bytes, 'the month is never full').toBeLessThan(1_000_000);
  expect(told.slice(0, 2)).toEqual([
    ['device', 'first', 'month', true],
    ['device', 'second', 'month', true],
  ]);
  expect(paused()[0]).toEqual({ kind: 'device', id: 'first', reason: 'month', sinceMs: START_MS });
  expect(takeMany('first', 'a', [1])).toBe(0);
});

test('a sensor finds room beside devices that flood the month, of its own integration too', () => {
  const { flood, takeMany, put, look, disk } = createMonth(1_000_000);
  for (let at = 0; at < 12; at += 1) flood(`flood-${at}`, 'zigbee');
  expect(disk.ofIntegrations.get('zigbee'), 'all of an integration get to a half').toBeCloseTo(500_000, -3);
  look();
  for (let hour = 0; hour < 1_000; hour += 1) {
    expect(takeMany('sensor', 'hue', [hour])).toBe(1);
    put('sensor', 'hue', 16);
  }
});

test('what a script has is counted for it, and neither invented nor removed devices give it more', () => {
  const { flood, told, disk } = createMonth(1_000_000);
  for (let at = 0; at < 40; at += 1) {
    flood(`d${at}`, 'script');
    // Removed: the hub knows still where it was from.
    disk.ofDevices.delete(`d${at}`);
  }
  expect(disk.bytes).toBeLessThanOrEqual(250_000);
  expect(told).toEqual([['integration', 'script', 'month', true]]);
});

test('the next month has all of its room, and figures of the one before count no more', () => {
  const { flood, look, time, months, told, takeMany, noteMonth, disk } = createMonth(1_000_000);
  flood('first', 'a');
  time.nowMs = Date.UTC(2026, 11, 1) - 1;
  expect(takeMany('first', 'a', [1])).toBe(0);
  time.nowMs += 1;
  expect(takeMany('first', 'a', [1])).toBe(1);
  expect(months, 'the disk is asked at once').toEqual([Date.UTC(2026, 11, 1)]);
  expect(told.at(-1)).toEqual(['device', 'first', 'month', false]);
  noteMonth({ atMs: time.nowMs - 1, use: disk, maxBytes: 1_000_000 });
  expect(takeMany('first', 'a', [1])).toBe(1);
  // The clock was set: it is the month of before.
  time.nowMs = START_MS;
  look();
  expect(takeMany('first', 'a', [1])).toBe(0);
});

test('more room, or a deletion, lets a device record again; little more does not', () => {
  const { flood, look, told, takeMany, disk } = createMonth(1_000_000);
  flood('first', 'a');
  look(1_050_000);
  expect(told.at(-1)).toEqual(['device', 'first', 'month', true]);
  look(2_000_000);
  expect(told.at(-1)).toEqual(['device', 'first', 'month', false]);
  expect(takeMany('first', 'a', [1])).toBe(1);
  look(1_000_000);
  expect(takeMany('first', 'a', [1])).toBe(0);
  disk.bytes = 0;
  disk.ofDevices.clear();
  disk.ofIntegrations.clear();
  look();
  expect(takeMany('first', 'a', [1])).toBe(1);
});

test('a device that has nothing to record for a day is not paused any more', () => {
  const { flood, look, time, paused } = createMonth(1_000_000);
  flood('first', 'a');
  time.nowMs += DAY_MS - 1;
  look();
  expect(paused()).toHaveLength(1);
  time.nowMs += 1;
  look();
  expect(paused()).toEqual([]);
});
