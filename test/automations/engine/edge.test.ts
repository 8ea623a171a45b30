import { describe, expect, test } from 'vitest';
import { createInputLoop } from '#automations/engine/input-loop.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { PastSource } from '#automations/engine/recent-past.ts';
import { createLiveHome } from '#test/support/automation/live-home.ts';
import { createPaperDisk, type EntryDisk } from '#test/support/automation/paper-disk.ts';
import { automation, START_MS } from '#test/support/automation/virtual-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const DEVICES = { motion: { values: { motion: false } }, lamp: { values: { on: false } } };
const ON = { id: 's1', command: { targets: { devices: ['lamp'] }, set: { on: true } } };

describe('an automation whose runs must be on disk first', () => {
  const urgent = automation('urgent', {
    durable: 'always',
    triggers: [{ id: 't1', type: 'feature', device: 'motion', key: 'motion', to: true }],
    steps: [ON],
  } as never);

  test.each([
    ['takes no writes', 0, () => Promise.reject(new Error('the disk is full'))],
    ['takes too long', 2_000, () => new Promise<void>(() => undefined)],
  ])('acts all the same when the disk %s, and its trace says so', async (_what, afterMs, writeEntries) => {
    const time = createManualTime(START_MS);
    const paper = createPaperDisk(time.startTimer);
    const disk: EntryDisk = { ...paper, open: (onDeath) => ({ ...paper.open(onDeath), writeEntries }) };
    const home = await createLiveHome({ devices: DEVICES, automations: [urgent], time, disk });
    home.report('motion', { motion: true });
    await time.advance(Math.max(0, afterMs - 1));
    expect(home.told()).toEqual(afterMs > 0 ? [] : ['0 s: lamp {"on":true}']);
    await time.advance(1_000);
    expect(home.told()).toEqual([`${afterMs / 1_000} s: lamp {"on":true}`]);
    expect(home.outcomes()).toEqual(['finished: not_durable']);
    expect(home.lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
  });

  test('says nothing of it when the disk writes', async () => {
    const home = await createLiveHome({ devices: DEVICES, automations: [urgent] });
    home.report('motion', { motion: true });
    await home.time.advance(1_000);
    expect(home.outcomes()).toEqual(['finished']);
  });
});

test.each([
  [20, 0],
  [21, 1],
])('an input that took %i ms makes %i warnings, with the name of the automation', async (tookMs, warnings) => {
  const { log, lines } = createRecordingLog();
  let nowMs = 0;
  const dealt: string[] = [];
  const loop = createInputLoop({
    noteServed: () => () => undefined,
    takeDue: () => undefined,
    deal: function* ({ kind }) {
      dealt.push(kind);
      nowMs += tookMs - 10;
      yield;
      nowMs += 10;
      return [];
    },
    carryOut: () => undefined,
    onIdle: () => undefined,
    monotonicMs: () => nowMs,
    nameOf: () => 'Hall light',
    log,
  });
  await new Promise<void>((resolve) => {
    loop.push({ kind: 'updated' }, { done: () => resolve() });
  });
  expect(dealt).toEqual(['updated']);
  const warned = lines.filter((line) => line.includes('took long'));
  expect(warned).toHaveLength(warnings);
  for (const line of warned) expect(line).toContain('Hall light');
});

describe('the start of the hub', () => {
  const atStart = automation('start', { triggers: [{ id: 't1', type: 'hub', on: 'started' }], steps: [ON] } as never);
  const changed = { type: 'integration.changed', integration: 'radio', status: {} } as HomeEvent;

  test('comes once what automations command can be reached', async () => {
    let isUp = false;
    const home = await createLiveHome({ devices: DEVICES, automations: [atStart], isReachable: () => isUp });
    await home.time.advance(5_000);
    home.hub().emit(changed);
    await home.time.advance(5_000);
    expect(home.told()).toEqual([]);
    isUp = true;
    home.hub().emit(changed);
    await home.time.advance(100_000);
    expect(home.told()).toEqual(['10 s: lamp {"on":true}']);
  });

  test('waits half a minute at most, and comes at once where all is there', async () => {
    const late = await createLiveHome({ devices: DEVICES, automations: [atStart], isReachable: () => false });
    await late.time.advance(100_000);
    late.hub().emit(changed);
    await late.time.advance(100_000);
    expect(late.told()).toEqual(['30 s: lamp {"on":true}']);
    const early = await createLiveHome({ devices: DEVICES, automations: [atStart] });
    await early.time.advance(100_000);
    expect(early.told()).toEqual(['0 s: lamp {"on":true}']);
  });
});

test('what starts with the hub has the answers of the past that it asks, of many things as soon as of one', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `motion_${at}`);
  const asking = automation('asking', {
    triggers: [{ id: 't1', type: 'hub', on: 'started' }],
    conditions: ['motion', ...many].map((key) => ({
      compare: { left: { history: { device: 'motion', key, over_s: 60, fn: 'seconds_true' } }, op: '==', right: 60 },
    })),
    steps: [ON],
  } as never);
  const past: PastSource = {
    history: {
      findBefore: async () => ({ atMs: START_MS - 600_000, value: true }),
      readSlice: async () => ({ timesMs: new Float64Array(), values: [], gaps: new Map(), next: null }),
    },
    heard: { subscribe: () => () => undefined, settle: async () => true },
    onPastChange: () => () => undefined,
    onMoved: () => () => undefined,
  };
  const home = await createLiveHome({ devices: DEVICES, automations: [asking], past });
  await home.time.advance(400);
  expect(home.outcomes()).toEqual(['finished']);
  expect(home.told()).toHaveLength(1);
});

