import { test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import { changerOf } from '#core/automation-replay/recorded/home-changes.ts';
import { mergeSamples } from '#core/automation-replay/recorded/merged-samples.ts';
import { createRecordedHome } from '#core/automation-replay/recorded/recorded-home.ts';
import { replay } from '#core/automation-replay/replay.ts';
import type { Recorded, RecordedSeries } from '#core/automation-replay/simulation.ts';
import type { SampleValue } from '#core/past/history/sample.ts';
import { definitionOf } from '#test/support/automation/known-home.ts';
import { deviceOf } from '#test/support/automation/virtual-device.ts';
import { automation } from '#test/support/automation/virtual-home.ts';
import { interleave, recordFigure } from './support/figure.ts';

const FIRST_MS = 1_000;
const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 9, 1);
/** A day before the window, to warm up. */
const START_MS = FROM_MS - DAY_MS;
const TO_MS = FROM_MS + 30 * DAY_MS;
const HOME = {
  meter: { power: 0 },
  lux: { illuminance: 0 },
  motion: { motion: false },
  lamp: { on: false },
  climate: { temperature: 20 },
};

function createRandom(): () => number {
  let seed = 7;
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function series(name: string, everyMs: number, valueAt: (atMs: number) => SampleValue): RecordedSeries {
  const times: number[] = [];
  const values: SampleValue[] = [];
  for (let atMs = START_MS; atMs < TO_MS; atMs += everyMs) {
    const value = valueAt(atMs);
    if (value === values.at(-1)) continue;
    times.push(atMs + (times.length % 50) * 100);
    values.push(value);
  }
  return { name, timesMs: new Float64Array(times), values, gaps: new Map() };
}

/** A meter shows another value in four of five reports. */
function powerOf(random: () => number): () => number {
  let watts = 40;
  return () => {
    if (random() < 0.79) watts = Math.round(40 + (random() < 0.02 ? 2_000 * random() : 0) + random() * 200);
    return watts;
  };
}

/** Of the reference home a meter and four slow series: some 7,100 changes a day. */
function recordMonth(): Recorded {
  const random = createRandom();
  const all = [
    ...Object.keys(HOME).map((id) => series(`${id}/availability`, TO_MS, () => 'online')),
    series('meter/power', 10_000, powerOf(random)),
    series('lux/illuminance', 900_000, () => Math.round(random() * 400)),
    series('motion/motion', 270_000, () => random() < 0.5),
    series('lamp/on', 1_800_000, () => random() < 0.5),
    series('climate/temperature', 240_000, (atMs) => Math.round(200 + 30 * Math.sin(atMs / 4e6) + random() * 9) / 10),
  ];
  const devices = Object.entries(HOME).map(([id, values]) => deviceOf(id, { values }, START_MS));
  const zone = createTimeZone('UTC');
  return {
    home: { devices, scenes: [], people: [] },
    series: new Map(all.map((one) => [one.name, one])),
    clock: (timeIn) => createCivilTime({ zone: () => zone, place: () => undefined, isFree: () => false, timeIn }),
    triggers: new Set(['meter/power', 'motion/motion', 'climate/temperature']),
    missing: [],
    startMs: START_MS,
  };
}

const AUTOMATION = automation(
  'light',
  definitionOf({
    triggers: [
      { type: 'threshold', device: 'meter', key: 'power', above: 1500, for_s: 20 },
      { type: 'feature', device: 'motion', key: 'motion', to: true },
      { type: 'threshold', device: 'climate', key: 'temperature', above: 22 },
    ],
    conditions: [
      {
        or: [
          { feature: { device: 'lux', key: 'illuminance', below: 40 } },
          { feature: { device: 'lamp', key: 'on', is: true } },
        ],
      },
    ],
    steps: [
      { command: { targets: { devices: ['lamp'] }, set: { on: true } } },
      { delay: { s: 60 } },
      { command: { targets: { devices: ['lamp'] }, set: { on: false } } },
    ],
  }),
);

test('thirty days of five series through the reducer, beside the same samples without rules', async () => {
  const recorded = recordMonth();
  const { series: all } = recorded;
  const timed = (run: () => void) => (): Promise<number> => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return Promise.resolve((user + system) / 1000);
  };
  const asked = {
    window: { fromMs: FROM_MS, toMs: TO_MS },
    world: 'recorded',
    inputs: new Map(),
    seed: '00000001',
  } as const;
  const replayed = timed(() => {
    if (replay(AUTOMATION, recorded, asked)?.firings.length === 0) throw new Error('nothing happened');
  });
  // What a person waits for: the code is not compiled yet.
  const beganMs = performance.now();
  await replayed();
  const firstMs = performance.now() - beganMs;
  const { hub, reference } = await interleave({
    hub: replayed,
    reference: timed(() => {
      const home = createRecordedHome(recorded, new Map());
      const merging = [...all.values()];
      const changers = merging.map(({ name }) => changerOf(home, name));
      const merged = mergeSamples(merging, () => 0);
      for (let sample = merged.take(); sample !== undefined; sample = merged.take()) {
        const { series: at, atMs, value } = sample;
        home.nowMs = atMs;
        changers[at]?.({ atMs, value, cause: null });
      }
    }),
  });
  const samples = [...all.values()].reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  recordFigure({
    what: `first replay of 30 days in a process, ${samples.toLocaleString('en')} samples`,
    hub: `${firstMs.toFixed(0)} ms`,
    reference: `${FIRST_MS} ms wanted`,
    ratio: firstMs / FIRST_MS,
    target: { atMost: 1 },
  });
  recordFigure({
    what: `replay of 30 days, ${samples.toLocaleString('en')} samples, processor time`,
    hub: `${hub.toFixed(0)} ms`,
    reference: `the same samples into the home, without rules: ${reference.toFixed(0)} ms`,
    ratio: hub / reference,
    target: { atMost: 30 },
  });
});
