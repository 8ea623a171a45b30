import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { JsonValue } from '#base/json.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { replay } from '#core/automation-replay/replay.ts';
import { simulate } from '#core/automation-replay/simulate.ts';
import type { Recorded, RecordedSeries, Replayed } from '#core/automation-replay/simulation.ts';
import type { GapReason, SampleValue } from '#core/past/history/sample.ts';
import { automation } from '#test/support/automation/virtual-home.ts';
import { deviceOf } from '#test/support/automation/virtual-device.ts';

const START_MS = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type At = readonly [seconds: number, value: SampleValue | { readonly gap: GapReason }];

function series(name: string, ...samples: readonly At[]): RecordedSeries {
  const gaps = samples.flatMap(([, value], at) => (typeof value === 'object' ? [[at, value] as const] : []));
  return {
    name,
    timesMs: samples.map(([seconds]) => START_MS + seconds * 1000),
    values: samples.map(([, value]) => (typeof value === 'object' ? null : value)),
    gaps: new Map(gaps),
  };
}

const DEVICES = [
  deviceOf('motion', { values: { motion: false } }, 0),
  deviceOf('lux', { values: { illuminance: 0 } }, 0),
  deviceOf('lamp', { type: 'on_off_light', values: { on: false } }, 0),
];

function recordedOf(all: readonly RecordedSeries[], triggers: readonly string[] = []): Recorded {
  return {
    home: { devices: DEVICES, scenes: [], people: [] },
    series: new Map(all.map((one) => [one.name, one])),
    clock: (timeIn) =>
      createCivilTime({ zone: () => createTimeZone('UTC'), place: () => undefined, isFree: () => false, timeIn }),
    triggers: new Set(triggers),
    missing: [],
    startMs: START_MS,
  };
}

function replayed(part: Partial<Definition>): Replayed {
  const { id, version, definition } = automation('hall', part);
  return { id, version, definition };
}

const WINDOW = { fromMs: START_MS, toMs: START_MS + DAY_MS };
const ONLINE = ['motion', 'lux', 'lamp'].map((id) => series(`${id}/availability`, [-10, 'online']));

const asked = (given: Readonly<Record<string, JsonValue>> = {}) =>
  ({ window: WINDOW, world: 'recorded', inputs: new Map(Object.entries(given)), seed: '00000001' }) as const;

const LIGHT = {
  triggers: [{ id: 'seen', type: 'feature', device: 'motion', key: 'motion', to: true }],
  conditions: [{ feature: { device: 'lux', key: 'illuminance', below: 40 } }],
  steps: [{ id: 's1', command: { targets: { devices: ['lamp'] }, set: { on: true } } }],
} as unknown as Partial<Definition>;

function outcomes(recorded: Recorded, part: Partial<Definition> = LIGHT, given = {}): readonly string[] {
  const found = replay(replayed(part), recorded, asked(given));
  return (found?.firings ?? []).map(
    ({ atMs, trigger, outcome }) => `${(atMs - START_MS) / 1000} ${trigger} ${outcome}`,
  );
}