test.each([
  [3, [3]],
  ['*', [2, 3]],
])('of two changes in one moment each starts what it should, once: to %j', async (to, starts) => {
  const follow = automation('follow', {
    mode: { kind: 'parallel', max: 10 },
    triggers: [{ id: 't1', type: 'feature', device: 'dial', key: 'level', to }],
    steps: [{ id: 's1', command: { targets: { devices: ['lamp'] }, set: { brightness: { trigger: 'value' } } } }],
  } as never);
  const home = await createLiveHome({
    devices: { dial: { values: { level: 1 } }, lamp: { values: { brightness: 0 } } },
    automations: [follow],
  });
  home.report('dial', { level: 2 });
  home.report('dial', { level: 3 });
  await home.time.advance(1_000);
  expect(home.told()).toEqual(starts.map((level) => `0 s: lamp {"brightness":${level}}`));
});

test('a hand that moves a lamp in the moment of its answer lets go of it where the answer was', async () => {
  const light = automation('light', {
    yield_to_hand_s: 1_800,
    triggers: [{ id: 't1', type: 'feature', device: 'motion', key: 'motion', to: true }],
    steps: [{ id: 's1', command: { targets: { devices: ['lamp'] }, set: { brightness: 60 }, skip_if_same: false } }],
  } as never);
  const home = await createLiveHome({
    devices: { motion: { values: { motion: false } }, lamp: { values: { brightness: 0 } } },
    automations: [light],
    answerMs: null,
  });
  const tries = async (): Promise<number> => {
    const before = home.told().length;
    for (const motion of [false, true]) home.report('motion', { motion });
    await home.time.advance(60_000);
    return home.told().length - before;
  };
  home.report('motion', { motion: true });
  await home.time.advance(100);
  for (const brightness of [60, 80]) home.report('lamp', { brightness });
  await home.time.advance(60_000);
  expect(await tries()).toBe(0);
  home.report('lamp', { brightness: 60 });
  expect(await tries()).toBe(1);
});

test('who lost the right while the past was read that an automation asks starts nothing', async () => {
  const history = { device: 'motion', key: 'motion', over_s: 60, fn: 'seconds_true' };
  const asking = automation('asking', {
    triggers: [{ id: 't1', type: 'hook' }],
    conditions: [{ compare: { left: { coalesce: [{ history }, 0] }, op: '==', right: 0 } }],
    steps: [ON],
  } as never);
  const home = await createLiveHome({ devices: DEVICES, automations: [asking] });
  const { engine } = home.hub();
  let mayStart = true;
  const authorize = (): void => {
    if (!mayStart) throw new Error('revoked');
  };
  const byHand = { trigger: null, skipConditions: true, cause: DIRECT };
  const called = Promise.allSettled([
    engine.run(asking.id, byHand, authorize),
    engine.callHook(asking.id, { trigger: 't1', body: null }, authorize),
  ]);
  mayStart = false;
  await home.time.advance(5_000);
  expect(await called).toMatchObject([
    { status: 'rejected', reason: { message: 'revoked' } },
    { status: 'rejected', reason: { message: 'revoked' } },
  ]);
  expect(home.told()).toEqual([]);
  mayStart = true;
  const started = engine.run(asking.id, byHand, authorize);
  await home.time.advance(5_000);
  expect(await started).toMatchObject({ run: expect.any(String) as string });
  expect(home.told()).toHaveLength(1);
});
