import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StoredValue } from '#core/device/device.ts';
import type { HistoryQuestion } from '#core/past/answer/question.ts';
import { startStorageWorker } from '#storage/thread/storage-client.ts';
import type { Storage } from '#storage/storage.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { createBench, type Bench } from '#test/storage/storage-harness.ts';
import { makeDevice, makeFeature, makeRoom, makeSession, makeUser, makeValue } from '#test/storage/storage-makers.ts';

type Started = { readonly storage: Storage; readonly lines: string[]; readonly failures: unknown[] };

async function startWorker({ folders }: Bench): Promise<Started> {
  const { log, lines } = createRecordingLog();
  const failures: unknown[] = [];
  const storage = await startStorageWorker({
    threadUrl: new URL('storage-thread.mjs', pathToFileURL(BUNDLE)),
    folders,
    log,
    onFailure: (cause) => void failures.push(cause),
  });
  onTestFinished(() => storage.close());
  return { storage, lines, failures };
}

describe('the storage thread', () => {
  test('S6b: stores what each port is given, as the engine in this thread does', async () => {
    const bench = createBench();
    const { storage } = await startWorker(bench);
    await storage.users.insertUser(makeUser(1));
    await storage.sessions.insertSession(makeSession(1));
    await storage.sessions.touchSessions([{ id: makeSession(1).id, lastUsedAtMs: 9e14, address: '10.0.0.1' }]);
    await storage.rooms.saveRoom(makeRoom(1));
    const devices = Array.from({ length: 500 }, (_, number) => makeDevice(number));
    await storage.devices.saveDevices(devices);
    for (let key = 0; key < 250; key += 1) storage.devices.saveValue(makeValue(1, `key_${key}`, { key }));
    await storage.meta.putMeta(new Map([['a', 'b']]));
    await storage.close();

    const { storage: again } = await startWorker(bench);
    expect(await again.users.loadUsers()).toEqual([makeUser(1)]);
    expect(await again.sessions.loadSessions()).toEqual([makeSession(1, { lastUsedAtMs: 9e14, address: '10.0.0.1' })]);
    expect(await again.rooms.loadRooms()).toEqual([makeRoom(1)]);
    expect(await again.devices.loadDevices()).toEqual(devices);
    expect(await again.devices.loadValues()).toHaveLength(250);
    expect(await again.meta.loadMeta()).toEqual(new Map([['a', 'b']]));
    expect(await again.health()).toMatchObject({ database: 'ok', readOnly: false, bytesWritten: expect.any(Number) });
  });

  test('it says which samples do not keep their times, because those were written', async () => {
    const { storage } = await startWorker(createBench());
    const moved: unknown[] = [];
    storage.onMoved((samples) => void moved.push(...samples));
    const add = (atMs: number): void =>
      storage.history.append({ epoch: 'e1', samples: [{ series: 'lamp/on', atMs, value: true }] });
    add(1_000_000);
    await storage.history.flush();
    for (const atMs of [999_950, 1_000_020, 1_000_100]) add(atMs);
    const { timesMs } = await storage.history.readSlice({ series: 'lamp/on', fromMs: 0, toMs: Infinity }, null);
    expect([...timesMs]).toEqual([1_000_000, 1_000_100, 1_000_100, 1_000_100]);
    expect(moved).toEqual([999_900, 1_000_000].map((fromMs) => ({ series: 'lamp/on', fromMs, toMs: 1_000_100 })));
  });

  test('a failure keeps its code between threads, and a bug is an error that does not end the thread', async () => {
    const { storage, failures } = await startWorker(createBench());
    await storage.users.insertUser(makeUser(1));
    await expect(storage.sessions.insertSession(makeSession(1, { clientName: '\0' }))).rejects.toMatchObject({
      name: 'HubError',
      code: 'VALIDATION_FAILED',
    });
    await expect(storage.users.insertUser(makeUser(1))).rejects.toThrow('UNIQUE');
    await expect(storage.backups.check('/nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await storage.users.loadUsers()).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  test('the bytes of an answer about the past cross from it, and a question that fails is an error', async () => {
    const { storage, failures } = await startWorker(createBench());
    const question: HistoryQuestion = {
      format: 'json',
      times: 'ms',
      resolution: 'points',
      points: 10,
      maxRows: 10,
      fromMs: 0,
      toMs: 1000,
      cursor: null,
      timeZone: 'UTC',
      coding: null,
      series: [],
    };
    const { signal } = new AbortController();
    const { bytes } = await storage.answerHistory(question, signal);
    expect(Buffer.from(bytes).toString()).toBe(
      '{"from":"1970-01-01T00:00:00.000Z","to":"1970-01-01T00:00:01.000Z","time_zone":"UTC","series":[],"next":null}',
    );
    const wrong = storage.answerHistory({ ...question, timeZone: 'Nowhere' }, signal);
    await expect(wrong).rejects.toThrow('Nowhere');
    expect(await storage.users.loadUsers()).toEqual([]);
    expect(failures).toEqual([]);
  });

  test('S2: a second thread is refused at its start, with the reason', async () => {
    const bench = createBench();
    const { storage } = await startWorker(bench);
    await expect(startWorker(bench)).rejects.toMatchObject({ name: 'StorageRefusal', reason: 'in_use' });
    await storage.close();
    await storage.close();
    const { storage: next } = await startWorker(bench);
    expect(await next.users.loadUsers()).toEqual([]);
  });

  test('its log lines are written by the main thread', async () => {
    const { storage, lines } = await startWorker(createBench());
    const { id } = await storage.backups.make();
    expect(lines).toEqual([`<6>backup made backup=${id}`]);
  });

  test('its end is reported once and rejects open calls, and another thread replaces it without loss', async () => {
    const bench = createBench();
    const { storage, failures } = await startWorker(bench);
    await storage.users.insertUser(makeUser(1));
    // What no caller sends: the thread ends as by any fault of its own.
    storage.devices.saveValue(null as unknown as StoredValue);
    const asked = Promise.allSettled([storage.health(), storage.users.loadUsers()]);
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    for (const outcome of await asked) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } });
    }
    await expect(storage.users.loadUsers()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await storage.close();

    const { storage: next } = await startWorker(bench);
    expect(await next.users.loadUsers()).toEqual([makeUser(1)]);
    expect(failures).toHaveLength(1);
  });

  test('S8: a restore closes it, and the next one has the restored state', async () => {
    const bench = createBench();
    const { storage, failures } = await startWorker(bench);
    await storage.users.insertUser(makeUser(1));
    const { id } = await storage.backups.make();
    await storage.users.insertUser(makeUser(2));
    await storage.backups.restore((await storage.backups.findPath(id)) ?? '', { session: null, meta: [] });
    await expect(storage.users.loadUsers()).rejects.toMatchObject({ code: 'RESTARTING' });
    await storage.close();
    const { storage: next } = await startWorker(bench);
    expect(await next.users.loadUsers()).toEqual([makeUser(1)]);
    expect(failures).toEqual([]);
  });

  test('a long list of devices is saved as a whole, before later writes, and does not block the event loop', async () => {
    const bench = createBench();
    const { storage } = await startWorker(bench);
    const features = Array.from({ length: 30 }, (_, number) => makeFeature(`feature_${number}`));
    const devices = Array.from({ length: 2000 }, (_, number) => makeDevice(number, { features }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const saved = storage.devices.saveDevices(devices);
    const renamed = storage.devices.saveDevices([makeDevice(7, { ownName: 'Later' })]);
    const twice = storage.devices.saveDevices([...devices.slice(0, 60), makeDevice(5000, { selector: 'device-3' })]);
    await Promise.all([saved, renamed]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
    await expect(twice).rejects.toThrow('UNIQUE');
    const loaded = await storage.devices.loadDevices();
    expect(loaded).toHaveLength(2000);
    expect(loaded[7]).toEqual(makeDevice(7, { ownName: 'Later' }));
  });

  test('S5: 4,478 devices with 9 values each are loaded within 5 s of the start', async () => {
    const bench = createBench();
    const engine = bench.open();
    const features = Array.from({ length: 9 }, (_, number) => makeFeature(`feature_${number}`));
    engine.operations.devices.saveDevices(
      Array.from({ length: 4478 }, (_, number) => makeDevice(number, { features })),
    );
    for (let device = 0; device < 4478; device += 1) {
      for (const { key } of features) engine.operations.devices.saveValue(makeValue(device, key, device));
    }
    engine.close();
    const passedMs = startStopwatch();
    const { storage } = await startWorker(bench);
    expect(await storage.devices.loadDevices()).toHaveLength(4478);
    expect(await storage.devices.loadValues()).toHaveLength(4478 * 9);
    expectBelow('a start with 4,478 devices, ms', passedMs(), 5_000);
  });
});
