import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { NearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import { MAX_PACKED_BYTES, packTrace, unpackTrace } from '#core/automation-run/trace/packed-trace.ts';
import { openRunHistory, type RunHistory } from '#core/automation-run/trace/run-history.ts';
import type { RunList, RunPlace } from '#core/automation-run/trace/run-registry.ts';
import { DULL_KEPT, ROW_BYTES, TELLING_KEPT } from '#core/automation-run/trace/run-ring.ts';
import type { RunStore, StoredCounts, StoredPast, StoredRun } from '#core/automation-run/trace/run-store.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { AUTOMATION, DARK, stepTrace, trace, TRIGGER } from './trace-makers.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 22, 12);
const OTHER = 'a2' as AutomationId;

/** A store that has what it was given, as after the writing. */
function createMemoryStore() {
  const runs = new Map<string, StoredRun>();
  const pasts = new Map<AutomationId, StoredPast>();
  const counts = new Map<string, StoredCounts>();
  let kept = 0;
  const store: RunStore = {
    keep: (changes) => {
      kept += 1;
      for (const id of changes.goneRuns) runs.delete(id);
      for (const run of changes.runs) runs.set(run.id, run);
      for (const past of changes.pasts) pasts.set(past.automation, past);
      for (const one of changes.counts) counts.set(`${one.automation} ${one.day}`, one);
      for (const id of changes.goneAutomations) {
        pasts.delete(id);
        for (const [name, one] of counts) if (one.automation === id) counts.delete(name);
      }
    },
    write: async (changes) => store.keep(changes),
    loadRuns: async (after) =>
      [...runs.values()]
        .filter(({ id }) => after === null || id > after)
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .slice(0, 7),
    loadPasts: async () => [...pasts.values()],
    loadCounts: async (fromDay) => [...counts.values()].filter(({ day }) => day >= fromDay),
  };
  return { store, runs, pasts, counts, kept: () => kept };
}

type Bench = RunHistory & {
  readonly time: ReturnType<typeof createManualTime>;
  /** Automations that are not even in the trash. */
  readonly purged: Set<AutomationId>;
  readonly memory: ReturnType<typeof createMemoryStore>;
  /** As after a restart: another epoch of the clock has this shift to the first one. */
  readonly again: (shiftMs?: number) => Promise<RunHistory>;
};

async function createBench(): Promise<Bench> {
  const time = createManualTime(START_MS);
  const memory = createMemoryStore();
  const zone = createTimeZone('Europe/Berlin');
  const purged = new Set<AutomationId>();
  const open = async (shifts: ReadonlyMap<string, number>, epoch: string): Promise<RunHistory> => {
    const nowMs = (): number => time.clock.wallMs() + (shifts.get('first') ?? 0);
    const nowInEpochMs = (name: string): number => nowMs() - (shifts.get(name) ?? 0);
    const hubClock = { nowMs, epoch: () => epoch, nowInEpochMs };
    const opened = await openRunHistory({
      store: memory.store,
      hubClock,
      startTimer: time.startTimer,
      timeZone: () => zone,
      isKnown: (id) => !purged.has(id),
    });
    onTestFinished(opened.stop);
    return opened;
  };
  const history = await open(new Map(), 'first');
  return {
    ...history,
    purged,
    time,
    memory,
    again: async (shiftMs = 0) => {
      history.stop();
      return open(new Map([['first', shiftMs]]), 'second');
    },
  };
}

/** Text that deflate makes no smaller than this many bytes. */
function noise(bytes: number, seed: number): string {
  const hashes = Array.from({ length: bytes / 64 }, (_, at) => createHash('sha512').update(`${seed} ${at}`).digest());
  return Buffer.concat(hashes).toString('base64');
}

const ids = (runs: readonly { readonly id: string }[]): string[] => runs.map(({ id }) => id);
function all({ runs }: Pick<RunHistory, 'runs'>): readonly AutomationRun[] {
  const found: AutomationRun[] = [];
  let after: RunPlace | null = null;
  do {
    const page: RunList = runs.list({}, { after, limit: 100_000 });
    found.push(...page.runs);
    after = page.next;
  } while (after !== null);
  return found;
}

