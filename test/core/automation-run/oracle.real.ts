import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { civilCase, type Happens, loopCase, NOON, oracleCase } from '#test/support/automation/oracle/oracle-cases.ts';
import { liveBoth } from '#test/support/automation/oracle/oracle-live.ts';

test.each([
  ['automations run', oracleCase, 10_000],
  ['times of the clock come through edits and corrections', civilCase, 4_000],
  ['loops end', loopCase, 1_000],
])(
  '%s as the oracle says',
  (...[, cases, count]) => {
    fc.assert(
      fc.property(cases, (one) => {
        const { engine, oracle, misjudged, hasFlapped } = liveBoth(one);
        // The oracle knows no flapping.
        fc.pre(!hasFlapped);
        expect(engine).toEqual(oracle);
        expect(misjudged).toEqual([]);
      }),
      searchOf(count),
    );
  },
  900_000,
);

const METER = { device: 'meter', key: 'power' };
const MOTION = { device: 'motion', key: 'motion' };
const EACH_MINUTE = { type: 'time', every_s: 60 };

/** What the oracle found. */
test.each<[words: string, document: JsonObject, happens: readonly Happens[], first: string]>([
  [
    'a wait counts since when a value has been beyond a limit',
    {
      triggers: [EACH_MINUTE],
      steps: [{ wait_for: { triggers: [{ type: 'threshold', ...METER, above: 45, for_s: 90 }], timeout_s: 600 } }],
    },
    [
      { gapMs: 1_000, kind: 'value', ...METER, value: 20 },
      { gapMs: 39_000, kind: 'value', ...METER, value: 60 },
    ],
    'a t1 null→null, 60 to 130: finished',
  ],
  [
    'a wait counts since when a device has been away',
    {
      triggers: [EACH_MINUTE],
      steps: [
        {
          wait_for: {
            triggers: [{ type: 'availability', device: 'door', to: 'offline', for_s: 90 }],
            timeout_s: 600,
          },
        },
      ],
    },
    [{ gapMs: 40_000, kind: 'availability', device: 'door', to: 'offline' }],
    'a t1 null→null, 60 to 130: finished',
  ],
  [
    'a wait that begins while a device is away goes on when it is back as it was',
    {
      triggers: [EACH_MINUTE],
      steps: [{ wait_for: { triggers: [{ type: 'feature', ...MOTION, to: false, for_s: 90 }], timeout_s: 600 } }],
    },
    [
      { gapMs: 50_000, kind: 'availability', device: 'motion', to: 'offline' },
      { gapMs: 20_000, kind: 'availability', device: 'motion', to: 'online' },
    ],
    'a t1 null→null, 60 to 70: finished',
  ],
  [
    'a limit that begins while a device is away knows its value when it is back',
    {
      triggers: [EACH_MINUTE],
      steps: [{ wait_for: { triggers: [{ type: 'threshold', ...METER, above: 55 }], timeout_s: 600 } }],
    },
    [
      { gapMs: 50_000, kind: 'availability', device: 'meter', to: 'offline' },
      { gapMs: 20_000, kind: 'availability', device: 'meter', to: 'online' },
      { gapMs: 5_000, kind: 'value', ...METER, value: 60 },
    ],
    'a t1 null→null, 60 to 75: finished',
  ],
  [
    'what one condition refuses is not met, though another is unknown',
    {
      triggers: [EACH_MINUTE],
      conditions: [{ feature: { device: 'door', key: 'open', is: true } }, { mode: { home: 'away' } }],
      steps: [{ delay: { s: 1 } }],
    },
    [],
    'a t1 null→null, 60 to 60: not_met, not_met',
  ],
  [
    'a wait until a time of the clock goes on where the clock is put forward past it',
    { triggers: [EACH_MINUTE], steps: [{ delay: { until: '12:05' } }] },
    [{ gapMs: 239_500, kind: 'clock', aheadMs: 70_000 }],
    'a t1 null→null, 60 to 239.5: finished',
  ],
  [
    'a wait for a time of the clock goes on where the clock is put forward past it',
    {
      triggers: [EACH_MINUTE],
      steps: [{ wait_for: { triggers: [{ type: 'time', at: '12:05' }], timeout_s: 600 } }],
    },
    [{ gapMs: 239_500, kind: 'clock', aheadMs: 70_000 }],
    'a t1 null→null, 60 to 239.5: finished',
  ],
])('%s', (...[, document, happens, first]) => {
  const { engine, oracle } = liveBoth({ documents: [document], happens });
  expect(engine.runs[0]).toBe(first);
  expect(engine).toEqual(oracle);
});

test.each<[what: string, trigger: JsonObject, steps: readonly JsonObject[], happens: readonly Happens[]]>([
  [
    'mode',
    { type: 'mode', mode: 'home', from: 'night', to: 'home' },
    [{ mode: { mode: 'home', value: 'away' } }, { mode: { mode: 'home', value: 'home' } }],
    [
      { gapMs: 1_000, kind: 'mode', value: 'night' },
      { gapMs: 9_000, kind: 'mode', value: 'home' },
    ],
  ],
  [
    'variable',
    { type: 'variable', variable: 'level', from: 3, to: 1 },
    [{ variable: { variable: 'level', value: 2 } }, { variable: { variable: 'level', value: 1 } }],
    [
      { gapMs: 1_000, kind: 'variable', value: 3 },
      { gapMs: 9_000, kind: 'variable', value: 1 },
    ],
  ],
])(
  'a %s that goes away and comes back in one moment ends the time that was counted',
  (...[, trigger, steps, happens]) => {
    const { engine, oracle } = liveBoth({
      documents: [{ triggers: [{ ...trigger, for_s: 90 }, EACH_MINUTE], steps }],
      happens,
    });
    // Its time would be over at 100.
    expect(engine.runs.slice(0, 2)).toEqual([
      'a t2 null→null, 60 to 60: finished',
      'a t2 null→null, 120 to 120: finished',
    ]);
    expect(engine).toEqual(oracle);
  },
);

