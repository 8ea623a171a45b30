import { expect, test } from 'vitest';
import { recordingRoutes } from '#http/history/recording.ts';
import { openMemoryRecording } from '#test/core/past/history/memory-recordings.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

async function openApp() {
  const home = await openDeviceHome();
  const quality = createFeature('link_quality', { capability: 'link_quality', valueType: 'number' });
  await home.reports.syncDevices([lamp('a', { features: [...lamp('a').features, quality] })]);
  const { request } = createTestApp(
    recordingRoutes({ recording: await openMemoryRecording(), registry: home.registry }),
  );
  const ask = async (key: string, body?: object, who = 'admin') => {
    const answer = await request(`/api/v1/device/a/feature/${key}/recording`, {
      method: body === undefined ? 'GET' : 'PATCH',
      headers: { Authorization: `Bearer ${who}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { ask, home };
}

test('a feature is recorded as the hub decides, until a person decides', async () => {
  const { ask } = await openApp();
  const usual = { mode: 'auto', min_interval_s: null, deadband: null, recorded: true };
  expect((await ask('temperature')).body).toEqual(usual);
  const changed = { ...usual, min_interval_s: 60, deadband: 0.5 };
  expect(await ask('temperature', { min_interval_s: 60, deadband: 0.5 })).toEqual({ status: 200, body: changed });
  expect((await ask('temperature', { mode: 'off' })).body).toEqual({ ...changed, mode: 'off', recorded: false });
  expect((await ask('temperature', {}, 'admin')).body).toMatchObject({ mode: 'off', deadband: 0.5 });
  await ask('temperature', { mode: 'auto', min_interval_s: null, deadband: null });
  expect((await ask('temperature', undefined, 'resident')).body).toEqual(usual);
});

test.each([
  ['link_quality', { mode: 'on' }, 'NOT_SUPPORTED', undefined],
  ['nothing', { mode: 'on' }, 'NOT_FOUND', undefined],
  ['on', { deadband: 1 }, 'VALIDATION_FAILED', '/deadband'],
  ['button', { min_interval_s: 5 }, 'VALIDATION_FAILED', '/min_interval_s'],
  ['temperature', { deadband: 0 }, 'VALIDATION_FAILED', '/deadband'],
  ['temperature', { deadband: 1e300 }, 'VALIDATION_FAILED', '/deadband'],
  ['temperature', { min_interval_s: 0.5 }, 'VALIDATION_FAILED', '/min_interval_s'],
  ['temperature', { min_interval_s: 86_401 }, 'VALIDATION_FAILED', '/min_interval_s'],
  ['temperature', { mode: 'maybe' }, 'VALIDATION_FAILED', '/mode'],
  ['temperature', { modus: 'on' }, 'VALIDATION_FAILED', '/modus'],
])('what cannot be recorded in that way is refused: %s %j', async (...row) => {
  const [key, body, code, pointer] = row;
  const { ask } = await openApp();
  const errors = pointer === undefined ? {} : { errors: [{ pointer }] };
  expect((await ask(key, body)).body).toMatchObject({ code, ...errors });
});

test('a person who lives here sees how features are recorded, and changes nothing', async () => {
  const { ask } = await openApp();
  expect((await ask('temperature', { mode: 'off' }, 'resident')).status).toBe(403);
  expect((await ask('temperature', undefined, 'guest')).status).toBe(403);
});