describe('a replay', () => {
  test('starts where a trigger fired and the condition held at that moment', () => {
    const recorded = recordedOf([
      ...ONLINE,
      series('motion/motion', [-5, false], [60, true], [120, false], [600, true]),
      series('lux/illuminance', [-5, 80], [300, 12]),
    ]);
    expect(outcomes(recorded)).toEqual(['60 seen not_met', '600 seen finished']);
  });

  test('holds a given value for the whole time', () => {
    const recorded = recordedOf([
      ...ONLINE,
      series('motion/motion', [-5, false], [60, true]),
      series('lux/illuminance', [-5, 80]),
    ]);
    expect(outcomes(recorded, LIGHT, { 'lux/illuminance': 12 })).toEqual(['60 seen finished']);
  });

  test('knows nothing of a device that was away, and its old value again once it is back', () => {
    const recorded = recordedOf([
      series('motion/availability', [-10, 'online']),
      series('lamp/availability', [-10, 'online']),
      series('lux/availability', [-10, 'online'], [50, 'offline'], [100, 'online']),
      series('motion/motion', [-5, false], [60, true], [70, false], [110, true]),
      series('lux/illuminance', [-5, 12], [50, { gap: 'offline' }]),
    ]);
    expect(outcomes(recorded)).toEqual(['60 seen not_met', '110 seen finished']);
  });

  test('begins at the times of the clock in the window', () => {
    const part = { ...LIGHT, triggers: [{ id: 't', type: 'time', at: '06:45' }], conditions: [] };
    expect(outcomes(recordedOf(ONLINE), part as unknown as Partial<Definition>)).toEqual([`${6.75 * 3600} t finished`]);
  });

  test('counts the time for which a value held by its own clock', () => {
    const triggers = [{ ...LIGHT.triggers?.[0], for_s: 30 }];
    const recorded = recordedOf([
      ...ONLINE,
      series('motion/motion', [-5, false], [60, true], [80, false], [100, true], [200, false]),
    ]);
    const part = { ...LIGHT, conditions: [], triggers } as unknown as Partial<Definition>;
    expect(outcomes(recorded, part)).toEqual(['130 seen finished']);
  });

  test('starts nothing while the hub was off, and says so', () => {
    const recorded = recordedOf([
      ...ONLINE,
      series('hub/recording', [-20, true], [50, { gap: 'hub_off' }], [100, true]),
      series('motion/motion', [-5, false], [50, { gap: 'hub_off' }], [104, true], [110, false], [120, true]),
    ]);
    const part = { ...LIGHT, conditions: [] };
    // The hub knew the value from before, so that the first report after its start is a change.
    expect(outcomes(recorded, part)).toEqual(['104 seen finished', '120 seen finished']);
    const found = replay(replayed(part), recorded, asked());
    expect(found?.missing).toEqual([
      { series: 'hub/recording', reason: 'hub_off', fromMs: START_MS + 50_000, toMs: START_MS + 100_000 },
    ]);
  });

  test('starts nothing before the hub was there, and says so', () => {
    const recorded = recordedOf([
      ...ONLINE,
      series('hub/recording', [100, true]),
      series('motion/motion', [-5, false], [60, true], [70, false], [120, true]),
    ]);
    const found = replay(replayed({ ...LIGHT, conditions: [] }), recorded, asked());
    expect(found?.runs).toHaveLength(1);
    expect(found?.missing).toEqual([
      { series: 'hub/recording', reason: 'hub_off', fromMs: START_MS, toMs: START_MS + 100_000 },
    ]);
  });

  test('takes the hub as on where its own series is left out, and says what was not recorded while it was off', () => {
    const imported = recordedOf([
      ...ONLINE,
      series('motion/motion', [-5, false], [20, true], [50, { gap: 'hub_off' }], [104, false], [120, true]),
      series('lux/illuminance', [-5, 12]),
    ]);
    expect(outcomes(imported)).toEqual(['20 seen finished', '120 seen finished']);
    expect(replay(replayed(LIGHT), imported, asked())?.missing).toEqual([
      { series: 'motion/motion', reason: 'not_recorded', fromMs: START_MS + 50_000, toMs: START_MS + 104_000 },
    ]);
    const noon = { triggers: [{ id: 'noon', type: 'time', at: '12:00' }], steps: [] } as unknown as Partial<Definition>;
    expect(outcomes(recordedOf([series('hub/recording', [43_300, true])]), noon)).toEqual([]);
    expect(outcomes(recordedOf([]), noon)).toEqual(['43200 noon finished']);
  });

  test('goes on with a wait over a start of the hub', () => {
    const steps = [{ id: 'd', delay: { s: 60 } }, ...(LIGHT.steps ?? [])];
    const recorded = recordedOf([
      ...ONLINE,
      series('hub/recording', [-20, true], [50, { gap: 'hub_off' }], [70, true]),
      series('motion/motion', [-5, false], [40, true]),
    ]);
    const found = replay(replayed({ ...LIGHT, conditions: [], steps }), recorded, asked());
    expect(found?.runs.map(({ outcome, finishedAtMs }) => [outcome, finishedAtMs])).toEqual([
      ['finished', START_MS + 100_000],
    ]);
  });

  test('says where two things happened in one tenth of a second and a run began', () => {
    const recorded = recordedOf(
      [...ONLINE, series('motion/motion', [-5, false], [60, true]), series('lux/illuminance', [-5, 80], [60, 12])],
      ['motion/motion'],
    );
    const found = replay(replayed(LIGHT), recorded, asked());
    expect(found?.missing).toEqual([
      { series: 'lux/illuminance', reason: 'order_unknown', fromMs: START_MS + 60_000, toMs: START_MS + 60_100 },
    ]);
  });

  test('is given up when its time is over', () => {
    const times = Array.from({ length: 2_000 }, (_, at): At => [at, at % 2 === 0]);
    const recorded = recordedOf([...ONLINE, series('motion/motion', ...times)]);
    expect(replay(replayed(LIGHT), recorded, { ...asked(), isOver: () => true })).toBeUndefined();
  });
});

