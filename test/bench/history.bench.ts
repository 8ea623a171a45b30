import { rmSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'vitest';
import { makeFolder } from '#test/storage/storage-harness.ts';
import { type BenchHub, startBenchHub } from './support/bench-hub.ts';
import { startChild } from './support/child.ts';
import { median } from '#test/support/median.ts';
import { percentile, recordFigure, ROUNDS } from './support/figure.ts';
import { loadHttp } from './support/http-load.ts';
import { deviceSelector, makePast, type Past } from './support/history/reference-past.ts';
import { mainThreadUs } from './support/process-cost.ts';
import { findBusiestThread, renice } from './support/history/thread-priority.ts';
import { copyToRows, type SampleRows } from './support/history/sample-rows.ts';

const DAYS = Number(process.env['DAYS'] ?? 365);
const LAMPS = 100;
const POINTS = 500;
const DAY_MS = 86_400_000;
/** The first meters and thermometers of the reference home. */
const METERS = [80, 81, 82, 83, 84];
const THERMOMETERS = [0, 1, 2, 3, 4];
const ms = (value: number): string => `${value.toFixed(2)} ms`;

type Question = {
  readonly what: string;
  readonly features: readonly number[];
  readonly days: number;
  readonly wantedMs: number;
};
const QUESTIONS: readonly Question[] = [
  { what: 'a meter, 24 h', features: METERS.slice(0, 1), days: 1, wantedMs: 15 },
  { what: 'a meter, 30 d', features: METERS.slice(0, 1), days: 30, wantedMs: 60 },
  { what: 'a meter, a year', features: METERS.slice(0, 1), days: 365, wantedMs: 60 },
  { what: 'a thermometer, 30 d', features: THERMOMETERS.slice(0, 1), days: 30, wantedMs: 60 },
  { what: 'ten series, 24 h', features: [...METERS, ...THERMOMETERS], days: 1, wantedMs: 60 },
];

function pathOf({ series, toMs }: Past, { features, days }: Question): string {
  const names = features.map((index) => `${deviceSelector(index)}/${series[index]?.name.split('/')[1] ?? ''}`);
  const at = (atMs: number): string => new Date(atMs).toISOString();
  const range = `from=${at(toMs - days * DAY_MS)}&to=${at(toMs)}&points=${POINTS}`;
  return `/api/v1/history?series=${names.join(',')}&${range}`;
}

type Times = {
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the thread that answers requests, for each answer. */
  readonly mainUs: number;
};

async function ask({ port, token, hub }: BenchHub, path: string, forMs: number): Promise<Times> {
  const took: number[] = [];
  const headers = { Authorization: `Bearer ${token}` };
  const beforeUs = mainThreadUs(hub.pid);
  await loadHttp({ port, path, headers, status: 200, connections: 1, forMs, onAnswer: (tookMs) => took.push(tookMs) });
  const mainUs = (mainThreadUs(hub.pid) - beforeUs) / took.length;
  return { p50: percentile(took, 0.5), p99: percentile(took, 0.99), mainUs };
}

function askRows(rows: SampleRows, past: Past, { features, days }: Question): number {
  const startMs = performance.now();
  for (const index of features) {
    const series = past.series[index]?.name ?? '';
    rows.read({ series, fromMs: past.toMs - days * DAY_MS, toMs: past.toMs }, POINTS / 4);
  }
  return performance.now() - startMs;
}

async function withPast(run: (hub: BenchHub, past: Past) => Promise<void>): Promise<void> {
  let past: Past | undefined;
  const hub = await startBenchHub(LAMPS, {}, async (state) => {
    past = await makePast(DAYS, state);
    return past.series.length;
  });
  try {
    if (past !== undefined) await run(hub, past);
  } finally {
    await hub.stop();
  }
}

/** A thousand changes a second, until the returned function is called. */
async function startChanges({ mosquitto }: BenchHub): Promise<() => Promise<void>> {
  const publisher = startChild('publisher.mjs');
  await publisher.ask({ do: 'connect', url: mosquitto.url });
  await publisher.ask({ do: 'start', perSecond: 1_000, devices: LAMPS });
  await wait(1_000);
  return publisher.stop;
}

const medianOf = (rounds: readonly Times[]): Times => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  mainUs: median(rounds.map(({ mainUs }) => mainUs)),
});

test('questions about the past are answered at once, also while a thousand changes arrive each second', async () => {
  const folder = makeFolder();
  const copy = await makePast(DAYS, join(folder, 'state'));
  const names = [...METERS, ...THERMOMETERS].map((index) => copy.series[index]?.name ?? '');
  const rows = copyToRows(copy, join(folder, 'rows.db'), names);
  rmSync(copy.folder, { recursive: true });
  await withPast(async (hub, past) => {
    for (const question of QUESTIONS) {
      if (question.days > DAYS) continue;
      const path = pathOf(past, question);
      const found = { quiet: [] as Times[], busy: [] as Times[], rows: [] as number[] };
      await ask(hub, path, 500);
      for (let round = 0; round < ROUNDS; round += 1) {
        found.rows.push(askRows(rows, past, question));
        found.quiet.push(await ask(hub, path, 1_000));
        const stopChanges = await startChanges(hub);
        found.busy.push(await ask(hub, path, 1_000));
        await stopChanges();
      }
      const reference = median(found.rows);
      for (const kind of ['quiet', 'busy'] as const) {
        const { p50, p99 } = medianOf(found[kind]);
        recordFigure({
          what: `history of ${question.what} in ${POINTS} points${kind === 'busy' ? ', 1,000 changes/s' : ''}: p50`,
          hub: `${ms(p50)} (p99 ${ms(p99)})`,
          reference: `rows in SQLite, grouped there ${ms(reference)}; wanted ${question.wantedMs} ms`,
          ratio: p50 / reference,
          target: { atMost: question.wantedMs / reference },
        });
      }
    }
  });
  rows.close();
});

