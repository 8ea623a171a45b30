import { expect, test } from 'vitest';
import type { DeviceId } from '#core/device/device.ts';
import { createHistoryDeletion } from '#core/past/history/history-deletion.ts';
import type { HistoryStore, NewSample } from '#core/past/history/history-store.ts';
import { deletionRoutes } from '#http/history/deletion.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { readRows } from '#test/storage/history/history-harness.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';

const HOUR_MS = 3_600_000;
const ONE = '0198f1c2-0000-7000-8000-0000000000aa';

/** A hub's storage with three samples each of a lamp, of a device that was removed, and of the hub itself. */
async function openApp() {
  const engine = createBench().open();
  const { history } = engine.operations;
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a')]);
  const { id } = home.device('a');
  const series = [`${id}/power`, `${id}/on`, `thinned/${id}/power`, `${ONE}/power`, 'hub/recording'];
  for (const hours of [3, 2, 1]) {
    const samples = series.map((name) => ({ series: name, atMs: NOW_MS - hours * HOUR_MS, value: hours }));
    history.append({ epoch: 'e1', samples });
  }
  const store: Pick<HistoryStore, 'listSeries' | 'deleteSamples' | 'eraseDeleted' | 'scrub'> = {
    listSeries: async (after) => history.listSeries(after),
    deleteSamples: async (ranges) => history.deleteSamples(ranges),
    eraseDeleted: async () => history.eraseDeleted(),
    scrub: async () => history.scrub(),
  };
  const waiting: NewSample[] = [];
  const deletion = createHistoryDeletion({
    sendWaiting: () => history.append({ epoch: 'e1', samples: waiting.splice(0) }),
    history: store,
    nowMs: () => NOW_MS,
    log: createRecordingLog().log,
  });
  const { request } = createTestApp(deletionRoutes({ deletion, registry: home.registry, nowMs: () => NOW_MS }));
  const ask = async (query: string, who = 'owner') => {
    const answer = await request(`/api/v1/history${query}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${who}` },
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  /** The hours ago of what can still be read. */
  const left = () =>
    series.map((name) => readRows(engine, name).map(([sinceMs, value]) => [-sinceMs / HOUR_MS, value]));
  return { ask, left, id, history, waiting, forgetDevice: deletion.forgetDevice };
}

const WHOLE = [
  [3, 3],
  [2, 2],
  [1, 1],
];

test('the history of a feature is deleted with the marks of what was left out of it', async () => {
  const { ask, left, id } = await openApp();
  const { body } = await ask(`?series=a/power&secure=true`);
  expect(body).toMatchObject({ series: 2, from: null, dry_run: false });
  const [power, on, thinned, removed, hub] = left();
  expect([power?.length, thinned?.length]).toEqual([1, 1]);
  expect([on, removed, hub]).toEqual([WHOLE, WHOLE, WHOLE]);
  expect((await ask(`?series=${id}&dry_run=true`)).body).toMatchObject({ series: 1, dry_run: true });
  expect(left()[1]).toEqual(WHOLE);
});

test('the history of a mode is deleted by its name', async () => {
  const { ask, left, history } = await openApp();
  history.append({ epoch: 'e1', samples: [{ series: 'mode/home', atMs: NOW_MS - HOUR_MS, value: 'night' }] });
  expect((await ask('?series=mode/home')).body).toMatchObject({ series: 1 });
  expect(history.findBefore('mode/home', NOW_MS - HOUR_MS / 2)).toBeNull();
  expect(left()).toEqual([WHOLE, WHOLE, WHOLE, WHOLE, WHOLE]);
});

test('the history of a removed device is deleted by its id', async () => {
  const { ask, left } = await openApp();
  expect((await ask(`?series=${ONE}`)).body).toMatchObject({ series: 1 });
  expect(left()[3]).toEqual([[-0, 1]]);
  expect(left()[0]).toEqual(WHOLE);
});

test('a time is deleted of everything but of when the hub ran', async () => {
  const { ask, left } = await openApp();
  expect((await ask('?from=-150m&to=-90m')).body).toMatchObject({ series: 4 });
  const expected = [
    [3, 3],
    [2.5, { gap: 'deleted' }],
    [1.5, 2],
    [1, 1],
  ];
  expect(left()).toEqual([expected, expected, expected, expected, WHOLE]);
});

test.each([
  ['', 'INVALID_QUERY'],
  ['?series=nobody', 'NOT_FOUND'],
  ['?series=a/power&from=-1h&to=-2h', 'HISTORY_RANGE'],
  ['?from=tomorrow', 'INVALID_QUERY'],
  ['?to=-1h&series=', 'INVALID_QUERY'],
])('nothing is deleted by %s', async (query, code) => {
  const { ask, left } = await openApp();
  expect((await ask(query)).body['code']).toBe(code);
  expect(left()).toEqual([WHOLE, WHOLE, WHOLE, WHOLE, WHOLE]);
});

test('nobody but an owner deletes history', async () => {
  const { ask, left } = await openApp();
  for (const who of ['admin', 'resident', 'guest']) expect((await ask('?from=-2h', who)).status).toBe(403);
  expect(left()).toEqual([WHOLE, WHOLE, WHOLE, WHOLE, WHOLE]);
});

test('nothing is left of a removed device, not even what it told last', async () => {
  const { left, id, history, forgetDevice } = await openApp();
  await forgetDevice({ id });
  // A busy journal files a sample later than it was noted.
  const removal = { series: `${id}/power`, atMs: NOW_MS + 100, value: { gap: 'offline' as const } };
  history.append({ epoch: 'e1', samples: [removal] });
  expect(left()).toEqual([[], [], [], WHOLE, WHOLE]);
});

test('nothing is left of a device of which nothing was stored before its removal', async () => {
  const { history, waiting, forgetDevice } = await openApp();
  const fresh = '0198f1c2-0000-7000-8000-0000000000bb' as DeviceId;
  waiting.push({ series: `${fresh}/power`, atMs: NOW_MS, value: 3 });
  // As when the clock went back since it was noted.
  waiting.push({ series: `${fresh}/energy`, atMs: NOW_MS + 60_000, value: 4 });
  await forgetDevice({ id: fresh });
  expect(waiting).toEqual([]);
  expect(history.listSeries(null).series.filter(({ name }) => name.startsWith(fresh))).toEqual([]);
});
