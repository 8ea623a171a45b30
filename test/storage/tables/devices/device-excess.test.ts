import { describe, expect, test } from 'vitest';
import type { DeviceId, DeviceRecord } from '#core/device/device.ts';
import { DEVICE_LIMITS, type DeviceLimits } from '#core/device/device-limits.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { withFault } from '#test/storage/fs-faults.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeDevice, makeFeature, makeRoom, makeValue, NOW_MS } from '#test/storage/storage-makers.ts';

const LIMITS: DeviceLimits = { ...DEVICE_LIMITS, shownOfIntegration: 3, shown: 5, remembered: 4 };
const HOUR_MS = 3_600_000;

const numbersOf = (ids: readonly DeviceId[]): number[] => ids.map((id) => Number(id.slice(-12)));
const shownOf = ({ operations }: StorageEngine): DeviceRecord[] =>
  operations.devices.loadDevicePage(0).items.filter(({ removedAtMs }) => removedAtMs === null);
const loadedNumbers = (engine: StorageEngine): number[] =>
  numbersOf(engine.operations.devices.loadDevicePage(0).items.map(({ id }) => id));

type Past = { readonly livedHours?: number; readonly agoHours?: number };

/** Hidden after so many hours of life, so many hours ago. */
const hidden = (number: number, { livedHours = 0, agoHours = 0 }: Past = {}, changes: Partial<DeviceRecord> = {}) => {
  const removedAtMs = NOW_MS - agoHours * HOUR_MS;
  return makeDevice(number, { removedAtMs, createdAtMs: removedAtMs - livedHours * HOUR_MS, features: [], ...changes });
};

describe('S6: of the hidden devices', () => {
  test('those of a hostile list are forgotten first, and those that a person named or put into a room last', () => {
    const { operations } = createBench().open();
    operations.rooms.saveRoom(makeRoom(1));
    operations.devices.saveDevices([
      hidden(1, { agoHours: 900 }, { ownName: 'Attic' }),
      hidden(2, { agoHours: 800 }, { roomId: makeRoom(1).id }),
      hidden(5, { agoHours: 850 }, { markedSensitive: true }),
      hidden(
        6,
        { agoHours: 860 },
        { measures: [{ capability: 'energy', unit: 'Wh', described: makeFeature('x.e_in') }] },
      ),
      hidden(3, { livedHours: 400, agoHours: 700 }),
      hidden(4, { livedHours: 30, agoHours: 600 }),
      ...Array.from({ length: 50 }, (_, index) => hidden(100 + index, { agoHours: 5 - index * 0.1 })),
    ]);
    const keep = (count: number): number[] => {
      operations.devices.forgetDevices(count);
      return numbersOf(operations.devices.loadDevicePage(0).items.map(({ id }) => id));
    };
    expect(numbersOf(operations.devices.forgetDevices(8)).toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 48 }, (_, index) => 100 + index),
    );
    expect(keep(6)).toEqual([1, 2, 5, 6, 3, 4]);
    expect(keep(5)).toEqual([1, 2, 5, 6, 4]);
    expect(keep(1)).toEqual([2]);
    expect(operations.devices.forgetDevices(1)).toEqual([]);
  });

  test('none is forgotten while there is room, and shown ones never', () => {
    const { operations } = createBench().open();
    operations.devices.saveDevices([makeDevice(1), hidden(2), makeDevice(3)]);
    expect(operations.devices.forgetDevices(1)).toEqual([]);
    expect(numbersOf(operations.devices.forgetDevices(0))).toEqual([2]);
  });

  test('those of a removed integration are forgotten, and no others', () => {
    const { operations } = createBench().open();
    const other = { ...hidden(4), integration: 'hue' };
    operations.devices.saveDevices([makeDevice(1), hidden(2), hidden(3), other]);
    expect(numbersOf(operations.devices.forgetDevicesOf(makeDevice(1).integration))).toEqual([2, 3]);
    expect(numbersOf(operations.devices.loadDevicePage(0).items.map(({ id }) => id))).toEqual([1, 4]);
    expect(operations.devices.forgetDevicesOf('nothing')).toEqual([]);
  });

  test('a forgotten one never leaves its values to another device', () => {
    const bench = createBench();
    const first = bench.open();
    first.operations.devices.saveDevices([makeDevice(1), makeDevice(2)]);
    first.operations.devices.saveValue(makeValue(2, 'temperature', 20));
    // A backup flushes what waits: the value stands in the log now.
    first.operations.backups.make();
    first.operations.devices.saveDevices([hidden(2)]);
    first.operations.devices.forgetDevices(0);
    first.operations.devices.saveDevices([makeDevice(3)]);
    first.close();
    expect(bench.open().operations.devices.loadValuePage(0).items).toEqual([]);
  });
});

