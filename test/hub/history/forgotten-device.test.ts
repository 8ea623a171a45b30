import { expect, test } from 'vitest';
import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer, type StartTimer } from '#base/time/timer.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { openDeviceForgetting } from '#hub/history/device-forgetting.ts';
import { fullDisk } from '#storage/engine/storage-failure.ts';
import { createFastTime, createPatientTime } from '#test/support/machine/fast-time.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

test('a device is removed with its history only by an owner who is logged in', async () => {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const admin = await hub.addPerson('bob', 'admin');
  const script = await hub.addToken(owner.user, { scopes: ['device:manage', 'device:read'] });
  const { storage, devices } = hub.home;
  const id = devices.findDevice('kitchen-ceiling')?.id ?? '';
  storage.history.append({
    epoch: 'e1',
    samples: [
      { series: `${id}/on`, atMs: Date.now() - 60_000, value: true },
      { series: 'other/on', atMs: Date.now() - 60_000, value: true },
    ],
  });
  const listNames = async () => (await storage.history.listSeries(null)).series.map(({ name }) => name);
  const remove = async (token: string) =>
    (await hub.call('DELETE /device/kitchen-ceiling?history=delete', { token })).status;
  expect([await remove(admin.token), await remove(script)]).toEqual([403, 403]);
  expect(devices.findDevice('kitchen-ceiling')?.id).toBe(id);
  expect(await listNames()).toContain(`${id}/on`);

  expect(await remove(owner.token)).toBe(204);
  const names = await listNames();
  expect(names.filter((name) => name.startsWith(id))).toEqual([]);
  expect(names).toContain('other/on');
  const { json } = await hub.call('GET /audit?types=device.removed', { token: owner.token });
  expect(json).toMatchObject([{ detail: 'kitchen-ceiling with its history' }]);
});

test('nothing that was noted just before the removal comes into the history after it', async () => {
  // Time stands nearly still: what is noted waits to be sent.
  const hub = await openWholeHub({ time: createFastTime(0.0001) });
  const { token } = await hub.addPerson('ada', 'owner');
  const { storage, devices } = hub.home;
  const id = devices.findDevice('kitchen-ceiling')?.id ?? '';
  const listNames = async () => (await storage.history.listSeries(null)).series.map(({ name }) => name);
  expect((await listNames()).filter((name) => name.includes(id))).toEqual([]);
  expect((await hub.call('DELETE /device/kitchen-ceiling?history=delete', { token })).status).toBe(204);
  const names = await listNames();
  expect(names).toContain(`${devices.findDevice('hallway-motion')?.id}/availability`);
  expect(names.filter((name) => name.includes(id))).toEqual([]);
});

test('with its history goes what a device used as a consumer of energy, and nothing else', async () => {
  const time = createPatientTime(20);
  const hub = await openWholeHub({ time });
  const { token } = await hub.addPerson('ada', 'owner');
  const { storage, devices } = hub.home;
  const id = devices.findDevice('kitchen-fridge-plug')?.id ?? '';
  const nowMs = time.clock.wallMs();
  const sample = (hoursAgo: number, value: number) => ({
    series: `${id}/energy`,
    atMs: nowMs - hoursAgo * 3_600_000,
    value,
  });
  await storage.history.importSamples(
    [{ name: `${id}/energy`, kind: 'counter', unit: 'kWh' }],
    [sample(9, 10), sample(5, 12), sample(3, 13)],
  );
  const settings = {
    grid: { import: ['kitchen-fridge-plug/energy'] },
    consumers: [{ series: 'kitchen-fridge-plug/power' }],
  };
  expect((await hub.call('PUT /energy/settings', { token, body: settings })).status).toBe(200);
  const [fromMs, toMs] = [nowMs - 10 * 3_600_000, nowMs];
  const amounts = async () => {
    const hours = await storage.energy.loadEnergyHours(fromMs, toMs);
    return [hours.length, hours.flatMap(({ flows }) => flows.import?.amount ?? []).reduce((sum, one) => sum + one, 0)];
  };
  await expect.poll(amounts).toEqual([expect.any(Number), 3]);
  const hours = (await storage.energy.loadEnergyHours(fromMs, toMs)).map((hour) => ({
    ...hour,
    consumers: new Map([[1, { amount: 1, inGap: 0, knownMs: 1, isEstimated: true, cost: null }]]),
  }));
  await storage.energy.saveEnergyHours(hours);
  expect((await hub.call('DELETE /device/kitchen-fridge-plug?history=delete', { token })).status).toBe(204);
  const after = await storage.energy.loadEnergyHours(fromMs, toMs);
  expect(after.map(({ consumers, deleted }) => [consumers.size, deleted])).toEqual(hours.map(() => [0, [1]]));
  expect((await amounts())[1]).toBe(3);
});

