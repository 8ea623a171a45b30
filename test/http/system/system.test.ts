import { expect, test } from 'vitest';
import { systemInfoSchema } from '#http/system/json.ts';
import { systemRoutes } from '#http/system/routes.ts';
import { createSystemInfo } from '#hub/hub-app.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

function ask(token: string | null, stateDir = import.meta.dirname): Promise<Response> {
  const systemInfo = createSystemInfo({
    version: '1.2.3',
    stateDir,
    addresses: () => ['http://192.168.1.5:80'],
    wallMs: () => 0,
    isClockSynced: () => false,
  });
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  return Promise.resolve(createTestApp(systemRoutes({ systemInfo })).request('/api/v1/system/info', { headers }));
}

test('the answer shows the machine of the hub, as far as it can be read', async () => {
  const answer = await ask('admin');
  expect(answer.status).toBe(200);
  const info = systemInfoSchema.parse(await answer.json());
  expect(info).toMatchObject({
    version: '1.2.3',
    addresses: ['http://192.168.1.5:80'],
    clock: { now: '1970-01-01T00:00:00.000Z', synced: false },
  });
  expect(info.machine).toMatchObject({ architecture: process.arch, node: process.version });
  expect(info.machine.operating_system).toMatch(/\w/);
  expect(info.machine.memory_bytes).toBeGreaterThan(info.memory_bytes);
  expect(info.disk.total_bytes).toBeGreaterThan(info.disk.free_bytes ?? Infinity);
});

test.each([
  ['resident', 403],
  ['guest', 403],
  [null, 401],
])('%s does not see it', async (token, status) => {
  expect((await ask(token)).status).toBe(status);
});

test('a missing state folder does not hide the rest', async () => {
  const info = systemInfoSchema.parse(await (await ask('owner', '/nowhere/at/all')).json());
  expect(info.disk).toEqual({ free_bytes: null, total_bytes: null });
});
