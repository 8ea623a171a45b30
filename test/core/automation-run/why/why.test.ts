import type { RunOutcome } from '#core/cause/run-outcome.ts';
import { describe, expect, test } from 'vitest';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { Evidence, UnknownReason } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { KeptNearMiss, NearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { sentenceOf, type Words } from '#core/automation-run/why/sentence.ts';
import { explainWhy, type WhyFacts } from '#core/automation-run/why/why.ts';
import { AUTOMATION, DARK, stepTrace, trace, TRIGGER } from '#test/core/automation-run/trace/trace-makers.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

const AT_MS = Date.UTC(2026, 10, 20, 18);
const MINUTE_MS = 60_000;
const LUX = 'hall-lux' as DeviceId;
const DARK_TRIGGER: Trigger = { id: 't1', type: 'threshold', device: LUX, key: 'illuminance', below: 40 };

const WORDS: Words = {
  deviceName: (device) => `the ${device}`,
  featureName: (device, key) => `the ${device}'s ${key}`,
  valueText: (value) => JSON.stringify(value),
  timeText: (atMs) => new Date(atMs).toISOString().slice(11, 16),
};

function facts(changes: Partial<WhyFacts> = {}): WhyFacts {
  return {
    automation: AUTOMATION,
    atMs: AT_MS,
    window: { fromMs: AT_MS - 5 * MINUTE_MS, toMs: AT_MS + 5 * MINUTE_MS },
    triggers: [DARK_TRIGGER],
    runs: [],
    nearMisses: [],
    source: 'kept',
    isComplete: true,
    idle: undefined,
    hubOff: [],
    offline: [],
    values: new Map(),
    ...changes,
  };
}

function asked(changes: Partial<WhyFacts>): readonly [verdict: string, code: string, sentence: string] {
  const why = explainWhy(facts(changes));
  return [why.verdict, why.code, sentenceOf(why, WORDS)];
}

function run(outcome: RunOutcome, details: Partial<AutomationRun> = {}): AutomationRun {
  return trace(AT_MS + 1_000, outcome, details);
}

function miss(reason: NearMiss['reason'], changes: Partial<KeptNearMiss> = {}): KeptNearMiss {
  const at = { atMs: AT_MS, lastAtMs: AT_MS, count: 1 };
  return { automation: AUTOMATION, trigger: 't1', device: LUX, key: 'illuminance', reason, ...at, ...changes };
}

const light: Evidence = { ...DARK, result: false };
const unknown = (why: UnknownReason): Evidence => ({
  pointer: '/conditions/0',
  result: 'unknown',
  operands: DARK.operands.map((seen) => ({ ...seen, unknown: why })),
});
const clock: Evidence = {
  pointer: '/conditions/0',
  result: 'unknown',
  operands: [{ name: 'time', value: null, unknown: 'clock_unset' }],
};
const byHand = stepTrace({
  outcome: 'skipped',
  reason: because('hand'),
  command: { id: null, status: 'skipped', evidence: 'none', results: {} },
});

describe('a start in the time that is asked about', () => {
  test.each<[string, AutomationRun, string, string, string]>([
    ['that did its work', run('finished', { steps: [stepTrace()] }), 'ran', 'ran', 'It ran.'],
    ['that goes on', run('running'), 'ran', 'running', 'It began and goes on.'],
    ['that failed', run('failed', { reason: 'offline' }), 'ran', 'ended_badly', 'It ran, but not to its end: offline.'],
    [
      'that came late',
      run('finished', { trigger: { ...TRIGGER, lateMs: 90_000 } }),
      'ran',
      'ran',
      'It ran, 90 seconds late.',
    ],
    [
      'that left all to a hand',
      run('finished', { steps: [byHand] }),
      'yielded_to_hand',
      'yielded_to_hand',
      'It ran and sent nothing, because somebody had moved everything by hand.',
    ],
    [
      'whose conditions did not hold',
      run('not_met', { reason: because('not_met'), conditions: [light] }),
      'conditions',
      'not_met',
      "Its trigger happened, but its conditions did not hold: the hall-lux's illuminance was 12.5.",
    ],
    [
      'whose condition looked at a device that was away',
      run('not_met', { reason: because('unknown'), conditions: [unknown('offline')] }),
      'device_unknown',
      'condition_unknown',
      "Its trigger happened, but nobody knew whether its conditions held: the hall-lux's illuminance was unknown (offline).",
    ],
    [
      'whose condition needed the time of day',
      run('not_met', { reason: because('unknown'), conditions: [clock] }),
      'clock_unset',
      'condition_unknown',
      'Its trigger happened, but nobody knew whether its conditions held: time was unknown (clock unset).',
    ],
    [
      'that found it busy',
      run('skipped', { reason: because('busy') }),
      'busy',
      'busy',
      'Its trigger happened while an earlier run of it went on.',
    ],
    [
      'that found its queue full',
      run('skipped', { reason: because('queue_full') }),
      'busy',
      'queue_full',
      'Its trigger happened, but its queue was full.',
    ],
    [
      'that found too many runs',
      run('skipped', { reason: because('too_many_runs') }),
      'busy',
      'too_many_runs',
      'Its trigger happened, but too many automations ran at that moment.',
    ],
    [
      'that was in a circle',
      run('skipped', { reason: because('loop', { automations: 'a → b → a' }) }),
      'loop',
      'loop',
      'Its trigger happened, but automations had started each other in a circle.',
    ],
    [
      'that tripped it',
      run('skipped', { reason: because('tripped') }),
      'tripped',
      'tripped',
      'It was stopped for a while, because it had started too often.',
    ],
  ])('%s', (_name, one, ...said) => {
    expect(asked({ runs: [one] })).toEqual(said);
  });

  test('that did something counts more than one that came to nothing, and than a near miss', () => {
    const [dull, done] = [
      trace(AT_MS, 'not_met', { reason: because('not_met') }),
      trace(AT_MS + MINUTE_MS, 'finished'),
    ];
    expect(asked({ runs: [dull, done], nearMisses: [miss({ why: 'disabled' })] })[0]).toBe('ran');
    expect(asked({ runs: [dull], nearMisses: [miss({ why: 'disabled' })] })[0]).toBe('conditions');
  });

  test('long before does not answer for the moment at which it was busy', () => {
    const early = trace(AT_MS - 3 * MINUTE_MS, 'running');
    expect(asked({ runs: [early, run('skipped', { reason: because('busy') })] })[0]).toBe('busy');
    expect(asked({ runs: [early] })[0]).toBe('ran');
  });

  test('at another time does not count', () => {
    const runs = [trace(AT_MS - 6 * MINUTE_MS, 'finished'), trace(AT_MS + 6 * MINUTE_MS, 'not_met')];
    expect(asked({ runs })[0]).toBe('trigger_never_happened');
  });

  test('counts for the time at which it should have been, and for those that are merged into it', () => {
    const late = trace(AT_MS + 40 * MINUTE_MS, 'finished', { trigger: { ...TRIGGER, lateMs: 40 * MINUTE_MS } });
    expect(asked({ runs: [late] })).toEqual(['ran', 'ran', 'It ran, 40 minutes late.']);
    const merged = trace(AT_MS - 60 * MINUTE_MS, 'not_met', { finishedAtMs: AT_MS + 60 * MINUTE_MS, merged: 9 });
    expect(asked({ runs: [merged] })[0]).toBe('conditions');
  });
});

describe('what kept it from starting', () => {
  test.each<[string, Partial<WhyFacts>, string, string]>([
    ['it was disabled', { nearMisses: [miss({ why: 'disabled' })] }, 'disabled', 'It was switched off.'],
    ['it is disabled since then', { idle: { verdict: 'disabled' } }, 'disabled', 'It was switched off.'],
    [
      'it was suspended',
      { idle: { verdict: 'suspended', reason: because('SIGNER_GONE') } },
      'suspended',
      'It was suspended, because who signed it is gone: somebody with the rights must sign it.',
    ],
    [
      'it was broken',
      { nearMisses: [miss({ why: 'broken' })] },
      'broken',
      'It was broken: something that it names is gone, or of another kind.',
    ],
    [
      'it had tripped',
      { nearMisses: [miss({ why: 'tripped' })] },
      'tripped',
      'It was stopped for a while, because it had started too often.',
    ],
    [
      'the clock was not set',
      { nearMisses: [miss({ why: 'clock_unset' })] },
      'clock_unset',
      'Its time may have come, but the hub did not know what time it was.',
    ],
    [
      'its time was noticed too late',
      {
        nearMisses: [
          miss(
            { why: 'missed', lateMs: 20 * MINUTE_MS },
            { atMs: AT_MS + 20 * MINUTE_MS, lastAtMs: AT_MS + 20 * MINUTE_MS },
          ),
        ],
      },
      'missed',
      'Its time was noticed 20 minutes late, which was too late to run.',
    ],
    [
      'the hub was off, though its time was noticed later',
      {
        hubOff: [{ fromMs: AT_MS - MINUTE_MS, toMs: AT_MS + 20 * MINUTE_MS }],
        nearMisses: [
          miss(
            { why: 'missed', lateMs: 20 * MINUTE_MS },
            { atMs: AT_MS + 20 * MINUTE_MS, lastAtMs: AT_MS + 20 * MINUTE_MS },
          ),
        ],
      },
      'hub_off',
      'The hub was off from 17:59 to 18:20.',
    ],
    [
      'its device was away',
      { offline: [{ device: LUX, fromMs: AT_MS - 60 * MINUTE_MS, toMs: AT_MS + 60 * MINUTE_MS }] },
      'device_unknown',
      'The hall-lux could not be reached from 17:00 to 19:00.',
    ],
    [
      'its device had no value',
      { nearMisses: [miss({ why: 'unknown' })] },
      'device_unknown',
      "Nobody knew what the hall-lux's illuminance was.",
    ],
    ['it did not exist', { triggers: undefined }, 'no_data', 'It did not exist yet.'],
    ['nothing is kept', { isComplete: false }, 'no_data', 'Nothing is kept of that time.'],
  ])('%s', (_name, changes, ...wanted) => {
    const [verdict, , sentence] = asked(changes);
    expect([verdict, sentence]).toEqual(wanted);
  });
});

describe('the nearest approach of a trigger that never happened', () => {
  test.each<[string, Partial<WhyFacts>, string, string]>([
    [
      'is the value nearest to the limit',
      { values: new Map([['hall-lux illuminance', [300, 43, 51]]]) },
      'not_crossed',
      "The hall-lux's illuminance was 43 at the nearest; the limit is 40.",
    ],
    [
      'is that of the trigger that came nearest',
      {
        triggers: [DARK_TRIGGER, { id: 't2', type: 'threshold', device: LUX, key: 'temperature', above: 30 }],
        values: new Map([
          ['hall-lux illuminance', [300, 143]],
          ['hall-lux temperature', [29.5, 20]],
        ]),
      },
      'not_crossed',
      "The hall-lux's temperature was 29.5 at the nearest; the limit is 30.",
    ],
    [
      'is a value that never was',
      {
        triggers: [{ id: 't1', type: 'feature', device: LUX, key: 'motion', to: true }],
        values: new Map([['hall-lux motion', [false]]]),
      },
      'never_was',
      "The hall-lux's motion was never true; it was false.",
    ],
    [
      'is a time that was cut short',
      { nearMisses: [miss({ why: 'for_cancelled', afterMs: 312_000, ofMs: 600_000, by: 'value' })] },
      'for_cancelled',
      "The hall-lux's illuminance was so for 5 minutes of the 10 minutes that it needs.",
    ],
    [
      'is a value before',
      { nearMisses: [miss({ why: 'from_was', value: 'on' })] },
      'from_was',
      `The hall-lux's illuminance changed, but it had been "on" before.`,
    ],
    [
      'is another value',
      { nearMisses: [miss({ why: 'value_is', value: 3 })] },
      'value_is',
      "The hall-lux's illuminance changed to 3, which is not what the trigger waits for.",
    ],
    [
      'is a trigger that was not armed',
      { nearMisses: [miss({ why: 'not_armed', value: 39, rearmsAt: 42 })] },
      'not_armed',
      "The hall-lux's illuminance was 39, but had not been back at 42 since the last time.",
    ],
    [
      'is another mover',
      { nearMisses: [miss({ why: 'moved_by', by: 'hub' })] },
      'moved_by',
      "The hall-lux's illuminance changed, but by the hub, for which the trigger does not wait.",
    ],
    [
      'is a first value',
      { nearMisses: [miss({ why: 'first_value' })] },
      'first_value',
      "The hall-lux's illuminance had no value before, so its first one was no change.",
    ],
    [
      'is that not all were so',
      { nearMisses: [miss({ why: 'not_all' })] },
      'not_all',
      'Not all that the trigger watches were so.',
    ],
    ['is nothing', {}, 'nothing_happened', 'Nothing happened for which its triggers wait.'],
  ])('%s', (_name, changes, ...said) => {
    expect(asked(changes)).toEqual(['trigger_never_happened', ...said]);
  });
});

test('the timeline has all that is known of the window, oldest first', () => {
  const why = explainWhy(
    facts({
      runs: [run('not_met', { reason: because('not_met') })],
      nearMisses: [miss({ why: 'not_crossed', value: 43, limit: 40 })],
      hubOff: [{ fromMs: AT_MS - 3 * MINUTE_MS, toMs: AT_MS - 2 * MINUTE_MS }],
      offline: [{ device: LUX, fromMs: AT_MS - MINUTE_MS, toMs: AT_MS - 30_000 }],
    }),
  );
  expect(why.timeline.map(({ code }) => code)).toEqual(['hub_off', 'device_offline', 'not_crossed', 'not_met']);
});

test('nothing is said of what the reader may not see', () => {
  const why = explainWhy(facts({ values: new Map([['hall-lux illuminance', [43]]]) }));
  const words: Words = { ...WORDS, featureName: () => undefined, valueText: () => 'hidden' };
  expect(sentenceOf(why, words)).toBe('A device that you may not see was hidden at the nearest; the limit is hidden.');
});
