import { systemClock } from '#base/time/clock.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createImportTurn } from '#core/past/archive/archive-import.ts';
import type { House } from '#core/past/history/house-series.ts';
import type { Sample } from '#core/past/history/sample.ts';
import type { UserId } from '#core/person/user.ts';
import { historyRoutes } from '#http/history/routes.ts';
import { createAnswers, createHistory } from '#test/core/past/history/sampled-history.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import type { AppDeps } from '#http/app.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

const HOUR_MS = 3_600_000;
export const NOW_MS = Date.parse('2026-11-22T10:00:00.000Z');
export const ago = (hours: number): number => NOW_MS - hours * HOUR_MS;

const SAMPLES: readonly Sample[] = [
  { atMs: ago(30), value: 19 },
  { atMs: ago(3), value: 20 },
  { atMs: ago(2), value: { gap: 'hub_off', isUncertain: true } },
  { atMs: ago(1), value: 22 },
];

type AnswerJson = {
  readonly code?: string;
  readonly to: number;
  readonly next: string | null;
  readonly series: readonly { readonly series: string; readonly kind: string; readonly rows: readonly number[][] }[];
};

export const ADA = { id: 'user-resident' as UserId, name: 'Ada' };

type Authenticate = AppDeps['authenticate'];
const NO_HOUSE: House = { modes: () => [], variables: () => [], presences: () => [] };

/** The calls of history on a home with one lamp, whose every series has these samples. */
export async function openHistoryApp(
  samples = SAMPLES,
  history = createHistory(samples),
  { house = NO_HOUSE, authenticate }: { readonly house?: House; readonly authenticate?: Authenticate } = {},
) {
  const home = await openDeviceHome();
  const energy = createFeature('energy', { capability: 'energy', valueType: 'number', unit: 'kWh' });
  await home.reports.syncDevices([lamp('a', { features: [...lamp('a').features, energy] })]);
  const importTurn = createImportTurn();
  const routes = historyRoutes({
    history,
    answerHistory: createAnswers(history),
    timeZone: () => createTimeZone('Asia/Kathmandu'),
    nowMs: () => NOW_MS,
    monotonicMs: systemClock.monotonicMs,
    registry: home.registry,
    house,
    startTimer: home.time.startTimer,
    findRoom: home.rooms.findRoom,
    accounts: { findUser: (id) => (id === ADA.id ? ADA : undefined) },
    automations: { find: () => undefined, findInTrash: () => undefined },
    importTurn,
  });
  const { app, request } = createTestApp(routes, authenticate && { authenticate });
  const get = async (path: string, who = 'resident', signal?: AbortSignal) => {
    const headers = { Authorization: `Bearer ${who}` };
    const answer = await request(path, { headers, ...(signal && { signal }) });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as AnswerJson };
  };
  const getText = async (path: string, more: Readonly<Record<string, string>> = {}) => {
    const answer = await request(path, { headers: { Authorization: 'Bearer resident', ...more } });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  /** An answer that is not read yet, nor compared with the document. */
  const open = (path: string, who = 'resident') =>
    app.fetch(new Request(`http://hub.local${path}`, { headers: { Authorization: `Bearer ${who}` } }));
  return { ...home, get, getText, open, send: request, importTurn, device: home.device('a') };
}
