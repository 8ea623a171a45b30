import { expect, test, vi } from 'vitest';
import { openHubIdentity } from '#core/hub-identity.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const { log } = createRecordingLog();

function createMeta() {
  const meta = new Map<string, string>();
  const state = { isFull: false, writes: 0 };
  return {
    state,
    meta,
    store: {
      loadMeta: async () => new Map(meta),
      putMeta: async (entries: ReadonlyMap<string, string>) => {
        await Promise.resolve();
        if (state.isFull) throw new Error('full');
        state.writes += 1;
        for (const [key, value] of entries) meta.set(key, value);
      },
    },
  };
}

test('S6: a hub keeps its first id and name', async () => {
  const { store, state } = createMeta();
  const first = await openHubIdentity(store, { version: '1.0.0', newId: () => 'id-1', log });
  expect(first.identity()).toEqual({ id: 'id-1', name: 'Home' });
  await first.update({ name: 'Lighthouse', timeZone: 'Asia/Kathmandu' });
  const second = await openHubIdentity(store, { version: '1.0.0', newId: () => 'id-2', log });
  expect(second.identity()).toEqual({ id: 'id-1', name: 'Lighthouse' });
  expect(second.timeZone().name).toBe('Asia/Kathmandu');
  expect(state.writes).toBe(2);
});

test('a start reads no time zone, which takes memory and time; its first use reads the one that was kept', async () => {
  const { store, meta } = createMeta();
  meta.set('time_zone', 'Asia/Kathmandu');
  const formats = vi.spyOn(Intl, 'DateTimeFormat');
  try {
    const hub = await openHubIdentity(store, { version: '1.0.0', newId: () => 'id-1', log });
    await hub.update({ name: 'Lighthouse' });
    expect(formats).not.toHaveBeenCalled();
    expect(hub.timeZone().name).toBe('Asia/Kathmandu');
    expect(hub.timeZone()).toBe(hub.timeZone());
    expect(formats).toHaveBeenCalledOnce();
  } finally {
    formats.mockRestore();
  }
});

test('a time zone that this machine does not know counts as never chosen', async () => {
  const { store, meta } = createMeta();
  const ofMachine = (await openHubIdentity(store, { version: '1.0.0', newId: () => 'id-1', log })).timeZone().name;
  meta.set('time_zone', 'Mars/Olympus');
  const hub = await openHubIdentity(store, { version: '1.0.0', newId: () => 'id-1', log });
  expect(hub.timeZone().name).toBe(ofMachine);
});

test('a listener learns of another time zone, and of no other name', async () => {
  const hub = await openHubIdentity(createMeta().store, { version: '1.0.0', newId: () => 'id-1', log });
  let changes = 0;
  const stop = hub.subscribe(() => (changes += 1));
  await hub.update({ name: 'Lighthouse' });
  expect(changes).toBe(0);
  await hub.update({ timeZone: 'Asia/Kathmandu' });
  expect(changes).toBe(1);
  stop();
  await hub.update({ timeZone: 'UTC' });
  expect(changes).toBe(1);
});

test('S6: a name that could not be saved is not shown', async () => {
  const { store, state } = createMeta();
  const hub = await openHubIdentity(store, { version: '1.0.0', newId: () => 'id-1', log });
  state.isFull = true;
  await expect(hub.update({ name: 'Lighthouse' })).rejects.toThrow('full');
  expect(hub.identity().name).toBe('Home');
});

test('S6: the state has the version that wrote it last, and only another version writes it again', async () => {
  const { store, state, meta } = createMeta();
  const newId = () => 'id-1';
  for (const [version, writes] of [
    ['1.0.0', 1],
    ['1.0.0', 1],
    ['1.1.0', 2],
    ['1.0.0', 3],
  ] as const) {
    await openHubIdentity(store, { version, newId, log });
    expect([meta.get('hub_version'), state.writes]).toEqual([version, writes]);
  }
});