describe('the traces of an automation', () => {
  test('a thousand starts that came to nothing leave the one that did something', async () => {
    const { runs } = await createBench();
    runs.put(trace(START_MS, 'finished'));
    for (let at = 1; at <= 1_000; at += 1) runs.put(trace(START_MS + at, 'skipped', { reason: `reason ${at}` }));
    expect(ids(all({ runs }))).toContain(trace(START_MS, 'finished').id);
    expect(all({ runs })).toHaveLength(DULL_KEPT + 1);
  });

  test('equal starts that came to nothing are one line with a count and the newest moment', async () => {
    const { runs } = await createBench();
    for (let at = 1; at <= 15; at += 1) runs.put(trace(START_MS + at, 'not_met', { reason: 'not met' }));
    expect(all({ runs })).toEqual([
      expect.objectContaining({ merged: 14, startedAtMs: START_MS + 1, finishedAtMs: START_MS + 15 }),
    ]);
  });

  test.each([
    ['reason', { reason: 'busy' }],
    ['version', { version: 2 }],
    ['trigger', { trigger: { ...TRIGGER, id: 't2' } }],
    ['condition', { conditions: [DARK] }],
    ['automation', { automation: OTHER }],
  ])('another %s is another line', async (_name, details) => {
    const { runs } = await createBench();
    runs.put(trace(START_MS + 1, 'skipped', { reason: 'queue full' }));
    runs.put(trace(START_MS + 2, 'skipped', { reason: 'queue full', ...details }));
    expect(all({ runs })).toHaveLength(2);
  });

  test('the newer trace of a run takes the place of the older one', async () => {
    const { runs } = await createBench();
    runs.put(trace(START_MS, 'running'));
    expect(runs.unfinished()).toHaveLength(1);
    runs.put(trace(START_MS, 'finished', { finishedAtMs: START_MS + 9 }));
    expect(all({ runs })).toEqual([expect.objectContaining({ outcome: 'finished', finishedAtMs: START_MS + 9 })]);
    expect(runs.unfinished()).toEqual([]);
  });

  test('a run that goes on is not pushed out by those that ended', async () => {
    const { runs } = await createBench();
    runs.put(trace(START_MS, 'running'));
    for (let at = 1; at <= TELLING_KEPT * 2; at += 1) runs.put(trace(START_MS + at, 'finished'));
    expect(all({ runs })).toHaveLength(TELLING_KEPT);
    expect(runs.unfinished()).toEqual([expect.objectContaining({ startedAtMs: START_MS })]);
  });

  test('are forgotten after 30 days, but for runs that go on, and the newest start is known for longer', async () => {
    const bench = await createBench();
    bench.runs.put(trace(START_MS, 'finished'));
    bench.runs.put(trace(START_MS + 1, 'running'));
    await bench.time.advance(30 * DAY_MS + 3_600_000);
    expect(ids(all(bench))).toEqual([trace(START_MS + 1, 'running').id]);
    expect(ids([...bench.memory.runs.values()])).toEqual([trace(START_MS + 1, 'running').id]);
    expect(bench.runs.lastOf(AUTOMATION)).toMatchObject({ atMs: START_MS + 1, outcome: 'running' });
  });

  test('are listed by outcome, automation and time, in pages that end early where traces are large', async () => {
    const { runs, time } = await createBench();
    for (let at = 0; at < 20; at += 1) runs.put(trace(START_MS + at, at % 2 === 0 ? 'finished' : 'failed'));
    runs.put(trace(START_MS + 30, 'failed', { automation: OTHER }));
    const filter = { automation: AUTOMATION, outcomes: new Set(['failed'] as const), fromMs: START_MS + 3 };
    const first = runs.list(filter, { after: null, limit: 4 });
    expect(first.runs.map(({ startedAtMs }) => startedAtMs - START_MS)).toEqual([19, 17, 15, 13]);
    const second = runs.list({ ...filter, toMs: START_MS + 19 }, { after: first.next, limit: 100 });
    expect(second.runs.map(({ startedAtMs }) => startedAtMs - START_MS)).toEqual([11, 9, 7, 5, 3]);
    expect(second.next).toBeNull();
    for (let at = 40; at < 60; at += 1)
      runs.put(trace(START_MS + at, 'finished', { variables: { noise: noise(9_024, at) } }));
    await time.advance(60_000);
    const page = runs.list({}, { after: null, limit: 100 });
    expect(page.runs.length).toBeLessThan(100);
    expect(page.next).not.toBeNull();
  });

  test('are as they were after a restart, in the corrected time of the hub', async () => {
    const bench = await createBench();
    const steps = [stepTrace({ atMs: START_MS + 1, conditions: [DARK], values: DARK.operands })];
    bench.runs.put(trace(START_MS, 'finished', { conditions: [DARK], steps, variables: { level: 30 } }));
    bench.runs.put(trace(START_MS + 5, 'not_met'));
    bench.runs.put(trace(START_MS + 6, 'not_met'));
    const before = all(bench);
    expect(all(await bench.again())).toEqual(before);
    const [dull, telling] = all(await bench.again(DAY_MS));
    expect(telling).toMatchObject({
      startedAtMs: START_MS + DAY_MS,
      trigger: { atMs: DAY_MS },
      conditions: [{ operands: [{ changedAtMs: 3 + DAY_MS }] }],
      steps: [{ atMs: START_MS + 1 + DAY_MS, values: [{ changedAtMs: 3 + DAY_MS }] }],
    });
    expect(dull).toMatchObject({ merged: 1, finishedAtMs: START_MS + 6 + DAY_MS });
  });

  test('stay in a bounded memory with 500 automations at their limits, and each keeps its newest', async () => {
    const bench = await createBench();
    for (let round = 0; round < 6; round += 1) {
      for (let at = 0; at < 500; at += 1) {
        const startMs = START_MS + round * 1_000 + at;
        const automation = `automation-${at}` as AutomationId;
        const variables = { noise: noise(1_984, startMs) };
        bench.runs.put(trace(startMs, 'finished', { automation, variables }));
        bench.runs.put(trace(startMs, 'not_met', { automation, id: `dull-${startMs}`, reason: `${round}` }));
      }
    }
    await bench.time.advance(60_000);
    const stored = [...bench.memory.runs.values()];
    const bytes = stored.reduce((sum, { packed }) => sum + packed.length + ROW_BYTES, 0);
    expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(7 * 1024 * 1024);
    expect(new Set(stored.map(({ automation }) => automation)).size).toBe(500);
    expect(bench.runs.list({}, { after: null, limit: 1 }).runs[0]?.startedAtMs).toBe(START_MS + 5_499);
    expect(bench.runs.completeSinceMs('automation-7' as AutomationId)).toBeGreaterThan(START_MS);
    // Six thousand traces are packed: twice the usual time on a machine with much else to do.
  });

  test('with two hundred large steps lose the middle of them', () => {
    const steps = Array.from({ length: 200 }, (_, at) => stepTrace({ atMs: at, reason: noise(320, at) }));
    const packed = packTrace(trace(1, 'finished', { steps }));
    expect(packed.length).toBeLessThanOrEqual(MAX_PACKED_BYTES);
    const kept = unpackTrace(packed);
    expect(kept?.steps.at(0)).toEqual(steps.at(0));
    expect(kept?.steps.at(-1)).toEqual(steps.at(-1));
    expect((kept?.steps.length ?? 0) + (kept?.stepsLeftOut ?? 0)).toBe(200);
  });

  test('that are no traces are left out', async () => {
    expect(unpackTrace(new Uint8Array([1, 2, 3]))).toBeUndefined();
    const bench = await createBench();
    bench.runs.put(trace(START_MS, 'finished'));
    bench.stop();
    for (const run of bench.memory.runs.values()) bench.memory.runs.set(run.id, { ...run, packed: new Uint8Array(9) });
    const again = await bench.again();
    expect(all(again)).toEqual([]);
    expect(again.runs.find(trace(START_MS, 'finished').id)).toBeUndefined();
  });
});

