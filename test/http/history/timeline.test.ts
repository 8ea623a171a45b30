import { describe, expect, test } from 'vitest';
import { seriesOf } from '#core/past/history/recorder.ts';
import { type Sample, HOME_TIMELINE, timelineOf } from '#core/past/history/sample.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { UserId } from '#core/person/user.ts';
import { type StoredEntry, textFromEntry } from '#core/past/timeline/timeline-line.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { ADA, ago, openHistoryApp } from './history-app.ts';

const PATH = '/api/v1/history/timeline';
const CAUSE = { command: 'c1', scene: null, automation: null, run: null, depth: 0 };
const by = (userId: UserId) => ({ type: 'session' as const, id: `session-of-${userId}`, userId });

type LineJson = Readonly<Record<string, unknown>> & { readonly type: string; readonly by: unknown };

async function openApp() {
  const stores = new Map<string, HistoryStore>();
  const none = createHistory([]);
  const app = await openHistoryApp([], {
    ...none,
    findBefore: (series, atMs) => (stores.get(series) ?? none).findBefore(series, atMs),
    readSlice: (range, after) => (stores.get(range.series) ?? none).readSlice(range, after),
  });
  const write = (series: string, entries: readonly (readonly [hours: number, StoredEntry])[]): void => {
    const samples = entries.map(([hours, entry]) => ({ atMs: ago(hours), value: textFromEntry(entry) }));
    stores.set(series, createHistory(samples));
  };
  write(timelineOf(app.device.id), [
    [50, { type: 'device.added' }],
    [5, { type: 'feature.changed', key: 'on', value: true, cause: CAUSE, by: by(ADA.id) }],
    [
      3,
      {
        type: 'command.finished',
        command: 'c2',
        status: 'failed',
        reason: 'no answer',
        code: 'DEVICE_OFFLINE',
        wishes: { on: true },
        cause: { ...CAUSE, command: null },
        by: by('user-owner' as UserId),
      },
    ],
  ]);
  const sampled = (key: string, samples: readonly Sample[]) =>
    void stores.set(seriesOf(app.device, key), createHistory(samples));
  sampled('on', [
    { atMs: ago(49), value: false },
    { atMs: ago(5) + 50, value: true },
    { atMs: ago(4), value: false },
    { atMs: ago(3.5), value: { gap: 'hub_off' } },
    { atMs: ago(3.4), value: false },
  ]);
  sampled('button', [{ atMs: ago(2), value: 'single' }]);
  sampled('temperature', [{ atMs: ago(2), value: 20 }]);
  write(HOME_TIMELINE, [[1, { type: 'integration.changed', integration: 'mqtt', state: 'error', error: 'auth' }]]);
  const read = async (query = '', who = 'resident') => {
    const { status, body } = await app.get(`${PATH}${query}`, who);
    const { lines = [], next, code } = body as unknown as { lines?: LineJson[]; next: string | null; code?: string };
    return { status, lines, next, code };
  };
  return { ...app, read };
}

const typesOf = ({ lines }: { readonly lines: readonly LineJson[] }): string[] => lines.map(({ type }) => type);

describe('the timeline', () => {
  test('has the newest first, each with what caused it as far as the caller may know', async () => {
    const { read, device } = await openApp();
    const { lines, next } = await read();
    const ref = { id: device.id, selector: 'a', name: 'a' };
    const nobody = { cause: null, by: null };
    expect(next).toBeNull();
    expect(lines).toMatchObject([
      {
        type: 'integration.changed',
        device: null,
        integration: { id: 'mqtt', status: 'error', error: 'auth' },
        ...nobody,
      },
      { type: 'feature.occurred', device: { id: ref.id }, feature: { key: 'button', action: 'single' }, ...nobody },
      { type: 'feature.changed', at: '2026-11-22T06:00:00.000Z', feature: { key: 'on', value: false }, ...nobody },
      {
        type: 'feature.changed',
        feature: { key: 'on', value: true },
        cause: CAUSE,
        by: { type: 'session', id: 'session-of-user-resident', user: ADA },
      },
      { type: 'device.added', ...nobody },
    ]);
  });

  test('has commands of others only for those who may see them', async () => {
    const { read } = await openApp();
    const commands = async (who: string) => (await read('?types=command.finished', who)).lines;
    expect(await commands('resident')).toEqual([]);
    expect(await commands('admin')).toMatchObject([
      { command: { id: 'c2', status: 'failed', reason: 'no answer', set: { on: true } }, by: { user: null } },
    ]);
  });

  test('is of one device, a time or some types', async () => {
    const { read } = await openApp();
    expect(typesOf(await read('?device=a&from=-150m'))).toEqual(['feature.occurred']);
    expect(typesOf(await read('?to=-24h'))).toEqual(['device.added']);
    expect(typesOf(await read('?types=device.added,integration.changed'))).toEqual([
      'integration.changed',
      'device.added',
    ]);
  });

  test('goes on with older lines', async () => {
    const { read } = await openApp();
    const found: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const page = await read(query);
      found.push(...typesOf(page));
      if (page.next === null) break;
      query = `?limit=2&cursor=${page.next}`;
    }
    expect(found).toEqual(typesOf(await read()));
  });

  test.each([
    ['?device=b', '404 NOT_FOUND'],
    ['?room=cellar', '404 NOT_FOUND'],
    ['?types=weather.changed', '400 INVALID_QUERY'],
    ['?cursor=x', '400 INVALID_QUERY'],
    ['?from=-1h&to=-2h', '400 HISTORY_RANGE'],
    ['?limit=1001', '400 INVALID_QUERY'],
  ])('refuses %s with %s', async (query, refusal) => {
    const { read } = await openApp();
    const { status, code } = await read(query);
    expect(`${status} ${code}`).toBe(refusal);
  });

  test('is nothing for guests', async () => {
    const { read } = await openApp();
    expect((await read('', 'guest')).status).toBe(403);
  });
});
