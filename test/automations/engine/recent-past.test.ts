import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecentPast, type PastSource } from '#automations/engine/recent-past.ts';
import type { AutomationId, FeatureRef, HistoryQuestion } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { pastValue } from '#core/automation-replay/recorded/past-value.ts';
import type { HistoryStore, NewSample } from '#core/past/history/history-store.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { createSampleSender } from '#core/past/history/sample-sender.ts';
import { type GapMark, isGap, type SampleValue } from '#core/past/history/sample.ts';
import { tellPast } from '#hub/told-history.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';

const SERIES = 'lamp/power';
const ASKER = 'asker' as AutomationId;
type Row = readonly [tickMs: number, value: SampleValue | GapMark];

const asking = (...questions: readonly object[]): Definition =>
  ({ conditions: questions.map((history) => ({ compare: { left: { history }, op: '>', right: 0 } })) }) as never;

/** The sender of the recorder over a real database, and the past of automations beside it. */
async function openWorld() {
  const bench = createBench();
  const storage = storageInProcess(await bench.openOwned());
  const { advance, clock, startTimer } = bench.time;
  const { log, lines } = createRecordingLog();
  const hub = { epoch: 'e1', aheadMs: 0, isSet: true };
  const aheadMs = (epoch: string): number => (epoch === 'e1' ? 0 : hub.aheadMs);
  const { history, onPastChange, onMoved } = tellPast(storage, log);
  const reads = { count: 0, isBroken: false };
  let waiting: NewSample[] = [];
  const sender = createSampleSender({
    store: {
      ...history,
      append: (batch) => {
        waiting = [];
        history.append(batch);
      },
    },
    hubClock: {
      epoch: () => hub.epoch,
      nowMs: () => clock.wallMs() + aheadMs(hub.epoch),
      nowInEpochMs: (epoch) => clock.wallMs() + aheadMs(epoch),
      learnedShiftMs: (epoch) => (epoch === 'e1' && hub.epoch === 'e2' ? hub.aheadMs : null),
      isSynced: () => hub.epoch === 'e2',
    },
    startTimer,
    log,
  });
  sender.heard.subscribe((sample) => waiting.push(sample));
  const slow = async (): Promise<void> => {
    reads.count += 1;
    if (reads.isBroken) throw new Error('the disk cannot be read');
    // Samples come while it is read.
    await new Promise((resolve) => void startTimer(70, () => resolve(undefined)));
  };
  const past: PastSource = {
    history: {
      findBefore: async (series, atMs) => {
        await slow();
        return history.findBefore(series, atMs);
      },
      readSlice: async (range, after) => {
        await slow();
        return history.readSlice(range, after);
      },
    },
    heard: sender.heard,
    onPastChange,
    onMoved,
  };
  const nowMs = (): number => clock.wallMs() + aheadMs(hub.epoch);
  // Of every other home it is a counter.
  const findFeature = ({ device }: FeatureRef) => wordFeature(device.endsWith('1') ? 'energy' : 'power', 'main');
  const recent = createRecentPast({
    past,
    findFeature,
    nowMs: () => (hub.isSet ? nowMs() : undefined),
    startTimer,
    log,
  });
  /** What a replay of this moment would find. */
  const replayed = async (series: string, question: HistoryQuestion): Promise<number | undefined> => {
    const rows = await allOf(history, series);
    for (const { series: name, atMs, value } of waiting) {
      if (name === series) rows.push([Math.floor(atMs / 100) * 100, value]);
    }
    rows.sort(([left], [right]) => left - right);
    const values = rows.map(([, value]) => (isGap(value) ? null : value));
    const samples = { timesMs: rows.map(([atMs]) => atMs), values };
    return pastValue(samples, question, { nowMs: nowMs(), feature: findFeature(question) });
  };
  return { recent, sender, history, advance, nowMs, replayed, reads, hub, lines };
}

