import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { PausedRecording } from '#core/past/history/tracks/recording-budget.ts';
import { createHubHealth } from '#hub/hub-health.ts';
import type { IntegrationReport } from '#integrations/supervisor.ts';
import type { Advertised } from '#lan/mdns/mdns.ts';
import type { StorageHealth } from '#storage/open/storage-health.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const DAY_MS = 86_400_000;
const WELL: StorageHealth = {
  database: 'ok',
  readOnly: false,
  recovered: null,
  setAside: [],
  asideTotals: { records: 0, bytes: 0, untilMs: null },
  lastBackup: null,
  backupFailure: null,
  bytesWritten: 0,
  freeBytes: 1000,
  totalBytes: 10_000,
};

function openHealth(startWallMs?: number) {
  const time = createManualTime(startWallMs);
  const { log, lines } = createRecordingLog();
  const now: {
    storage: StorageHealth | Error;
    pausedSinceMs: number | null;
    unusable: { file: string; reason: string }[];
    month: { use: { bytes: number }; maxBytes: number } | null;
    leftOut: PausedRecording[];
    isPutOff: boolean;
    backMs: number;
    isSynced: boolean;
    advertised: Advertised;
    reports: IntegrationReport[];
    exporters: { exporter: { id: string; name: string | null }; state: { status: string; behindS: number } }[];
  } = {
    storage: WELL,
    pausedSinceMs: null,
    unusable: [],
    month: null,
    leftOut: [],
    isPutOff: false,
    backMs: 0,
    isSynced: true,
    advertised: { host: 'hearthd.local', conflict: null },
    reports: [],
    exporters: [],
  };
  const hub = {
    storage: {
      health: async () => {
        if (now.storage instanceof Error) throw now.storage;
        return now.storage;
      },
      history: {
        readUsage: async () => {
          const { pausedSinceMs, unusable } = now;
          return { bytes: 4096, waitingSamples: 12, pausedSinceMs, unusable };
        },
      },
    },
    supervisor: { reports: () => now.reports },
    devices: { devices: () => [] },
    exporters: { exporters: () => now.exporters },
    areAutomationsPutOff: () => now.isPutOff,
    historyRoom: { month: () => now.month, paused: () => now.leftOut },
  } as unknown as Parameters<typeof createHubHealth>[0];
  const clock = { ...time.clock, wallMs: () => time.clock.wallMs() - now.backMs };
  const hubClock = {
    nowMs: time.clock.wallMs,
    isSynced: () => now.isSynced,
    source: () => (now.isSynced ? 'synced' : 'none'),
  } as const;
  const health = createHubHealth({
    ...hub,
    onLook: () => undefined,
    clock,
    hubClock,
    addresses: () => [],
    advertised: () => now.advertised,
    eventClients: () => 0,
    version: '0.1.0',
  });
  const writtenToday = async (bytesWritten: number): Promise<unknown> => {
    now.storage = { ...WELL, bytesWritten };
    return (await health.details())['disk'];
  };
  return { health, now, time, log, lines, writtenToday };
}

test('an exporter that fails is shown, and is no fault of the hub', async () => {
  const { health, now } = openHealth();
  now.exporters = [{ exporter: { id: 'x', name: 'Influx' }, state: { status: 'failing', behindS: 90 } }];
  const { status, exporters } = await health.details();
  expect(status).toBe('ok');
  expect(exporters).toEqual([{ id: 'x', name: 'Influx', status: 'failing', behind_s: 90 }]);
});

test('S8: the status follows the storage even if the details are never read', async () => {
  const { health, now, time, log, lines } = openHealth();
  const stop = health.watch(time.startTimer, log);
  await time.advance(0);
  expect(health.status()).toBe('ok');
  for (const [storage, expected] of [
    [{ ...WELL, database: 'full' }, 'degraded'],
    [WELL, 'ok'],
    [{ ...WELL, readOnly: true }, 'degraded'],
    [{ ...WELL, setAside: [{ noun: 'scene', id: 'a', reason: 'x', atMs: 0 }] }, 'degraded'],
    [{ ...WELL, backupFailure: { atMs: 0, message: 'The disk is full.' } }, 'degraded'],
    [new HubError('STORAGE_UNAVAILABLE', 'The storage is not running.'), 'degraded'],
    [WELL, 'ok'],
  ] as const) {
    now.storage = storage;
    await time.advance(60_000);
    expect(health.status()).toBe(expected);
  }
  expect(lines).toHaveLength(1);
  stop();
  expect(time.pendingMs()).toEqual([]);
});

test('an integration that waits for a person degrades the hub, one that cannot reach its device does not', () => {
  const { health, now } = openHealth();
  const statusWith = (state: IntegrationReport['status']['state'], code: string): string => {
    now.reports = [{ id: 'a', name: 'A', devices: 0, status: { state, sinceMs: 0, error: { code, message: '' } } }];
    return health.status();
  };
  expect(statusWith('error', 'CONNECTION_REFUSED')).toBe('ok');
  expect(statusWith('needs_action', 'SECRET_MISSING')).toBe('degraded');
  expect(statusWith('connected', 'TOO_MANY_DEVICES')).toBe('degraded');
});

