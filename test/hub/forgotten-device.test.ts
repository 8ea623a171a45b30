import { expect, test } from 'vitest';
import { createFastTime } from '#test/support/machine/fast-time.ts';
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
  const hub = await openWholeHub();
  const { token } = await hub.addPerson('ada', 'owner');
  const { storage, devices } = hub.home;
  const id = devices.findDevice('kitchen-fridge-plug')?.id ?? '';
  const nowMs = Date.now();
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
