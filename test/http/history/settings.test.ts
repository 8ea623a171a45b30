import { expect, test } from 'vitest';
import { openHistorySettings } from '#core/past/history/history-settings.ts';
import { openRecordingSettings } from '#core/past/history/recording-settings.ts';
import { historySettingsRoutes } from '#http/history/settings.ts';
import { createMemoryRecordings } from '#test/core/past/history/memory-recordings.ts';
import { lamp, openDeviceHome, TEMPERATURE } from '#test/support/hub/device-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const MONTHS = [
  { month: '2026-09', bytes: 3000, isClosed: true },
  { month: '2026-10', bytes: 2000, isClosed: false },
];

async function openApp(meta = new Map<string, string>()) {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a')]);
  const room = await home.rooms.addRoom('Kitchen');
  const { log, lines } = createRecordingLog();
  const store = {
    loadMeta: async () => meta,
    putMeta: async (entries: ReadonlyMap<string, string>) => {
      for (const [key, value] of entries) meta.set(key, value);
    },
  };
  const settings = await openHistorySettings(store, log);
  const recording = await openRecordingSettings(createMemoryRecordings(), settings.ruleOf);
  const routes = historySettingsRoutes({
    historySettings: {
      ...settings,
      findOld: async ({ rawDays }) => (rawDays < 60 ? ['2026-09'] : []),
      readUsage: async () => ({ months: MONTHS, bytes: 5000 }),
    },
    registry: home.registry,
    findRoom: home.rooms.findRoom,
  });
  const { request } = createTestApp(routes);
  const ask = async (body?: object, query = '', [who, ifMatch = '*']: readonly string[] = ['admin']) => {
    const answer = await request(`/api/v1/history/settings${query}`, {
      method: body === undefined ? 'GET' : 'PATCH',
      headers: { Authorization: `Bearer ${who}`, 'Content-Type': 'application/json', 'If-Match': ifMatch },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const etag = answer.headers.get('etag') ?? '';
    return { status: answer.status, etag, body: (await answer.json()) as Record<string, unknown> };
  };
  return { ask, meta, lines, recording, room, device: home.device('a') };
}

const USUAL = { raw_days: 400, max_bytes: null, per: [], bytes: 5000, removes: { months: [], bytes: 0 } };

test('a change that is based on earlier settings is refused', async () => {
  const { ask } = await openApp();
  const { etag } = await ask();
  const change = (days: number) => ask({ raw_days: days }, '', ['admin', etag]);
  expect([(await change(50)).status, (await change(60)).status]).toEqual([200, 412]);
});

test('a rule may keep samples for fewer days, and decide nothing else', async () => {
  const { ask, meta, room } = await openApp();
  const { body } = await ask({ per: [{ match: { room: 'kitchen' }, raw_days: 30 }] });
  const rule = { match: { room: room.id }, recording: 'auto', raw_days: 30 };
  expect(body['per']).toEqual([rule]);
  const again = await openApp(meta);
  expect((await again.ask()).body['per']).toEqual([rule]);
  expect((await ask({ per: [{ match: { capability: 'on' }, raw_days: 0 }] })).status).toBe(422);
});

test('what goes is shown before, and the settings stay through a restart', async () => {
  const { ask, meta } = await openApp();
  expect((await ask()).body).toEqual(USUAL);
  const lowered = { ...USUAL, raw_days: 30, removes: { months: ['2026-09'], bytes: 3000 } };
  expect((await ask({ raw_days: 30 }, '?dry_run=true')).body).toEqual(lowered);
  expect((await ask()).body).toEqual(USUAL);
  expect((await ask({ raw_days: 30, max_bytes: 2_000_000 })).body).toEqual({ ...lowered, max_bytes: 2_000_000 });
  const again = await openApp(meta);
  expect((await again.ask()).body).toMatchObject({ raw_days: 30, max_bytes: 2_000_000 });
});

test('the first rule that fits decides about a feature that is itself auto', async () => {
  const { ask, recording, room, device } = await openApp();
  const per = [
    { match: { device: 'a' }, recording: 'on' },
    { match: { capability: 'temperature' }, recording: 'off' },
    { match: { room: room.selector }, recording: 'off' },
  ];
  const { body } = await ask({ per: per.slice(1) });
  expect(body['per']).toEqual([
    { ...per[1], raw_days: null },
    { match: { room: room.id }, recording: 'off', raw_days: null },
  ]);
  expect(recording.isRecorded(device, TEMPERATURE)).toBe(false);
  await recording.update(device, TEMPERATURE, { change: { mode: 'on' }, authorize: () => undefined });
  expect(recording.isRecorded(device, TEMPERATURE)).toBe(true);
  await recording.update(device, TEMPERATURE, { change: { mode: 'auto' }, authorize: () => undefined });
  await ask({ per });
  expect(recording.isRecorded(device, TEMPERATURE)).toBe(true);
  await ask({ per: per.slice(2) });
  expect(recording.isRecorded(device, TEMPERATURE)).toBe(true);
  expect(recording.isRecorded({ ...device, roomId: room.id }, TEMPERATURE)).toBe(false);
});

test.each([
  [{ raw_days: 0 }, '/raw_days'],
  [{ raw_days: 1e9 }, '/raw_days'],
  [{ max_bytes: 5 }, '/max_bytes'],
  [{ per: [{ match: {}, recording: 'off' }] }, '/per/0/match'],
  [{ per: [{ match: { room: 'a', device: 'a' }, recording: 'off' }] }, '/per/0/match'],
  [{ per: [{ match: { room: 'cellar' }, recording: 'off' }] }, '/per/0/match/room'],
  [{ per: [{ match: { device: 'nobody' }, recording: 'off' }] }, '/per/0/match/device'],
  [{ per: [{ match: { capability: 'on' }, recording: 'maybe' }] }, '/per/0/recording'],
])('wrong settings change nothing: %j', async (body, pointer) => {
  const { ask } = await openApp();
  expect((await ask(body)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer }] });
  expect((await ask()).body).toEqual(USUAL);
});

test.each(['{', '{"rawDays":"x"}', '{"rawDays":30,"maxBytes":null,"per":[{"match":{},"recording":"off"}]}'])(
  'settings that nobody wrote are the usual ones, and the log says so: %s',
  async (text) => {
    const { ask, lines } = await openApp(new Map([['history_settings', text]]));
    expect((await ask()).body).toEqual(USUAL);
    expect(lines.join()).toContain('settings of history cannot be read');
  },
);

test('rules whose room or device is gone stay, and hold up no other rule', async () => {
  const rule = (match: object) => ({ match, recording: 'off', rawDays: null });
  const per = [rule({ room: 'gone-room' }), rule({ device: 'gone-device' })];
  const { ask } = await openApp(new Map([['history_settings', JSON.stringify({ rawDays: 400, maxBytes: null, per })]]));
  const shown = (await ask()).body['per'] as object[];
  const added = { match: { capability: 'on' }, recording: 'off', raw_days: 7 };
  expect((await ask({ per: [...shown, added] })).body['per']).toEqual([...shown, added]);
  expect((await ask({ per: [shown[1], added] })).body['per']).toEqual([shown[1], added]);
  expect((await ask({ per: shown })).body).toMatchObject({ errors: [{ pointer: '/per/0/match/room' }] });
});

test('a person who lives here neither sees nor changes them', async () => {
  const { ask } = await openApp();
  expect([(await ask(undefined, '', ['resident'])).status, (await ask({}, '', ['resident'])).status]).toEqual([
    403, 403,
  ]);
});