describe('what the store is given', () => {
  test('comes a minute after the first change, and nothing while nothing runs', async () => {
    const { runs, time, memory } = await createBench();
    await time.advance(10 * DAY_MS);
    expect(memory.kept()).toBe(0);
    runs.put(trace(START_MS + 10 * DAY_MS, 'finished'));
    await time.advance(59_999);
    expect(memory.kept()).toBe(0);
    await time.advance(1);
    expect(memory.kept()).toBe(1);
    await time.advance(10 * DAY_MS);
    expect(memory.kept()).toBe(1);
  });

  test('comes at once when many traces wait to be packed', async () => {
    const { runs, memory } = await createBench();
    for (let at = 0; at < 70; at += 1) {
      runs.put(trace(START_MS + at, 'finished', { automation: `automation-${at % 2}` as AutomationId }));
    }
    expect(memory.kept()).toBe(1);
  });

  test('is nothing of an automation that left the trash, an hour later', async () => {
    const bench = await createBench();
    bench.runs.put(trace(START_MS, 'finished'));
    bench.runs.put(trace(START_MS + 1, 'finished', { automation: OTHER }));
    await bench.time.advance(60_000);
    bench.purged.add(AUTOMATION);
    await bench.time.advance(3_600_000);
    expect([...bench.memory.runs.values()].map(({ automation }) => automation)).toEqual([OTHER]);
    expect([...bench.memory.pasts.keys()]).toEqual([OTHER]);
  });

  test('is nothing of an automation that was removed', async () => {
    const bench = await createBench();
    bench.runs.put(trace(START_MS, 'finished'));
    bench.runs.put(trace(START_MS + 1, 'failed', { automation: OTHER }));
    await bench.time.advance(60_000);
    bench.runs.remove(AUTOMATION);
    expect(bench.runs.lastOf(AUTOMATION)).toBeNull();
    expect(bench.runs.countsOf(AUTOMATION, START_MS).runs).toBe(0);
    const again = await bench.again();
    expect(all(again).map(({ automation }) => automation)).toEqual([OTHER]);
    expect(again.runs.lastOf(AUTOMATION)).toBeNull();
    expect(again.runs.countsOf(AUTOMATION, START_MS).runs).toBe(0);
    expect(again.runs.countsOf(OTHER, START_MS)).toEqual({ runs: 1, notMet: 0, skipped: 0, failed: 1 });
  });
});

