import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createHubKeeper } from '#hub/hub-keeper.ts';
import type { Storage } from '#storage/storage.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A keeper over a folder for uploads and storages that say what is done with them. */
async function openKeeper() {
  const folder = await mkdtemp(join(tmpdir(), 'keeper-'));
  folders.push(folder);
  const { log, lines } = createRecordingLog();
  const time = createManualTime();
  const trace: string[] = [];
  const fail: Partial<Record<'openStorage' | 'openHub' | 'check' | 'restore' | 'close', Error>> = {};
  const failures: (() => void)[] = [];
  let state = 'old';
  let gate: Promise<void> = Promise.resolve();
  let paths = 0;
  const step = (name: keyof typeof fail): void => {
    trace.push(name);
    const failure = fail[name];
    if (failure !== undefined) throw failure;
  };
  const keeper = createHubKeeper<string>({ startTimer: time.startTimer, random: (size) => Buffer.alloc(size), log });
  await keeper.open({
    openStorage: async (onFailure) => {
      await gate;
      step('openStorage');
      failures.push(onFailure);
      const number = failures.length;
      return {
        backups: {
          newUploadPath: async () => join(folder, `upload-${number}-${(paths += 1)}.db`),
          check: async () => step('check'),
          restore: async (path: string) => {
            step('restore');
            state = await readFile(path, 'utf8');
          },
        },
        close: async () => step('close'),
      } as unknown as Storage;
    },
    openHub: async (_storage, stops) => {
      step('openHub');
      stops.add('the hub', () => void trace.push('stop'));
      return `${state} ${failures.length}`;
    },
  });
  return {
    keeper,
    lines,
    time,
    trace,
    fail,
    takeTrace: () => trace.splice(0).join(' '),
    failStorage: (number: number) => failures[number - 1]?.(),
    hold: (): (() => void) => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    uploads: () => readdir(folder),
  };
}

const BROKEN = new HubError('STORAGE_UNAVAILABLE', 'The disk does not take writes: nothing was saved.');

async function* upload(text: string, failure?: Error): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
  await Promise.resolve();
  if (failure !== undefined) throw failure;
}

test('S8: a failed storage is opened again, as often as it takes', async () => {
  const hub = await openKeeper();
  expect(hub.keeper.current()).toBe('old 1');
  hub.takeTrace();
  hub.fail.openHub = BROKEN;
  hub.failStorage(1);
  await hub.time.advance(0);
  expect(hub.keeper.find()).toBeUndefined();
  expect(() => hub.keeper.current()).toThrow(expect.objectContaining({ code: 'RESTARTING' }) as Error);
  await hub.time.advance(2000);
  expect(hub.takeTrace()).toMatch(/^stop close( openStorage openHub close){4}$/);
  delete hub.fail.openHub;
  await hub.time.advance(60_000);
  expect(hub.keeper.current()).toBe('old 6');
  expect(hub.takeTrace()).toMatch(/^openStorage openHub$/);
  expect(hub.time.pendingMs()).toEqual([]);
});

test('a failure of a storage that is no longer in use, or reported twice, reopens nothing', async () => {
  const hub = await openKeeper();
  hub.failStorage(1);
  hub.failStorage(1);
  await hub.time.advance(0);
  await vi.waitFor(() => expect(hub.keeper.find()).toBe('old 2'));
  hub.failStorage(1);
  await hub.time.advance(0);
  expect(hub.keeper.find()).toBe('old 2');
});

test('a storage that fails to close does not keep the next one from opening', async () => {
  const hub = await openKeeper();
  hub.fail.close = BROKEN;
  hub.failStorage(1);
  await vi.waitFor(() => expect(hub.keeper.find()).toBe('old 2'));
  expect(hub.lines.join()).toContain('closing the storage failed');
});

test('a stop during reopening leaves nothing running', async () => {
  const hub = await openKeeper();
  const release = hub.hold();
  hub.failStorage(1);
  await vi.waitFor(() => expect(hub.keeper.find()).toBeUndefined());
  hub.takeTrace();
  const stopping = hub.keeper.stop();
  release();
  await stopping;
  expect(hub.takeTrace()).toMatch(/^(close )?openStorage openHub stop close$/);
  expect(hub.keeper.find()).toBeUndefined();
  await hub.time.advance(600_000);
  expect([hub.takeTrace(), hub.time.pendingMs()]).toEqual(['', []]);
});

test('a stop ends the wait for the next attempt', async () => {
  const hub = await openKeeper();
  hub.fail.openStorage = BROKEN;
  hub.failStorage(1);
  await hub.time.advance(0);
  expect(hub.time.pendingMs()).toHaveLength(1);
  await hub.keeper.stop();
  expect(hub.time.pendingMs()).toEqual([]);
  await hub.keeper.stop();
  await expect(hub.keeper.restore(upload('new'), null)).rejects.toMatchObject({ code: 'RESTARTING' });
});

test('a restore replaces the state and deletes the upload', async () => {
  const hub = await openKeeper();
  hub.takeTrace();
  await hub.keeper.restore(upload('new'), null);
  expect(hub.keeper.current()).toBe('new 2');
  expect(hub.takeTrace()).toBe('check stop restore close openStorage openHub');
  expect(await hub.uploads()).toEqual([]);
});

test.each<[string, AsyncIterable<Uint8Array>, string]>([
  ['breaks off', upload('ne', new Error('aborted')), 'MALFORMED_REQUEST'],
  ['breaks off before its first byte', upload('', new Error('aborted')), 'MALFORMED_REQUEST'],
  ['is too large', upload('ne', new HubError('PAYLOAD_TOO_LARGE', 'Too large.')), 'PAYLOAD_TOO_LARGE'],
])('an upload that %s leaves no file and the hub as it is', async (_, content, code) => {
  const hub = await openKeeper();
  hub.takeTrace();
  await expect(hub.keeper.restore(content, null)).rejects.toMatchObject({ code });
  expect([await hub.uploads(), hub.takeTrace(), hub.keeper.current()]).toEqual([[], '', 'old 1']);
});

test('a refused backup changes nothing and does not interrupt the hub', async () => {
  const hub = await openKeeper();
  hub.takeTrace();
  hub.fail.check = new HubError('INVALID_BACKUP', 'This file is not a database.');
  await expect(hub.keeper.restore(upload('new'), null)).rejects.toBe(hub.fail.check);
  expect([await hub.uploads(), hub.takeTrace(), hub.keeper.current()]).toEqual([[], 'check', 'old 1']);
});

test('a failed restore rejects, and the old state is served again', async () => {
  const hub = await openKeeper();
  hub.fail.restore = BROKEN;
  hub.takeTrace();
  await expect(hub.keeper.restore(upload('new'), null)).rejects.toBe(BROKEN);
  expect(hub.keeper.current()).toBe('old 2');
  expect([await hub.uploads(), hub.takeTrace()]).toEqual([[], 'check stop restore close openStorage openHub']);
});

test('of two restores at once, one succeeds and the other is refused', async () => {
  const hub = await openKeeper();
  const outcomes = await Promise.allSettled([
    hub.keeper.restore(upload('one'), null),
    hub.keeper.restore(upload('two'), null),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(hub.keeper.current()).toMatch(/^(one|two) 2$/);
});