describe('I1: a database with more devices than the limits allow', () => {
  const overfull = (): DeviceRecord[] => [
    ...Array.from({ length: 6 }, (_, index) => makeDevice(index + 1)),
    ...Array.from({ length: 3 }, (_, index) => makeDevice(index + 11, { integration: 'other' })),
    ...Array.from({ length: 6 }, (_, index) => hidden(index + 21, { agoHours: index })),
  ];

  test('is brought within the limits at the start: named and oldest devices stay, and no integration displaces another', () => {
    const bench = createBench();
    const before = bench.open();
    before.operations.devices.saveDevices(overfull());
    before.operations.devices.saveDevices([makeDevice(6, { ownName: 'Named' })]);
    before.close();
    const engine = bench.open();
    expect(engine.operations.devices.limitDevices(LIMITS)).toBe(6);
    expect(loadedNumbers(engine)).toEqual([1, 2, 6, 11, 12, 21, 22, 23, 24]);
    engine.close();
    const after = bench.open();
    expect(loadedNumbers(after)).toEqual([1, 2, 6, 11, 12, 21, 22, 23, 24]);
    expect(after.operations.devices.limitDevices(LIMITS)).toBe(0);
  });

  test('is read within the limits while the disk is read-only, and brought within them before the next write', () => {
    const bench = createBench();
    const engine = bench.open();
    const { operations } = engine;
    operations.devices.saveDevices(overfull());
    const kept = [1, 2, 3, 11, 12, 21, 22, 23, 24];
    const { result } = withFault({ kind: 'kill', at: 1 }, () => operations.devices.limitDevices(LIMITS));
    expect([result, bench.lines.at(-1)]).toEqual([6, expect.stringContaining('cannot be deleted now')]);
    expect(loadedNumbers(engine)).toEqual(kept);
    // One that was forgotten comes anew, with another id and the same selector.
    const id = makeDevice(99).id;
    operations.devices.saveDevices([makeDevice(5, { id })]);
    engine.close();
    expect(loadedNumbers(bench.open())).toEqual([...kept, 99]);
  });

  test('is loaded without the features beyond the limits of one device or of all together', () => {
    const engine = createBench().open();
    const features = Array.from({ length: 40 }, (_, index) => makeFeature(`x${index}`));
    engine.operations.devices.saveDevices([
      makeDevice(1),
      makeDevice(2, { features }),
      makeDevice(3, { features: features.slice(0, 8) }),
      hidden(4, {}, { features }),
    ]);
    const counts = (): number[] =>
      engine.operations.devices.loadDevicePage(0).items.map((device) => device.features.length);
    engine.operations.devices.limitDevices({ ...LIMITS, size: 5_000 });
    expect(counts()).toEqual([2, 0, 8, 0]);
    engine.operations.devices.limitDevices({ ...LIMITS, sizeOfIntegration: 9_000 });
    expect(counts()).toEqual([2, 0, 0, 0]);
    engine.operations.devices.limitDevices({ ...LIMITS, sizeInAll: 20_000 });
    expect(counts()).toEqual([2, 40, 8, 0]);
    expect(shownOf(engine).map(({ name }) => name)).toEqual(['Device 1', 'Device 2', 'Device 3']);
  });

  test('is loaded without the values beyond the limit of all together', () => {
    const bench = createBench();
    const before = bench.open();
    before.operations.devices.saveDevices([1, 2, 3].map((number) => makeDevice(number)));
    for (const number of [1, 2, 3])
      before.operations.devices.saveValue(makeValue(number, 'temperature', 'x'.repeat(900)));
    before.close();
    const { operations } = bench.open();
    expect(operations.devices.loadValuePage(0).items).toHaveLength(3);
    operations.devices.limitDevices({ ...LIMITS, valuesInAll: 1_000 });
    expect(operations.devices.loadValuePage(0).items.map(({ deviceId }) => Number(deviceId.slice(-12)))).toEqual([
      1, 2,
    ]);
  });
});
