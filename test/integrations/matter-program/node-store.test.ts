import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NotKeptError } from '#integrations/matter-program/process/hub-channel.ts';
import {
  createNodeStore,
  EASILY_LOST,
  type NodeStoreOptions,
} from '#integrations/matter-program/process/node-store.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A store and its disk, which may be full. */
function openStore(options: NodeStoreOptions = {}, kept: string | null = null) {
  const disk = { text: kept, isFull: false, writes: 0 };
  const news: string[] = [];
  const keep = async (text: string): Promise<void> => {
    disk.writes += 1;
    if (disk.isFull) throw new NotKeptError();
    disk.text = text;
  };
  const store = createNodeStore(kept, keep, {
    onFull: () => void news.push('full'),
    onRoom: () => void news.push('room'),
    onNumbers: (numbers) => void news.push(JSON.stringify(numbers)),
    ...options,
  });
  return { store, disk, news };
}

const plain = (numbers: ReadonlyMap<string, number>): object => Object.fromEntries(numbers);

test('an endpoint has a number once that is on disk, and the same one for ever', async () => {
  const { store, disk, news } = openStore();
  disk.isFull = true;
  expect(plain(await store.numbersOf(['lamp', 'plug']))).toEqual({});
  expect(plain(await store.numbersOf(['lamp']))).toEqual({});
  // The disk is asked again later, not for each endpoint.
  expect(disk.writes).toBe(1);
  disk.isFull = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(plain(await store.numbersOf(['plug']))).toEqual({ lamp: 2, plug: 3 });
  expect(news).toEqual(['full', '{"lamp":2,"plug":3}', 'room']);
  const next = openStore({}, disk.text);
  expect(plain(await next.store.numbersOf(['blind', 'plug']))).toEqual({ lamp: 2, plug: 3, blind: 4 });
  expect(next.news).toEqual(['{"lamp":2,"plug":3,"blind":4}']);
});

test('numbers that the hub remembers hold where the file is lost, and never beside those of the file', async () => {
  const { store, disk } = openStore({ numbers: { lamp: 9, plug: 4 } });
  expect(plain(await store.numbersOf(['plug', 'blind']))).toEqual({ lamp: 9, plug: 4, blind: 10 });
  const older = { lamp: 3, plug: 9, valve: 10, door: 5 };
  const next = openStore({ numbers: older }, disk.text);
  expect(plain(await next.store.numbersOf(['door', 'valve']))).toEqual({
    lamp: 9,
    plug: 4,
    blind: 10,
    door: 5,
    valve: 11,
  });
});

test('what the disk did not take is tried until it does, and is then whole', async () => {
  const { store, disk, news } = openStore();
  await store.driver.set(['fabrics'], 'fabrics', ['first']);
  disk.isFull = true;
  await expect(store.driver.set(['fabrics'], 'fabrics', ['first', 'second'])).rejects.toThrow('could not keep');
  await expect(store.probe()).rejects.toThrow('could not keep');
  await vi.advanceTimersByTimeAsync(35_000);
  expect(disk.writes).toBe(6);
  // A disk that stays full is asked once a minute.
  await vi.advanceTimersByTimeAsync(40_000 + 60 * 60_000);
  expect(disk.writes).toBe(67);
  expect(disk.text).not.toContain('second');
  disk.isFull = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(disk.text).toContain('second');
  expect(news.at(-1)).toBe('room');
  const before = disk.writes;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(disk.writes).toBe(before);
});

test('what may wait for the disk holds at once', async () => {
  const { store, disk } = openStore({ mayWait: (name) => name.startsWith('fabrics.') });
  disk.isFull = true;
  await store.driver.set(['fabrics'], 'fabrics', ['first']);
  await expect(store.driver.set(['root'], 'name', 'Home')).rejects.toThrow('could not keep');
  disk.isFull = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(disk.text).toContain('first');
});

test('a store that is given up writes nothing any more', async () => {
  const { store, disk } = openStore();
  disk.isFull = true;
  await expect(store.driver.set(['fabrics'], 'fabrics', ['first'])).rejects.toThrow('could not keep');
  disk.isFull = false;
  store.abandon();
  await store.driver.set(['fabrics'], 'fabrics', ['second']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([disk.text, disk.writes]).toEqual([null, 1]);
});

test('sessions, subscriptions and counters are written with what else is, and never by themselves', async () => {
  const { store, disk } = openStore({ slow: EASILY_LOST });
  const contexts = [['sessions'], ['hub', 'root', 'subscriptions'], ['root', 'generalDiagnostics']];
  for (const context of contexts) await store.driver.set(context, 'value', 'passes');
  expect(disk.writes).toBe(0);
  await store.driver.set(['root', 'operationalCredentials'], 'value', 'stays');
  expect(disk.writes).toBe(1);
  expect(disk.text?.match(/passes/g)).toHaveLength(3);
});