test('the list of devices does not wait for questions about the past', async () => {
  await withPast(async (hub, past) => {
    const questions = QUESTIONS.filter(({ days }) => days <= DAYS);
    const list = (): Promise<Times> => ask(hub, '/api/v1/device', 2_000);
    await list();
    for (const question of questions) {
      const path = pathOf(past, question);
      const found = {
        alone: [] as Times[],
        beside: [] as Times[],
        foreign: [] as Times[],
        asked: [] as Times[],
      };
      await ask(hub, path, 500);
      const listBeside = async (): Promise<Times> => {
        const [times] = await Promise.all([list(), ask(hub, path, 1_900)]);
        return times;
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        found.alone.push(await list());
        found.asked.push(await ask(hub, path, 1_000));
        found.beside.push(await listBeside());
        const burner = startChild('burner.mjs');
        await burner.ask({ do: 'answer' });
        found.foreign.push(await list());
        await burner.stop();
      }
      const [alone, beside, foreign] = [medianOf(found.alone), medianOf(found.beside), medianOf(found.foreign)];
      recordFigure({
        what: `GET /device while ${question.what} is asked for without end: p99`,
        hub: `${ms(beside.p99)} (p50 ${ms(beside.p50)})`,
        // A question keeps one core busy, in the hub or in the client. The machine may have no core for it.
        reference: `beside a foreign process that keeps a core busy ${ms(foreign.p99)}; alone ${ms(alone.p99)}`,
        ratio: beside.p99 / foreign.p99,
        target: { atMost: 1.2 },
      });
      recordFigure({
        what: `GET /device while ${question.what} is asked for without end: p99 by that of the list alone`,
        hub: ms(beside.p99),
        reference: `alone ${ms(alone.p99)}`,
        ratio: beside.p99 / alone.p99,
        target: { atMost: 1.2 },
      });
      const { mainUs } = medianOf(found.asked);
      recordFigure({
        what: `the thread that answers requests, for a question about ${question.what}`,
        hub: `${ms(mainUs / 1_000)} of the processor`,
        // What else the list waits for. It does not depend on how busy the machine is.
        reference: `for GET /device ${ms(alone.mainUs / 1_000)}`,
        ratio: mainUs / alone.mainUs,
      });
    }
  });
});

const CHANGES = 40;
/** A person has five changes a second. */
const PACE_MS = 220;

test('a change that is answered once it is on disk hardly waits for the low priority of the storage', async () => {
  const hub = await startBenchHub(LAMPS);
  const list = (forMs: number, connections: number): Promise<unknown> =>
    loadHttp({
      port: hub.port,
      path: '/api/v1/device',
      status: 200,
      connections,
      forMs,
      headers: { Authorization: `Bearer ${hub.token}` },
    });
  let number = 0;
  const change = async (): Promise<number> => {
    number += 1;
    const startMs = performance.now();
    const asked = { token: hub.token, body: { name: `Lamp ${number}` } };
    const { status } = await hub.hub.ask('PATCH', '/api/v1/device/lamp-0', asked);
    if (status !== 200) throw new Error(`answered ${status}`);
    return performance.now() - startMs;
  };
  const changes = async (): Promise<number[]> => {
    const took: number[] = [];
    for (let index = 0; index < CHANGES; index += 1) {
      took.push(await change());
      await wait(PACE_MS);
    }
    return took;
  };
  try {
    const storageThread = await findBusiestThread(hub.hub.pid, changes);
    const low = getPriority(storageThread);
    // The first thread has a core to itself, and nothing in the hub leaves the other one to the storage.
    const busy = async (niceness: number): Promise<number[]> => {
      renice(storageThread, niceness);
      const burner = startChild('burner.mjs');
      await burner.ask({ do: 'answer' });
      const load = list(CHANGES * PACE_MS, 8);
      const took = await changes();
      await Promise.all([load, burner.stop()]);
      return took;
    };
    const found = { usual: [] as number[][], low: [] as number[][] };
    for (let round = 0; round < ROUNDS; round += 1) {
      found.usual.push(await busy(0));
      found.low.push(await busy(low));
    }
    for (const share of [0.5, 0.95]) {
      const usual = percentile(found.usual.flat(), share);
      const lowered = percentile(found.low.flat(), share);
      recordFigure({
        what: `a change on disk while all cores are busy: p${share * 100} with the storage's thread at nice ${low}`,
        hub: ms(lowered),
        reference: `at nice 0 ${ms(usual)}`,
        ratio: lowered / usual,
      });
    }
  } finally {
    await hub.stop();
  }
});