async function allOf(history: Pick<HistoryStore, 'readSlice'>, series: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: number | null = null; ;) {
    const { timesMs, values, gaps, next } = await history.readSlice(
      { series, fromMs: -Infinity, toMs: Infinity },
      after,
    );
    for (const [at, value] of values.entries()) rows.push([timesMs[at] ?? 0, value ?? gaps.get(at) ?? { gap: 'lost' }]);
    if (next === null) return rows;
    after = next;
  }
}

const ACTS = oneof(
  {
    weight: 6,
    arbitrary: record({ add: constantFrom(0, 1, 2, 5, true, false, 'heat', null), ageMs: constant(0) }),
  },
  { weight: 2, arbitrary: record({ add: constantFrom(3, 4), ageMs: integer({ min: 1, max: 3_000 }) }) },
  { weight: 6, arbitrary: record({ waitMs: integer({ min: 0, max: 5_000 }) }) },
  { weight: 4, arbitrary: record({ waitMs: integer({ min: 0, max: 150 }) }) },
  { weight: 1, arbitrary: record({ deleteS: integer({ min: 1, max: 30 }) }) },
  { weight: 1, arbitrary: record({ ask: constantFrom(true, false) }) },
  { weight: 3, arbitrary: record({ flush: constant(true) }) },
);
const QUESTIONS = array(
  record({
    over_s: integer({ min: 1, max: 40 }),
    ago_s: constantFrom(0, 0, 1, 20),
    fn: constantFrom('mean', 'min', 'max', 'increase', 'seconds_true'),
  }),
  { minLength: 1, maxLength: 3 },
);

