import { describe, expect, test } from 'vitest';
import type { StoredValue } from '#core/device/device.ts';
import { watchFiles, withFault } from '#test/storage/fs-faults.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { makeDevice, makeSession, makeUser, makeValue } from '#test/storage/storage-makers.ts';

function openWithDevices(count: number, bench = createBench()): { bench: Bench; engine: StorageEngine } {
  const engine = bench.open();
  const devices = Array.from({ length: count }, (_, index) => makeDevice(index + 1));
  engine.operations.devices.saveDevices(devices);
  return { bench, engine };
}

/** All values on disk, as a start would load them. */
function reload(bench: Bench, engine: StorageEngine): StoredValue[] {
  engine.close();
  const again = bench.open();
  const values: StoredValue[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: ReturnType<typeof again.operations.devices.loadValuePage> =
      again.operations.devices.loadValuePage(after);
    values.push(...page.items);
    after = page.next;
  }
  return values;
}

describe('last values', () => {
  test('S6: wait up to 30 s, and only the last value of a feature is written', async () => {
    const { bench, engine } = openWithDevices(2);
    const written = await countBytes(
      bench,
      () => {
        for (let value = 0; value < 1000; value += 1) engine.operations.devices.saveValue(makeValue(1, 'power', value));
        engine.operations.devices.saveValue(makeValue(2, 'power', 1));
      },
      29_999,
    );
    expect(written).toBe(0);
    expect(await countBytes(bench, () => undefined, 1)).toBeGreaterThan(0);
    expect(bench.time.pendingMs()).toEqual([]);
    engine.operations.devices.saveValue(makeValue(2, 'power', 2));
    expect(reload(bench, engine)).toEqual([makeValue(1, 'power', 999), makeValue(2, 'power', 2)]);
  });

  test('C1: marks are written with the next values, start no timer, and never overwrite newer marks', async () => {
    const { bench, engine } = openWithDevices(1);
    const written = await countBytes(bench, () => engine.operations.meta.addMeta(new Map([['mark', '1']])), 3_600_000);
    expect(written).toBe(0);
    expect(bench.time.pendingMs()).toEqual([]);
    engine.operations.devices.saveValue(makeValue(1, 'power', 1));
    await bench.time.advance(30_000);
    expect(engine.operations.meta.loadMeta().get('mark')).toBe('1');
    engine.operations.meta.addMeta(new Map([['mark', '2']]));
    engine.operations.meta.putMeta(new Map([['mark', '3']]));
    engine.close();
    expect(bench.open().operations.meta.loadMeta().get('mark')).toBe('3');
  });

  test('S6: are written at once when 64 KiB wait', async () => {
    const { bench, engine } = openWithDevices(1);
    const save = (key: number): void => engine.operations.devices.saveValue(makeValue(1, `key_${key}`, key));
    expect(await countBytes(bench, () => Array.from({ length: 5_000 }, (_, key) => save(key)))).toBe(0);
    expect(await countBytes(bench, () => Array.from({ length: 500 }, (_, key) => save(5_000 + key)))).toBeGreaterThan(
      0,
    );
    expect(bench.time.pendingMs()).toEqual([30_000]);
  });

  test('S6: nothing is written, and no timer runs, while nothing changes', async () => {
    const { bench, engine } = openWithDevices(100);
    for (let device = 1; device <= 100; device += 1) engine.operations.devices.saveValue(makeValue(device, 'on', true));
    await bench.time.advance(60_000);
    expect(bench.time.pendingMs()).toEqual([]);
    const written = await countBytes(
      bench,
      () => {
        engine.operations.users.loadUsers();
        engine.operations.devices.loadDevicePage(0);
        engine.operations.health.readHealth();
        engine.operations.devices.saveDevices(Array.from({ length: 100 }, (_, index) => makeDevice(index + 1)));
      },
      86_400_000,
    );
    expect(written).toBe(0);
  });

  test('of an unknown device are left out', () => {
    const { bench, engine } = openWithDevices(1);
    engine.operations.devices.saveValue(makeValue(9, 'on', true));
    engine.operations.devices.saveValue(makeValue(1, 'on', true));
    expect(reload(bench, engine)).toEqual([makeValue(1, 'on', true)]);
  });

  test('that cannot be stored do not block others', async () => {
    const { bench, engine } = openWithDevices(1);
    engine.operations.devices.saveValue({ ...makeValue(1, 'on', true), value: 1n } as unknown as StoredValue);
    await bench.time.advance(30_000);
    expect(bench.lines.filter((line) => line.includes('dropped'))).toHaveLength(1);
    engine.operations.devices.saveValue(makeValue(1, 'on', true));
    expect(reload(bench, engine)).toEqual([makeValue(1, 'on', true)]);
  });

  test('S9: stay in memory while the disk is full, which is logged once, and are written within 10 s after', async () => {
    const { bench, engine } = openWithDevices(300);
    const fill = (value: number): void => {
      for (let device = 1; device <= 300; device += 1)
        engine.operations.devices.saveValue(makeValue(device, 'on', value));
    };
    const { operations } = withFault({ kind: 'kill', at: 1 }, () => {
      fill(1);
      engine.operations.history.append({ epoch: 'e', samples: [] });
      expect(() => engine.operations.history.flush()).toThrow('not take writes');
      fill(2);
    });
    expect(operations).toBeGreaterThan(0);
    expect(operations).toBeLessThan(20);
    expect(engine.operations.users.loadUsers()).toEqual([]);
    fill(3);
    await bench.time.advance(10_000);
    expect(bench.lines.map((line) => line.slice(0, 48))).toEqual([
      '<3>last values cannot be written and wait in mem',
      '<6>last values are written again',
    ]);
    expect(reload(bench, engine)).toHaveLength(300);
  });

  test('S6: a session’s last use waits as long, and never overwrites a newer write', async () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.users.insertUser(makeUser(1));
    for (const number of [1, 2, 3]) engine.operations.sessions.insertSession(makeSession(number));
    const touch = (number: number, laterMs: number): void => {
      const session = makeSession(number);
      engine.operations.sessions.touchSessions([
        { id: session.id, lastUsedAtMs: session.lastUsedAtMs + laterMs, address: '10.0.0.9' },
      ]);
    };
    const written = await countBytes(bench, () => [touch(1, 5), touch(2, 5), touch(3, 5), touch(1, 9)], 29_999);
    expect(written).toBe(0);
    engine.operations.sessions.updateSession(makeSession(2, { lastUsedAtMs: makeSession(2).lastUsedAtMs + 7 }));
    engine.operations.sessions.deleteSessions([makeSession(3).id]);
    engine.close();
    expect(bench.open().operations.sessions.loadSessions()).toEqual([
      makeSession(1, { lastUsedAtMs: makeSession(1).lastUsedAtMs + 9, address: '10.0.0.9' }),
      makeSession(2, { lastUsedAtMs: makeSession(2).lastUsedAtMs + 7 }),
    ]);
  });
});

