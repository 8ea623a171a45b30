import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createVitalSigns, type WatchedHub } from '#hub/vital-signs.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const HOUR_MS = 3_600_000;

type Place = { interface: string; reason?: string };
type World = {
  bound: Place[];
  unbound: Place[];
  lookAgeMs: number;
  devices: number;
  states: Record<string, string>;
  hasOwner: boolean;
  status: 'ok' | 'degraded';
  health: () => Promise<unknown>;
  isOpen: boolean;
};

function prepare(change: Partial<World> = {}) {
  const time = createManualTime();
  const world: World = {
    bound: [{ interface: 'lo' }, { interface: 'eth0' }, { interface: 'eth0' }],
    unbound: [],
    lookAgeMs: 2_000,
    devices: 14,
    states: { zigbee2mqtt: 'connected' },
    hasOwner: true,
    status: 'ok',
    health: async () => undefined,
    isOpen: true,
    ...change,
  };
  const hub = {
    storage: { health: () => world.health() },
    devices: { devices: () => Array.from({ length: world.devices }) },
    integrations: {
      supervisor: { reports: () => Object.entries(world.states).map(([id, state]) => ({ id, status: { state } })) },
    },
    people: { accounts: { hasOwner: () => world.hasOwner } },
  };
  const open = { hub, healthStatus: () => world.status } as unknown as WatchedHub;
  const listeners = { bound: () => world.bound, unbound: () => world.unbound, lookAgeMs: () => world.lookAgeMs };
  const signs = createVitalSigns({
    findHub: () => (world.isOpen ? open : undefined),
    listeners: () => listeners as never,
    clock: time.clock,
    log: createRecordingLog().log,
    hubCommand: 'sudo hearthd',
  });
  return { time, world, ...signs };
}

test.each<[string, Partial<World>]>([
  ['serving 2 addresses, 14 devices, zigbee2mqtt connected', {}],
  ['waiting for a network address, 1 device', { bound: [{ interface: 'lo' }], devices: 1, states: { mqtt: 'off' } }],
  [
    'serving none, 1 address not available (EADDRINUSE), 14 devices, zigbee2mqtt error',
    { bound: [], unbound: [{ interface: 'eth0', reason: 'EADDRINUSE' }], states: { zigbee2mqtt: 'error' } },
  ],
  [
    'serving 1 address, 0 devices, no owner yet (sudo hearthd claim), something needs you (sudo hearthd doctor)',
    { bound: [{ interface: 'eth0' }], devices: 0, states: {}, hasOwner: false, status: 'degraded' },
  ],
  ['serving 2 addresses, the storage is being opened', { isOpen: false }],
])('the status is “%s”', (text, change) => {
  expect(prepare(change).describe()).toBe(text);
});

test('S9: a storage that answers with an error is alive: a full disk does not end the hub', async () => {
  const health = (): Promise<never> => Promise.reject(new HubError('STORAGE_FULL', 'The disk is full.'));
  await expect(prepare({ health }).checkAlive()).resolves.toBeUndefined();
});

test('while the storage does not answer, the check does not settle', async () => {
  const { checkAlive } = prepare({ health: () => new Promise(() => undefined) });
  const pending = new Promise((resolve) => void setImmediate(resolve, 'pending'));
  expect(await Promise.race([checkAlive(), pending])).toBe('pending');
});

test('listeners that no longer check the network are not alive', async () => {
  await expect(prepare({ lookAgeMs: 21_000 }).checkAlive()).rejects.toThrow('no check of the network for 21 s');
});

test('S9: the hub is alive while the storage is opened again and again, but not if one attempt hangs', async () => {
  const { time, world, checkAlive, noteOpening } = prepare();
  await time.advance(10 * HOUR_MS);
  world.isOpen = false;
  for (let minute = 0; minute < 300; minute += 1) {
    noteOpening();
    await time.advance(60_000);
    await checkAlive();
  }
  await time.advance(HOUR_MS);
  await expect(checkAlive()).rejects.toThrow('the storage does not open');
  world.isOpen = true;
  await checkAlive();
});

test('the time of a restore counts from its start, however long ago the storage was opened', async () => {
  const { time, world, checkAlive, noteOpening } = prepare();
  noteOpening();
  await time.advance(1_000 * HOUR_MS);
  world.isOpen = false;
  await expect(checkAlive()).resolves.toBeUndefined();
});