const BLINK = {
  triggers: [{ id: 'seen', type: 'feature', device: 'motion', key: 'motion', to: true }],
  steps: [
    {
      id: 's1',
      choose: {
        cases: [
          {
            if: { feature: { device: 'lamp', key: 'on', is: true } },
            then: [{ id: 'off', command: { targets: { devices: ['lamp'] }, set: { on: false } } }],
          },
        ],
        else: [{ id: 'on', command: { targets: { devices: ['lamp'] }, set: { on: true } } }],
      },
    },
  ],
} as unknown as Partial<Definition>;

describe('the two worlds', () => {
  const moves = series('motion/motion', [-5, false], [60, true], [70, false], [80, true], [90, false], [100, true]);
  const sent = (world: 'recorded' | 'answering', lamp: RecordedSeries, ...others: readonly RecordedSeries[]) =>
    replay(replayed(BLINK), recordedOf([...ONLINE, moves, lamp, ...others]), { ...asked(), world })?.runs.map(
      ({ steps }) => (steps.at(-1)?.pointer.includes('else') ? 'on' : 'off'),
    );

  test('the recorded home does what it did, whatever is commanded', () => {
    expect(sent('recorded', series('lamp/on', [-5, false]))).toEqual(['on', 'on', 'on']);
  });

  test('an answering home shows what was commanded', () => {
    expect(sent('answering', series('lamp/on', [-5, false]))).toEqual(['on', 'off', 'on']);
  });

  test('a hand of the past moves the lamp in both', () => {
    expect(sent('answering', series('lamp/on', [-5, false], [65, true], [75, false]))).toEqual(['on', 'on', 'off']);
  });

  test('what the automation itself did then is left out of an answering home', () => {
    const own = JSON.stringify([0, 'on', true, ['=c1', null, '=hall', '=r1', 1]]);
    const timeline = series('timeline/lamp', [-3, own]);
    expect(sent('answering', series('lamp/on', [-5, false], [-3, true]), timeline)).toEqual(['on', 'off', 'on']);
    expect(sent('recorded', series('lamp/on', [-5, false], [-3, true]), timeline)).toEqual(['off', 'off', 'off']);
  });
});

describe('a simulation', () => {
  const recorded = recordedOf([
    ...ONLINE,
    series('motion/motion', [-5, false], [60, true], [120, false], [600, true], [700, false], [90_000, true]),
    series('lux/illuminance', [-5, 80], [300, 12]),
  ]);
  const dateOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const window = { fromMs: START_MS, toMs: START_MS + 2 * DAY_MS };
  const common = { window, world: 'recorded', inputs: new Map(), reality: null, dateOf } as const;

  test('has a line for each day with the moments of both', () => {
    const found = simulate(recorded, {
      ...common,
      automation: replayed({ ...LIGHT, conditions: [] }),
      compareTo: replayed(LIGHT),
    });
    const moments = (list: readonly { readonly atMs: number }[] = []) =>
      list.map(({ atMs }) => (atMs - START_MS) / 1000);
    expect(found?.perDay.map((day) => [day.date, moments(day.new), moments(day.old), day.oldCounts])).toEqual([
      ['2026-11-01', [60, 600], [600], { not_met: 1, finished: 1 }],
      ['2026-11-02', [90_000], [90_000], { finished: 1 }],
    ]);
    expect([moments(found?.compare?.onlyNew), found?.compare?.onlyOld, found?.compare?.both]).toEqual([[60], [], 2]);
    const ids = new Set([...(found?.runs ?? []), ...(found?.oldRuns ?? [])].map(({ id }) => id));
    const shown = found?.perDay.flatMap((day) => [...day.new, ...day.old]).map(({ run }) => run ?? '');
    expect(shown?.every((id) => ids.has(id))).toBe(true);
    expect(found?.commands.get('lamp' as never)?.sent).toBe(3);
  });

  test('is compared with the runs that there were, from the oldest that is kept', () => {
    const real = [601, 650].map((seconds) => ({
      atMs: START_MS + seconds * 1000,
      trigger: 'seen',
      outcome: 'finished' as const,
      run: 'r',
    }));
    const found = simulate(recorded, {
      ...common,
      automation: replayed({ ...LIGHT, conditions: [] }),
      compareTo: null,
      reality: { sinceMs: START_MS + 100_000, firings: real },
    });
    expect(found?.againstReality).toMatchObject({
      agrees: 1,
      wouldHave: [{ atMs: START_MS + 90_000_000 }],
      didInstead: [real[1]],
    });
  });
});
