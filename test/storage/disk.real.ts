import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { needs } from '#test/support/machine/requires.ts';
import { fillDisk, mount, mountReadOnly } from '#test/support/machine/small-disk.ts';
import { createBench, makeFolder } from './storage-harness.ts';
import { makeDevice, makeUser, makeValue, NOW_MS } from './storage-makers.ts';
import { readRows } from './history/history-harness.ts';

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (cause) {
    if (cause instanceof HubError) return cause.code;
    throw cause;
  }
}

describe('S9: a full disk', () => {
  test.skipIf(!needs('root'))(
    'answers writes with STORAGE_FULL, reads go on, and all works again once there is room',
    async () => {
      const bench = createBench();
      mount(bench.folders.state, '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs');
      const { operations, close } = bench.open();
      operations.users.insertUser(makeUser(1));
      operations.devices.saveDevices([makeDevice(1)]);
      const giveBack = fillDisk(bench.folders.state);
      let number = 2;
      const insertMany = (): void => {
        for (let count = 0; count < 500; count += 1, number += 1) operations.users.insertUser(makeUser(number));
      };
      expect(codeOf(insertMany)).toBe('STORAGE_FULL');
      const acknowledged = number - 1;
      expect(codeOf(() => operations.users.insertUser(makeUser(number)))).toBe('STORAGE_FULL');
      expect(codeOf(() => operations.backups.make())).toBe('STORAGE_FULL');
      expect(operations.users.loadUsers()).toHaveLength(acknowledged);
      expect(operations.health.readHealth()).toMatchObject({
        database: 'full',
        freeBytes: 0,
        backupFailure: { message: expect.any(String) },
      });
      operations.devices.saveValue(makeValue(1, 'on', true));
      await bench.time.advance(60_000);
      expect(bench.lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);

      giveBack();
      expect(operations.health.readHealth().database).toBe('ok');
      operations.users.insertUser(makeUser(number));
      await bench.time.advance(10_000);
      expect(bench.lines.at(-1)).toContain('written again');
      close();
      const after = bench.open().operations;
      expect(after.users.loadUsers()).toHaveLength(acknowledged + 1);
      expect(after.devices.loadValuePage(0).items).toEqual([makeValue(1, 'on', true)]);
    },
  );

  test.skipIf(!needs('root'))('stays reported after the devices were found within, or beyond, their limits', () => {
    const bench = createBench();
    mount(bench.folders.state, '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs');
    const { operations } = bench.open();
    operations.devices.saveDevices([makeDevice(1), makeDevice(2)]);
    fillDisk(bench.folders.state);
    let number = 1;
    const insertMany = (): void => {
      for (let count = 0; count < 500; count += 1, number += 1) operations.users.insertUser(makeUser(number));
    };
    expect(codeOf(insertMany)).toBe('STORAGE_FULL');
    expect(operations.devices.limitDevices(DEVICE_LIMITS)).toBe(0);
    expect(operations.health.readHealth().database).toBe('full');
    expect(operations.devices.limitDevices({ ...DEVICE_LIMITS, shown: 1 })).toBe(1);
    expect(bench.lines.at(-1)).toContain('cannot be deleted now');
    expect(operations.health.readHealth().database).toBe('full');
  });

  test.skipIf(!needs('root'))('is no reason not to start with what there is', () => {
    const bench = createBench();
    mount(bench.folders.state, '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs');
    const before = bench.open();
    before.operations.users.insertUser(makeUser(1));
    before.close();
    const giveBack = fillDisk(bench.folders.state);
    const { operations } = bench.open();
    expect(operations.users.loadUsers()).toEqual([makeUser(1)]);
    expect(codeOf(() => operations.users.insertUser(makeUser(2)))).toBe('STORAGE_FULL');
    giveBack();
    expect(codeOf(() => operations.users.insertUser(makeUser(2)))).toBe('done');
  });
});