test('automations that are put off degrade the health, which says so', async () => {
  const { health, now } = openHealth();
  expect([health.status(), (await health.details())['put_off']]).toEqual(['ok', []]);
  now.isPutOff = true;
  expect([health.status(), (await health.details())['put_off']]).toEqual(['degraded', ['automations']]);
});

test('the count of bytes written today restarts at midnight, even if the clock jumps or starts in 1970', async () => {
  const written = (bytes: number): unknown => ({ free_bytes: 1000, written_today_bytes: bytes });
  const hub = openHealth(0);
  expect(await hub.writtenToday(100)).toEqual(written(100));
  hub.now.backMs = -20_000 * DAY_MS;
  await hub.writtenToday(150);
  expect(await hub.writtenToday(250)).toEqual(written(100));
  hub.now.backMs -= DAY_MS;
  await hub.writtenToday(300);
  expect(await hub.writtenToday(340)).toEqual(written(40));
  hub.now.backMs = 0;
  expect(await hub.writtenToday(340)).toEqual(written(0));
});

test('C1: the details say whether the time of day can be trusted, and give the hub’s own time', async () => {
  const { health, now } = openHealth(Date.UTC(2026, 0, 1));
  expect((await health.details())['clock']).toEqual({
    now: '2026-01-01T00:00:00.000Z',
    hub_time: '2026-01-01T00:00:00.000Z',
    synced: true,
    source: 'synced',
    detail: 'The clock of the machine is synchronised.',
  });
  Object.assign(now, { isSynced: false, backMs: Date.UTC(2026, 0, 1) });
  expect((await health.details())['clock']).toMatchObject({
    now: '1970-01-01T00:00:00.000Z',
    hub_time: '2026-01-01T00:00:00.000Z',
    synced: false,
    detail: expect.stringContaining('not synchronised'),
  });
});

test('the details give the name of the hub in the network, and a host that uses the same name', async () => {
  const { health, now } = openHealth();
  expect((await health.details())['advertised']).toEqual({ host: 'hearthd.local', conflict: null });
  const conflict = { name: 'hearthd.local', holder: '192.168.1.66' };
  now.advertised = { host: 'hearthd-2.local', conflict };
  const details = await health.details();
  expect(details['advertised']).toEqual({ host: 'hearthd-2.local', conflict });
  expect(details['status']).toBe('ok');
});

test('the vitals have the integrations that are on, and the bytes as of the last look at the storage', async () => {
  const { health, now, time, log } = openHealth();
  expect(health.vitals()).toMatchObject({ bytesWritten: null, devices: 0, eventClients: 0, integrations: [] });
  now.storage = { ...WELL, bytesWritten: 4096 };
  const stop = health.watch(time.startTimer, log);
  await time.advance(0);
  now.reports = (['connected', 'error', 'off'] as const).map((state) => ({
    id: state,
    name: state,
    devices: 0,
    status: { state, sinceMs: 0, error: null },
  }));
  now.storage = new HubError('STORAGE_UNAVAILABLE', 'The storage is not running.');
  await time.advance(60_000);
  stop();
  expect(health.vitals()).toMatchObject({
    bytesWritten: 4096,
    integrations: [
      { id: 'connected', isUp: true },
      { id: 'error', isUp: false },
    ],
  });
});

test('a history that is dropped degrades the health, which says since when', async () => {
  const { health, now } = openHealth();
  expect(await health.details()).toMatchObject({
    status: 'ok',
    history: { bytes: 4096, waiting_samples: 12, paused_since: null, unusable: [] },
  });
  now.pausedSinceMs = Date.parse('2026-11-22T10:00:00Z');
  expect(await health.details()).toMatchObject({
    status: 'degraded',
    history: { paused_since: '2026-11-22T10:00:00.000Z' },
  });
});

test('a month of history that the hub may not use degrades the health, which names it', async () => {
  const { health, now } = openHealth();
  now.unusable = [{ file: '2026-11', reason: 'not_permitted' }];
  expect(await health.details()).toMatchObject({ status: 'degraded', history: { unusable: now.unusable } });
  now.unusable = [];
  expect(await health.details()).toMatchObject({ status: 'ok', history: { unusable: [] } });
});

test('the details say how full the month is and whose samples are left out, which is no fault of the hub', async () => {
  const { health, now } = openHealth();
  expect(await health.details()).toMatchObject({ history: { open_month: null, left_out: [] } });
  now.month = { use: { bytes: 4_000 }, maxBytes: 5_000.5 };
  now.leftOut = [{ kind: 'device', id: 'a', reason: 'month', sinceMs: Date.parse('2026-11-22T10:00:00Z') }];
  expect(await health.details()).toMatchObject({
    status: 'ok',
    history: {
      open_month: { bytes: 4_000, max_bytes: 5_000 },
      left_out: [{ kind: 'device', id: 'a', reason: 'month', since: '2026-11-22T10:00:00.000Z' }],
    },
  });
});

test('the failure of an integration has its reason, as everywhere in the API', async () => {
  const { now, health } = openHealth();
  const error = { code: 'CONNECTION_REFUSED', message: 'no' } as const;
  now.reports = [{ id: 'a', name: 'A', devices: 0, status: { state: 'error', sinceMs: 0, error } }];
  const { integrations } = (await health.details()) as unknown as {
    integrations: readonly { error: { reason: object } }[];
  };
  expect(integrations[0]?.error.reason).toEqual({ id: expect.any(String), with: {} });
});
