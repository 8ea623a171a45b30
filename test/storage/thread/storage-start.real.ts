import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { startStorageAhead, type StorageStart } from '#storage/thread/storage-start.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';
import { makeUser } from '#test/storage/storage-makers.ts';

function startAhead({ folders, log }: Bench): StorageStart {
  return startStorageAhead({ threadUrl: new URL('storage-thread.mjs', pathToFileURL(BUNDLE)), folders, log });
}

const ignore = (): void => undefined;

function noteWorkers(onMessage: (message: { readonly type: string }) => void = ignore): Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => {
    workers.push(worker);
    worker.on('message', onMessage);
  };
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return workers;
}

test('the first caller gets the storage that was opened ahead, and later callers get new ones', async () => {
  const workers = noteWorkers();
  const start = startAhead(createBench());
  await expect.poll(() => workers).toHaveLength(1);
  const first = await start.open(ignore);
  await first.users.insertUser(makeUser(1));
  await first.close();
  const second = await start.open(ignore);
  expect(await second.users.loadUsers()).toEqual([makeUser(1)]);
  await start.abandon();
  expect(await second.users.loadUsers()).toEqual([makeUser(1)]);
  await second.close();
  expect(workers).toHaveLength(2);
});

test('S2: a refusal reaches the caller, however late the call', async () => {
  const bench = createBench();
  const owner = await bench.openOwned();
  const workers = noteWorkers();
  const start = startAhead(bench);
  await expect.poll(() => workers[0]?.threadId).toBe(-1);
  await expect(start.open(ignore)).rejects.toMatchObject({ name: 'StorageRefusal', reason: 'in_use' });
  await start.abandon();
  await owner.close();
});

test('a fault before the first call reaches the first caller', async () => {
  let isReady = false;
  const workers = noteWorkers(({ type }) => {
    if (type === 'ready') isReady = true;
  });
  const lines: string[] = [];
  const bench = createBench();
  const start = startStorageAhead({
    threadUrl: new URL('storage-thread.mjs', pathToFileURL(BUNDLE)),
    folders: bench.folders,
    log: { ...bench.log, error: (message) => void lines.push(message) },
  });
  await expect.poll(() => isReady).toBe(true);
  await workers[0]?.terminate();
  expect(lines).toEqual(['the storage failed']);
  const failures: unknown[] = [];
  const storage = await start.open((cause) => void failures.push(cause));
  expect(failures).toHaveLength(1);
  await expect(storage.users.loadUsers()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

test('storage that no caller took is closed, and the state folder is free', async () => {
  const bench = createBench();
  const start = startAhead(bench);
  await start.abandon();
  const owner = await bench.openOwned();
  expect(owner.operations.users.loadUsers()).toEqual([]);
  await owner.close();
});