describe('S9: a disk that is full once a month of history grows', () => {
  test.skipIf(!needs('root'))(
    'keeps what was to be sealed in the journal, and seals it once, when there is room',
    () => {
      const bench = createBench();
      mount(bench.folders.state, '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs');
      const engine = bench.open();
      const { history, health } = engine.operations;
      const samples = Array.from({ length: 60_000 }, (_, index) => ({
        series: 'd/power',
        atMs: NOW_MS + index * 1_000,
        // As dice: they take six bytes each.
        value: Math.fround(Math.sin(index) * 1e5),
      }));
      history.append({ epoch: 'e1', samples: samples.slice(0, 1_000) });
      history.seal();
      history.append({ epoch: 'e1', samples: samples.slice(1_000) });
      history.flush();
      const giveBack = fillDisk(bench.folders.state);
      truncateSync(join(bench.folders.state, 'filler'), statSync(join(bench.folders.state, 'filler')).size - 131_072);
      expect(codeOf(() => history.seal())).toBe('STORAGE_FULL');
      expect(health.readHealth().database).not.toBe('damaged');
      expect(history.readUsage()).toMatchObject({ waitingSamples: 59_000, pausedSinceMs: null });
      const valuesOf = (): unknown[] => readRows(engine, 'd/power').map(([, value]) => value);
      expect(valuesOf()).toEqual(samples.map(({ value }) => value));
      giveBack();
      history.seal();
      expect(history.readUsage().waitingSamples).toBe(0);
      expect(valuesOf()).toEqual(samples.map(({ value }) => value));
      expect(bench.failures).toEqual([]);
    },
  );
});

describe('S9: a full disk whose folders need room', () => {
  test.skipIf(!needs('root'))('is no reason not to start either, after an orderly stop or a power cut', () => {
    const bench = createBench();
    const image = join(makeFolder(), 'image');
    writeFileSync(image, Buffer.alloc(4_194_304));
    execFileSync('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image]);
    mount(bench.folders.state, '-o', 'loop', image);
    const before = bench.open();
    before.operations.users.insertUser(makeUser(1));
    before.close();
    fillDisk(bench.folders.state);
    expect(() => mkdirSync(join(bench.folders.state, 'more'))).toThrow('ENOSPC');
    for (const end of ['orderly', 'cut', 'orderly', 'orderly']) {
      const { operations, close } = bench.open();
      expect(operations.users.loadUsers()).toEqual([makeUser(1)]);
      expect(operations.health.readHealth().freeBytes).toBeLessThan(8192);
      if (end === 'orderly') close();
    }
  });
});

describe('S9: a read-only file system', () => {
  test.skipIf(!needs('root'))('leads to a copy in the runtime folder, and health and log say so', async () => {
    const bench = createBench();
    const before = bench.open();
    before.operations.users.insertUser(makeUser(1));
    before.operations.backups.make();
    before.operations.users.insertUser(makeUser(2));
    // As a power cut leaves it: the log holds what is newest.
    const files = () => readdirSync(bench.folders.state, { recursive: true, encoding: 'utf8' }).toSorted();
    mountReadOnly(bench.folders.state);
    const untouched = files();
    const bytes = readFileSync(bench.database);

    const owned = await bench.openOwned();
    const { operations } = owned;
    expect(operations.users.loadUsers()).toEqual([makeUser(1), makeUser(2)]);
    expect(codeOf(() => operations.users.insertUser(makeUser(3)))).toBe('done');
    expect(operations.health.readHealth()).toMatchObject({ readOnly: true, database: 'ok', recovered: null });
    expect(bench.lines.filter((line) => line.includes('read-only'))).toHaveLength(1);
    expect(operations.backups.list()).toHaveLength(1);
    expect(codeOf(() => operations.backups.make())).toBe('STORAGE_UNAVAILABLE');
    await expect(bench.openOwned()).rejects.toMatchObject({ reason: 'in_use' });
    await owned.close();
    expect(files()).toEqual(untouched);
    expect(readFileSync(bench.database).equals(bytes)).toBe(true);
  });

  test.skipIf(!needs('root'))('with a damaged database leads to a copy of the newest good backup', () => {
    const bench = createBench();
    const before = bench.open();
    before.operations.users.insertUser(makeUser(1));
    before.operations.backups.make();
    before.close();
    writeFileSync(bench.database, 'damaged');
    mountReadOnly(bench.folders.state);
    const { operations } = bench.open();
    expect(operations.users.loadUsers()).toEqual([makeUser(1)]);
    expect(operations.health.readHealth()).toMatchObject({
      readOnly: true,
      recovered: { from: '20261121T040622Z-manual' },
    });
    expect(existsSync(join(bench.folders.state, 'corrupt'))).toBe(false);
  });

  test.skipIf(!needs('root'))('that is empty starts a new hub in the runtime folder', () => {
    const bench = createBench();
    const folder = makeFolder();
    mountReadOnly(bench.folders.state, folder);
    const { operations } = bench.open();
    expect(operations.users.loadUsers()).toEqual([]);
    expect(operations.health.readHealth()).toMatchObject({ readOnly: true, recovered: null });
  });
});