test('what a full disk left of the history of a removed device goes in the next hour', async () => {
  const hourly: (() => void)[] = [];
  const startTimer: StartTimer = (afterMs, run) => {
    if (afterMs === 3_600_000) hourly.push(run);
    return startSystemTimer(afterMs, run);
  };
  const hub = await openWholeHub({ time: { clock: systemClock, startTimer } });
  const { token } = await hub.addPerson('ada', 'owner');
  const { storage, devices } = hub.home;
  const id = devices.findDevice('kitchen-ceiling')?.id ?? '';
  storage.history.append({ epoch: 'e1', samples: [{ series: `${id}/on`, atMs: Date.now() - 60_000, value: true }] });
  const { deleteSamples } = storage.history;
  Object.assign(storage.history, { deleteSamples: () => Promise.reject(fullDisk()) });
  expect((await hub.call('DELETE /device/kitchen-ceiling?history=delete', { token })).status).toBe(507);
  expect(devices.findDevice('kitchen-ceiling')).toBeUndefined();
  const leftOf = async () => (await storage.history.listSeries(null)).series.filter(({ name }) => name.startsWith(id));
  expect(await leftOf()).not.toEqual([]);
  Object.assign(storage.history, { deleteSamples });
  for (const run of hourly.splice(0)) run();
  await expect.poll(leftOf).toEqual([]);
});

test('what a power cut left of the history of a removed device is deleted, and a device that stayed keeps its own', async () => {
  const meta = new Map<string, string>();
  const store = {
    loadMeta: async () => meta,
    putMeta: async (entries: ReadonlyMap<string, string>) => {
      for (const [key, value] of entries) meta.set(key, value);
    },
  };
  const [gone, kept] = ['0198f1c2-0000-7000-8000-0000000000aa', '0198f1c2-0000-7000-8000-0000000000bb'] as DeviceId[];
  const home = (ids: readonly unknown[]) => ({
    findDevice: (id: string) => (ids.includes(id) ? ({ id } as Device) : undefined),
  });
  const forgotten: string[] = [];
  const past = {
    deletion: { forgetDevice: async ({ id }: { readonly id: string }) => void forgotten.push(id) },
    energy: { deleteHours: async () => 0 },
  };
  const first = await openDeviceForgetting(store, home([gone, kept]));
  const never = (): Promise<void> => new Promise(() => undefined);
  for (const id of [gone, kept]) if (id !== undefined) void first.removeForgetting(id, never, past);
  const second = await openDeviceForgetting(store, home([kept]));
  await second.settle(past);
  expect(forgotten).toEqual([gone]);
});

test('a removal with history that failed deletes none after a later removal that keeps it', async () => {
  const meta = new Map<string, string>();
  const store = {
    loadMeta: async () => meta,
    putMeta: async (entries: ReadonlyMap<string, string>) => {
      for (const [key, value] of entries) meta.set(key, value);
    },
  };
  const id = '0198f1c2-0000-7000-8000-0000000000aa' as DeviceId;
  const forgotten: string[] = [];
  const past = {
    deletion: { forgetDevice: async (device: { readonly id: string }) => void forgotten.push(device.id) },
    energy: { deleteHours: async () => 0 },
  };
  const first = await openDeviceForgetting(store, { findDevice: () => ({ id }) as Device });
  const offline = (): Promise<void> => Promise.reject(new Error('no answer'));
  await expect(first.removeForgetting(id, offline, past)).rejects.toThrow('no answer');
  const second = await openDeviceForgetting(store, { findDevice: () => undefined });
  await second.settle(past);
  expect(forgotten).toEqual([]);
});