describe('the bytes written for a change', () => {
  test.each([
    [100, 20],
    [10_000, 512],
  ])('S6: at 100 changes a second with %i devices of 10 features are at most %i', async (count, budget) => {
    const { bench, engine } = openWithDevices(count);
    const changes = 60_000;
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let written = 0;
    for (let second = 0; second < changes / 100; second += 1) {
      written += await countBytes(
        bench,
        () => {
          for (let change = 0; change < 100; change += 1) {
            const key = `some_feature_${random(10)}`;
            engine.operations.devices.saveValue(makeValue(1 + random(count), key, random(1000) / 10));
          }
        },
        1000,
      );
    }
    written += withFault(undefined, () => engine.close()).bytesWritten;
    expect(written / changes).toBeGreaterThan(10);
    expect(written / changes).toBeLessThanOrEqual(budget);
    expect(reload(bench, engine).length).toBeGreaterThan(count === 100 ? 999 : 40_000);
  });
});

/** Bytes given to files by the work and by what the timers do in the time after it. */
async function countBytes(bench: Bench, work: () => unknown, thenMs = 0): Promise<number> {
  const watch = watchFiles();
  try {
    work();
    await bench.time.advance(thenMs);
    return watch.bytesWritten();
  } finally {
    watch.stop();
  }
}
