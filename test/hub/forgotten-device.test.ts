import { expect, test } from 'vitest';
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