describe('what automations know of the past', () => {
  test('a decision gets what a replay of its moment gets, or nothing', async () => {
    const { recent, sender, history, advance, nowMs, replayed } = await openWorld();
    let homes = 0;
    let answered = 0;
    await assert(
      asyncProperty(array(ACTS, { minLength: 5, maxLength: 40 }), QUESTIONS, async (acts, asked) => {
        homes += 1;
        const device = `device-${homes}`;
        const questions = asked.map((one) => ({ ...one, device, key: 'power' }) as HistoryQuestion);
        const look = async (): Promise<void> => {
          for (const question of questions) {
            const answer = recent.answer(question);
            if (answer === undefined) continue;
            answered += 1;
            expect(answer).toBe(await replayed(`${device}/power`, question));
          }
        };
        recent.put(ASKER, [asking(...questions)]);
        for (const act of acts) {
          if ('add' in act) sender.add(`${device}/power`, act.add ?? { gap: 'offline' }, act.ageMs);
          else if ('waitMs' in act) await advance(act.waitMs);
          else if ('ask' in act) recent.put(ASKER, act.ask ? [asking(...questions)] : []);
          else if ('flush' in act) await history.flush();
          else {
            sender.send();
            const toMs = nowMs();
            await history.deleteSamples([{ series: `${device}/power`, fromMs: toMs - act.deleteS * 1000, toMs }]);
          }
          await look();
        }
        recent.put(ASKER, [asking(...questions)]);
        await advance(10_000);
        for (const question of questions) {
          expect(recent.answer(question)).toBe(await replayed(`${device}/power`, question));
        }
      }),
      searchOf(1_000),
    );
    // Six a home: no seed comes near one in ten homes.
    expect(answered).toBeGreaterThan(homes / 10);
  });

  const WEEK_AGO = { device: 'lamp', key: 'power', over_s: 600, ago_s: 7 * 86_400, fn: 'max' } as HistoryQuestion;
  const PRESENT = { device: 'lamp', key: 'power', over_s: 60, fn: 'max' } as HistoryQuestion;

  test.each([
    ['while it is read', 0],
    ['once it is known', 1_000],
  ])('a late sample counts from where the storage has it, %s', async (_when, afterMs) => {
    const { recent, sender, history, advance, replayed } = await openWorld();
    const question = { ...PRESENT, over_s: 8, fn: 'mean' } as const;
    sender.add(SERIES, 1);
    recent.put(ASKER, [asking(question)]);
    await advance(afterMs);
    sender.add(SERIES, 2);
    await advance(120);
    await history.flush();
    // Its tenth of a second is written.
    for (const value of [5, 3]) sender.add(SERIES, value, 110);
    for (let step = 0; step < 20; step += 1) {
      const told = await replayed(SERIES, question);
      expect([told, undefined]).toContain(recent.answer(question));
      await advance(200);
    }
    expect(recent.answer(question)).toBe(await replayed(SERIES, question));
  });

  test('one reading answers all later decisions', async () => {
    const { recent, sender, advance, reads } = await openWorld();
    sender.add(SERIES, 1);
    await advance(1_000);
    recent.put(ASKER, [asking(PRESENT)]);
    expect(recent.answer(PRESENT)).toBeUndefined();
    await advance(1_000);
    const before = reads.count;
    for (let value = 2; value < 500; value += 1) {
      sender.add(SERIES, value);
      expect(recent.answer(PRESENT)).toBe(value);
      await advance(1_000);
    }
    expect(reads.count).toBe(before);
  });

  test('who starts an automation waits until what it asks is read', async () => {
    const { recent, sender, advance } = await openWorld();
    sender.add(SERIES, 7);
    await advance(1_000);
    expect(recent.ready(ASKER)).toBeUndefined();
    recent.put(ASKER, [asking(PRESENT)]);
    const answer = recent.ready(ASKER)?.then(() => recent.answer(PRESENT));
    await advance(1_000);
    expect(await answer).toBe(7);
    expect(recent.ready(ASKER)).toBeUndefined();
  });

  test('it is unknown while the clock is not set, and from the jump of the clock until its samples are corrected', async () => {
    const { recent, sender, advance, hub, replayed } = await openWorld();
    hub.isSet = false;
    sender.add(SERIES, 7);
    recent.put(ASKER, [asking(PRESENT)]);
    await advance(5_000);
    expect(recent.answer(PRESENT)).toBeUndefined();
    Object.assign(hub, { isSet: true, epoch: 'e2', aheadMs: 3_600_000 });
    recent.renew();
    expect(recent.answer(PRESENT)).toBeUndefined();
    await advance(2_000);
    expect(recent.answer(PRESENT)).toBe(7);
    expect(recent.answer(PRESENT)).toBe(await replayed(SERIES, PRESENT));
  });

  test('what cannot be read is unknown, and is read again', async () => {
    const { recent, sender, advance, reads, lines } = await openWorld();
    sender.add(SERIES, 7);
    reads.isBroken = true;
    recent.put(ASKER, [asking(WEEK_AGO, { ...PRESENT, over_s: 3_600 })]);
    await advance(2_000);
    expect(recent.answer(PRESENT)).toBeUndefined();
    expect(lines.join('\n')).toContain('cannot be read');
    reads.isBroken = false;
    await advance(62_000);
    expect(recent.answer({ ...PRESENT, over_s: 3_600 })).toBe(7);
    expect(recent.answer(WEEK_AGO)).toBeUndefined();
  });

  test('more than fits into the memory is unknown', async () => {
    const { recent, sender, history, advance, nowMs, lines } = await openWorld();
    sender.add('lamp/other', 1);
    await advance(1_000);
    const samples = Array.from({ length: 200_001 }, (_, at) => {
      return { series: SERIES, atMs: nowMs() - 600_000_000 + at * 1_000, value: at };
    });
    await history.importSamples([{ name: SERIES, kind: 'gauge', unit: null }], samples);
    const long = { ...PRESENT, over_s: 31 * 86_400 };
    const other = { ...PRESENT, key: 'other' };
    recent.put(ASKER, [asking(long, other)]);
    await advance(5_000);
    expect(recent.answer(long)).toBeUndefined();
    expect(recent.answer(other)).toBe(1);
    expect(lines.join('\n')).toContain('more of the past than fits');
    const least = { ...PRESENT, fn: 'min' } as const;
    recent.put(ASKER, [asking(least, other)]);
    await advance(5_000);
    sender.add(SERIES, 9);
    expect(recent.answer(least)).toBe(9);
  });
});