test('an automation whose next run waits in the queue is running, also while the one before ends', () => {
  const pressed = { type: 'occurrence', device: 'remote', key: 'button' };
  const { engine, oracle } = liveBoth({
    documents: [
      {
        triggers: [pressed],
        conditions: [{ run: { automation: 'b', is: 'running' } }],
        steps: [{ delay: { s: 1 } }],
      },
      {
        mode: { kind: 'queued', max: 2 },
        triggers: [{ type: 'time', every_s: 20 }],
        steps: [{ wait_for: { triggers: [pressed], timeout_s: 30, then: 'continue' } }],
      },
    ],
    happens: [{ gapMs: 45_000, kind: 'press', action: 'single' }],
  });
  expect(engine.runs).toContain('a t1 null→"single", 45 to 46: finished');
  expect(engine).toEqual(oracle);
});

test('what was dealt with by a trigger that is gone does not bind a later one of the same id', () => {
  const AT_FIVE = { triggers: [{ type: 'time', at: '12:05' }], steps: [{ delay: { s: 1 } }] };
  const ELSE = { triggers: [{ type: 'mode', mode: 'home', to: 'away' }], steps: [{ delay: { s: 1 } }] };
  const { engine, oracle } = liveBoth({
    documents: [AT_FIVE],
    happens: [
      { gapMs: 360_000, kind: 'save', which: 0, document: ELSE },
      { gapMs: 10_000, kind: 'restart', offMs: 2_000 },
      { gapMs: 10_000, kind: 'save', which: 0, document: AT_FIVE },
      // A minute before that time, for the second time.
      { gapMs: 38_000, kind: 'clock', aheadMs: -180_000 },
    ],
  });
  expect(engine.runs).toEqual(['a t1 null→null, 300 to 301: finished', 'a t1 null→null, 480 to 481: finished']);
  expect(engine).toEqual(oracle);
});

test('what was dealt with before an edit is dealt with after it, and a moment counts as one of eight once', () => {
  const each = (every_s: number): JsonObject => ({
    triggers: [{ type: 'time', every_s }],
    steps: [{ stop: { outcome: 'finished' } }],
  });
  const { engine, oracle } = liveBoth({
    documents: [each(20)],
    happens: [
      // At 240 it starts for the last time, and is saved in the same moment.
      { gapMs: 240_000, kind: 'save', which: 0, document: each(36) },
      { gapMs: 5_000, kind: 'clock', aheadMs: -225_000 },
    ],
  });
  // The clock shows 20 again. 100 to 240 were dealt with; when 180 comes, it is the last of them that is remembered.
  const starts = engine.runs.slice(12).map((line) => Number(/, (\d+) to/.exec(line)?.[1]) - 225);
  expect(starts.slice(0, 6)).toEqual([36, 72, 108, 144, 216, 252]);
  expect(engine).toEqual(oracle);
});

/** Each of its three changes starts it again, and each of those starts makes three more. */
const ROUND_AND_ROUND = {
  mode: { kind: 'single', max: 1 },
  triggers: [{ type: 'mode', mode: 'home' }],
  conditions: [],
  steps: ['night', 'away', 'home'].map((value) => ({ mode: { mode: 'home', value } })),
};

test('an automation that starts itself without end trips after thirty starts', () => {
  const { engine, oracle, misjudged } = liveBoth({
    documents: [ROUND_AND_ROUND],
    happens: [
      { gapMs: 0, kind: 'mode', value: 'away' },
      { gapMs: 0, kind: 'blink', device: 'motion', awayMs: 500 },
      { gapMs: 0, kind: 'clock', aheadMs: -4_200_000 },
      { gapMs: 10_000, kind: 'blink', device: 'motion', awayMs: 500 },
    ],
    clock: { ...NOON, isSet: false },
  });
  expect(engine.runs.filter((line) => line.endsWith(', 0 to 0: finished'))).toHaveLength(30);
  expect(engine.runs.at(-1)).toMatch(/, 0 to 0: skipped, tripped$/);
  expect(engine.effects.filter((line) => line.includes('trip'))).toEqual([`${NOON.startMs} a trip for 10 min`]);
  expect(engine).toEqual(oracle);
  expect(misjudged).toEqual([]);
});

test('a start comes back each second, a trip lasts twice as long as the one before, and a restart fills the bucket', () => {
  const level = (value: number, gapMs: number): Happens => ({ gapMs, kind: 'variable', value });
  const levels = (count: number, gapMs: number): readonly Happens[] =>
    Array.from({ length: count }, (_, at) => level(1 + (at % 2), gapMs));
  const { engine, oracle } = liveBoth({
    documents: [{ triggers: [{ type: 'variable', variable: 'level' }], steps: [{ stop: { outcome: 'finished' } }] }],
    happens: [
      // The first is at 0.3 s. At 12.9 s no start is left.
      ...levels(43, 300),
      level(3, 599_900),
      level(0, 100),
      ...levels(20, 0),
      { gapMs: 0, kind: 'restart', offMs: 0 },
      ...levels(31, 0),
      level(3, 1_199_900),
      level(0, 100),
    ],
  });
  expect(engine.effects).toEqual([
    `${NOON.startMs + 12_900} a trip for 10 min`,
    `${NOON.startMs + 612_900} a trip for 20 min`,
  ]);
  expect(engine.runs.filter((line) => line.endsWith('finished'))).toHaveLength(42 + 21 + 30 + 1);
  expect(engine).toEqual(oracle);
});