describe('the counters of a day', () => {
  test('count each start once, by the local day, for a year and over a restart', async () => {
    const bench = await createBench();
    bench.runs.put(trace(START_MS, 'running'));
    bench.runs.put(trace(START_MS, 'running', { steps: [stepTrace()] }));
    bench.runs.put(trace(START_MS, 'failed'));
    bench.runs.put(trace(START_MS, 'failed', { reason: 'a command that ended later' }));
    for (let at = 1; at <= 3; at += 1) bench.runs.put(trace(START_MS + at, 'not_met'));
    bench.runs.put(trace(START_MS + 9, 'skipped'));
    // 23:30 in UTC is the next day in Berlin.
    bench.runs.put(trace(Date.UTC(2026, 10, 22, 23, 30), 'finished'));
    const counts = { runs: 1, notMet: 3, skipped: 1, failed: 1 };
    expect(bench.runs.countsOf(AUTOMATION, START_MS)).toEqual(counts);
    expect(bench.runs.countsOf(AUTOMATION, START_MS + DAY_MS).runs).toBe(1);
    const again = await bench.again();
    expect(again.runs.countsOf(AUTOMATION, START_MS)).toEqual(counts);
    expect(again.runs.countsOf(AUTOMATION, START_MS - 366 * DAY_MS).runs).toBe(0);
    again.runs.put(trace(START_MS + 366 * DAY_MS, 'finished'));
    expect(again.runs.countsOf(AUTOMATION, START_MS).runs).toBe(0);
  });
});

describe('who was at home', () => {
  test('is in no trace and no near miss of a time that a person deletes', async () => {
    const bench = await createBench();
    const presence = { ...TRIGGER, type: 'presence', device: null, key: null, value: 'home' } as const;
    const operands = [{ name: 'presence/u1', value: 'away', unknown: null }];
    bench.runs.put(trace(START_MS, 'finished', { trigger: presence }));
    bench.runs.put(
      trace(START_MS + 1, 'not_met', { conditions: [{ pointer: '/conditions/0', result: false, operands }] }),
    );
    bench.runs.put(trace(START_MS + 2, 'finished', { steps: [stepTrace({ values: operands })] }));
    bench.runs.put(trace(START_MS + 3, 'finished'));
    bench.runs.put(trace(START_MS + 10, 'finished', { trigger: presence }));
    const miss: NearMiss = {
      automation: AUTOMATION,
      trigger: 't1',
      device: null,
      key: null,
      reason: { why: 'from_was', value: 'away' },
      atMs: START_MS,
    };
    bench.nearMisses.put(miss);
    bench.nearMisses.put({ ...miss, atMs: START_MS + DAY_MS });
    await bench.forgetPresence({ fromMs: START_MS, toMs: START_MS + 10 });
    const left = all(await bench.again()).map(({ startedAtMs }) => startedAtMs - START_MS);
    expect(left).toEqual([10, 3]);
    expect(bench.nearMisses.list(AUTOMATION)).toHaveLength(1);
  });
});

describe('near misses', () => {
  const miss = (atMs: number): NearMiss => ({
    automation: AUTOMATION,
    trigger: 't1',
    device: null,
    key: null,
    reason: { why: 'not_crossed', value: 25.8, limit: 26 },
    atMs,
  });

  test('are there after a restart, the last 16, in the corrected time of the hub', async () => {
    const bench = await createBench();
    for (let at = 0; at < 100; at += 1) bench.nearMisses.put(miss(START_MS + at * 60_000));
    expect(bench.nearMisses.completeSinceMs(AUTOMATION)).toBe(START_MS + 35 * 60_000);
    const again = await bench.again(DAY_MS);
    expect(again.nearMisses.list(AUTOMATION).map(({ atMs }) => (atMs - START_MS - DAY_MS) / 60_000)).toEqual(
      Array.from({ length: 16 }, (_, at) => 99 - at),
    );
  });
});
