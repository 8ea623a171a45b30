import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storageInProcess, type Storage } from '#storage/storage.ts';
import { createBench, type Bench } from './storage-harness.ts';
import { makeDevice, makeRoom, makeSession, makeUser, makeValue } from './storage-makers.ts';

async function openPorts(bench: Bench): Promise<Storage> {
  return storageInProcess(await bench.openOwned());
}

describe('the storage', () => {
  test('S6: gives back after a restart what each port stored', async () => {
    const bench = createBench();
    const before = await openPorts(bench);
    const room = makeRoom(1);
    const devices = [makeDevice(1, { roomId: room.id, ownName: 'nul \0, half \ud800, quote "' }), makeDevice(2)];
    await before.users.insertUser(makeUser(1));
    await before.sessions.insertSession(makeSession(1));
    await before.rooms.saveRoom(room);
    await before.devices.saveDevices(devices);
    before.devices.saveValue(makeValue(1, 'temperature', 20.5));
    before.devices.saveValue(makeValue(1, 'color \0', { x: 0.1, y: 0.2 }));
    before.devices.saveValue({ ...makeValue(2, 'humidity', null), observedAtMs: null, changedAtMs: null });
    await before.meta.putMeta(new Map([['hub_name', 'Häuschen 🏠']]));
    await before.close();

    const after = await openPorts(bench);
    expect(await after.users.loadUsers()).toEqual([makeUser(1)]);
    expect(await after.sessions.loadSessions()).toEqual([makeSession(1)]);
    expect(await after.rooms.loadRooms()).toEqual([room]);
    expect(await after.devices.loadDevices()).toEqual(devices);
    expect(await after.devices.loadValues()).toEqual([
      makeValue(1, 'temperature', 20.5),
      makeValue(1, 'color \0', { x: 0.1, y: 0.2 }),
      { ...makeValue(2, 'humidity', null), observedAtMs: null, changedAtMs: null },
    ]);
    expect(await after.meta.loadMeta()).toEqual(new Map([['hub_name', 'Häuschen 🏠']]));
  });

  test('S6: changes a user and ends sessions in one step, and deletes a user with all sessions', async () => {
    const storage = await openPorts(createBench());
    await storage.users.insertUser(makeUser(1));
    await storage.users.insertUser(makeUser(2));
    for (const number of [1, 2, 3]) await storage.sessions.insertSession(makeSession(number));
    await storage.sessions.insertSession(makeSession(4, { userId: makeUser(2).id }));

    await storage.users.updateUser(makeUser(1, { name: 'New' }), [makeSession(1).id, makeSession(2).id]);
    expect(await storage.users.loadUsers()).toEqual([makeUser(1, { name: 'New' }), makeUser(2)]);
    expect((await storage.sessions.loadSessions()).map(({ id }) => id)).toEqual([makeSession(3).id, makeSession(4).id]);

    await storage.users.deleteUser(makeUser(2).id);
    expect((await storage.sessions.loadSessions()).map(({ id }) => id)).toEqual([makeSession(3).id]);
  });

  test('refuses a second spelling of an e-mail address, and changes no user', async () => {
    const storage = await openPorts(createBench());
    await storage.users.insertUser(makeUser(1, { email: 'Ann@example.org' }));
    await expect(storage.users.insertUser(makeUser(2, { email: ' ann@EXAMPLE.org' }))).rejects.toThrow('UNIQUE');
    expect(await storage.users.loadUsers()).toHaveLength(1);
  });

  test('deletes a room together with changing its devices, hidden ones included', async () => {
    const storage = await openPorts(createBench());
    const room = makeRoom(1);
    await storage.rooms.saveRoom(room);
    await storage.devices.saveDevices([1, 2].map((number) => makeDevice(number, { roomId: room.id })));
    await storage.rooms.deleteRoom(room.id, [makeDevice(1, { revision: 2 })]);
    expect(await storage.rooms.loadRooms()).toEqual([]);
    expect(await storage.devices.loadDevices()).toEqual([makeDevice(1, { revision: 2 }), makeDevice(2)]);
  });

  test('refuses text that the package would cut or garble', async () => {
    const storage = await openPorts(createBench());
    await storage.users.insertUser(makeUser(1));
    await expect(storage.sessions.insertSession(makeSession(1, { clientName: 'a\0b' }))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(await storage.sessions.loadSessions()).toEqual([]);
  });

  test('only the owner may read the state folder, with any umask', async () => {
    const bench = createBench();
    const umask = process.umask(0);
    try {
      const storage = await openPorts(bench);
      await storage.users.insertUser(makeUser(1));
      await storage.backups.make();
    } finally {
      process.umask(umask);
    }
    const open = readdirSync(bench.folders.state, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.endsWith('.lock'))
      .filter((name) => (statSync(join(bench.folders.state, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(statSync(bench.folders.state).mode & 0o777).toBe(0o700);
  });
});
