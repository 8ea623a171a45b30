import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import { createSeriesBox } from '#automations/replay/replay-job.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { replay } from '#core/automation-replay/replay.ts';
import { readRecorded } from '#core/automation-replay/recorded/read-recorded.ts';
import { usedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { openRecorder, type Recorder } from '#core/past/history/recorder.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { createTimelineRecorder, type TimelineRecorder } from '#core/past/timeline/timeline-recorder.ts';
import { storageInProcess } from '#storage/storage.ts';
import { automation, createVirtualHome, START_MS, type VirtualHome } from '#test/support/automation/virtual-home.ts';
import { deviceOf, type DeviceSetting } from '#test/support/automation/virtual-device.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createBench } from '#test/storage/storage-harness.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const MINUTE_MS = 60_000;

const DEVICES: Readonly<Record<string, DeviceSetting>> = {
  motion: { values: { motion: false } },
  lux: { values: { illuminance: 100 } },
  thermo: { values: { temperature: 20 } },
  door: { values: { open: false } },
  remote: { values: { button: null } },
  lamp: { type: 'dimmable_light', values: { on: false, brightness: 50 } },
  fan: { type: 'fan', values: { on: false } },
};

const command = (id: string, device: string, set: Readonly<Record<string, JsonValue>>) => ({
  id,
  command: { targets: { devices: [device] }, set },
});
const feature = (device: string, key: string, more: object) => ({
  id: `${device}-${key}`,
  type: 'feature',
  device,
  key,
  ...more,
});

const PARTS = {
  'a-light': {
    mode: { kind: 'restart', max: 1 },
    yield_to_hand_s: 600,
    triggers: [feature('motion', 'motion', { to: true })],
    conditions: [{ feature: { device: 'lux', key: 'illuminance', below: 40 }, if_unknown: true }],
    steps: [
      command('on', 'lamp', { on: true }),
      { id: 'w', wait_for: { triggers: [feature('motion', 'motion', { to: false, for_s: 180 })], timeout_s: 14_400 } },
      command('off', 'lamp', { on: false }),
    ],
  },
  'b-morning': {
    triggers: [{ id: 'clock', type: 'time', at: '06:45', days: ['mon', 'tue', 'wed', 'thu', 'fri'] }],
    conditions: [{ mode: { home: 'home' } }],
    steps: [
      command('dim', 'lamp', {
        brightness: { clamp: [{ feature: { device: 'lux', key: 'illuminance' } }, 10, 90] },
      }),
    ],
  },
  'c-fan': {
    mode: { kind: 'queued', max: 3 },
    triggers: [
      { id: 'hot', type: 'threshold', device: 'thermo', key: 'temperature', above: 26, hysteresis: 0.5, for_s: 120 },
    ],
    steps: [command('fan', 'fan', { on: true }), { id: 'd', delay: { s: 900 } }, command('rest', 'fan', { on: false })],
  },
  'd-button': {
    mode: { kind: 'parallel', max: 5 },
    triggers: [{ id: 'press', type: 'occurrence', device: 'remote', key: 'button', action: 'single' }],
    steps: [
      {
        id: 'c',
        choose: {
          cases: [
            { if: { feature: { device: 'lamp', key: 'on', is: true } }, then: [command('o', 'lamp', { on: false })] },
          ],
          else: [command('p', 'lamp', { on: true })],
        },
      },
    ],
  },
  'e-door': {
    triggers: [
      feature('door', 'open', { to: true, for_s: 600 }),
      { id: 'away', type: 'mode', mode: 'home', to: 'away' },
      { id: 'lost', type: 'availability', device: 'door', to: 'offline', for_s: 60 },
    ],
    conditions: [{ not: { mode: { home: 'night' } } }],
    steps: [{ id: 'n', notify: { severity: 'info', title: 'Look at the door' } }],
  },
} as unknown as Readonly<Record<string, Partial<Definition>>>;

const UTC = createTimeZone('UTC');
const CIVIL = createCivilTime({
  zone: () => UTC,
  place: () => undefined,
  isFree: () => false,
  timeIn: () => undefined,
});

/** The same numbers each time. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * below;
  };
}

/** Time that moves only by `turnTo`, past the timers on the way. Faster than one that waits for promises. */
function createPlainTime() {
  let nowMs = START_MS;
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  const next = (untilMs: number) =>
    [...timers].filter(({ dueMs }) => dueMs <= untilMs).toSorted((left, right) => left.dueMs - right.dueMs)[0];
  return {
    nowMs: () => nowMs,
    clock: { wallMs: () => nowMs, monotonicMs: () => nowMs },
    startTimer: (afterMs: number, run: () => void) => {
      const timer = { dueMs: nowMs + afterMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    turnTo: (atMs: number): void => {
      for (let due = next(atMs); due !== undefined; due = next(atMs)) {
        timers.delete(due);
        nowMs = Math.max(nowMs, due.dueMs);
        due.run();
      }
      nowMs = Math.max(nowMs, atMs);
    },
  };
}

/** A home with automations, whose days the real recorder writes into a real storage. */
async function openRecordedLife() {
  const bench = createBench(undefined, START_MS);
  const storage = storageInProcess(await bench.openOwned());
  const heard: { readonly event: HomeEvent; readonly atMs: number }[] = [];
  const automations: Automation[] = Object.entries(PARTS).map(([id, part]) => automation(id, part));
  const home = createVirtualHome({
    devices: DEVICES,
    automations,
    civil: CIVIL,
    hear: (event, atMs) => void heard.push({ event, atMs }),
  });
  const { clock, startTimer, turnTo, nowMs } = createPlainTime();
  const hubClock = {
    nowMs,
    epoch: () => 'e1',
    nowInEpochMs: nowMs,
    learnedShiftMs: () => null,
    isSynced: () => true,
  };
  const mode = () => ({ ...HOME_MODE, value: home.mode('home') ?? '' });
  const open = async (): Promise<{ readonly recorder: Recorder; readonly timeline: TimelineRecorder }> => {
    const recorder = await openRecorder({
      budget: { take: () => true },
      store: storage.history,
      devices: () => [],
      house: { modes: () => [mode()], variables: () => [], presences: () => [] },
      hubClock,
      clock,
      startTimer,
      recording: { of: () => ({ mode: 'auto', minIntervalS: null, deadband: null }), isRecorded: () => true },
      log: createRecordingLog().log,
    });
    const timeline = createTimelineRecorder({
      add: recorder.addText,
      devices: () => [],
      findCommand: () => undefined,
      isRecorded: () => true,
      clock,
    });
    return { recorder, timeline };
  };
  let writers = await open();
  /** What was heard, at the times at which it happened. */
  const write = (): void => {
    for (const { event, atMs } of heard.splice(0)) {
      turnTo(atMs);
      writers.timeline.noteEvent(event);
      writers.recorder.noteEvent(event);
      if (event.type !== 'feature.changed' || event.state.quality !== 'confirmed') continue;
      writers.recorder.noteValues(event.device, new Map([[event.key, event.state.value]]), undefined);
    }
  };
  const restart = async (offMs: number): Promise<void> => {
    write();
    turnTo(home.nowMs());
    await writers.recorder.stop();
    home.restart({ offMs });
    turnTo(home.nowMs());
    writers = await open();
    for (const id of Object.keys(DEVICES)) home.setAvailability(id, 'online');
    write();
  };
  for (const [id, setting] of Object.entries(DEVICES)) {
    const device = deviceOf(id, setting, START_MS);
    const values = [...device.states].flatMap(([key, { value }]) => (value === null ? [] : [[key, value] as const]));
    writers.recorder.noteValues(device, new Map(values), undefined);
    home.setAvailability(id, 'online');
  }
  return { home, storage, automations, write, restart, stop: () => writers.recorder.stop() };
}

/** What people and weather do. */
function liveOneStep(home: VirtualHome, draw: (below: number) => number): void {
  const what = Math.floor(draw(12));
  const hour = new Date(home.nowMs()).getUTCHours();
  const isDark = hour < 7 || hour > 17;
  if (what < 4) home.report('motion', 'motion', draw(2) < 1);
  else if (what < 6) home.report('lux', 'illuminance', Math.round(isDark ? draw(45) : 30 + draw(400)));
  else if (what < 8) home.report('thermo', 'temperature', Math.round((22 + draw(7)) * 10) / 10);
  else if (what === 8) home.report('door', 'open', draw(2) < 1);
  else if (what === 9) home.press('remote', draw(3) < 2 ? 'single' : 'double');
  else if (what === 10) home.report('lamp', 'on', draw(2) < 1);
  else if (draw(3) < 1) home.setMode('home', ['home', 'away', 'night'][Math.floor(draw(3))] ?? 'home');
  else {
    const id = draw(2) < 1 ? 'door' : 'lux';
    home.setAvailability(id, draw(3) < 1 ? 'offline' : 'online');
  }
}

test('what thirty recorded days did, their replay would have done, or it says why not', async () => {
  const life = await openRecordedLife();
  const { home, automations, storage } = life;
  const draw = createDraw(20_261_122);
  const endMs = START_MS + DAYS * DAY_MS;
  for (let day = 1; home.nowMs() < endMs;) {
    home.advance(Math.ceil(draw(3 * MINUTE_MS)));
    liveOneStep(home, draw);
    life.write();
    if (home.nowMs() < START_MS + day * 5 * DAY_MS) continue;
    day += 1;
    await life.restart(Math.ceil(draw(20 * MINUTE_MS)));
  }
  await life.stop();
  await storage.history.flush();

  const devices = Object.entries(DEVICES).map(([id, setting]) => deviceOf(id, setting, START_MS));
  const real = home.traces();
  for (const one of automations) {
    const window = { fromMs: START_MS, toMs: endMs };
    const used = usedSeries([one.definition], {
      devices,
      findScene: () => undefined,
      people: [],
      modes: ['home'],
      variables: [],
    });
    const box = createSeriesBox();
    const read = await readRecorded(
      { history: storage.history, hours: { readSamplesFrom: async () => 0 }, isRecorded: () => true },
      { used, window, inputs: new Set(), signal: new AbortController().signal, take: box.add },
    );
    const found = replay(
      one,
      {
        ...read,
        home: { devices: used.devices, scenes: [], people: [] },
        series: box.all(),
        clock: () => CIVIL,
        triggers: new Set([...used.own].flatMap(([name, { isTrigger }]) => (isTrigger ? [name] : []))),
      },
      { window, world: 'recorded', inputs: new Map(), seed: '00000001' },
    );
    const told = (found?.firings ?? []).map(({ atMs, trigger, outcome }) => ({ atMs, text: `${trigger} ${outcome}` }));
    const did = real.flatMap((run) =>
      run.automation === one.id && run.startedAtMs < endMs
        ? [{ atMs: run.startedAtMs, text: `${run.trigger.id} ${run.outcome}` }]
        : [],
    );
    const odd = differences(did, told);
    const excused = odd.filter(({ atMs }) =>
      found?.missing.some((gap) => gap.reason !== 'hub_off' && gap.fromMs - 1_000 <= atMs && atMs <= gap.toMs + 1_000),
    );
    expect([
      one.id,
      odd
        .filter((other) => !excused.includes(other))
        .map(({ atMs, text }) => `${new Date(atMs).toISOString()} ${text}`),
    ]).toEqual([one.id, []]);
    expect(did.length).toBeGreaterThan(15);
    expect(excused.length).toBeLessThan(did.length / 50 + 1);
  }
});

type Told = { readonly atMs: number; readonly text: string };

/** What is on one side only. Times may differ by the tenth of a second to which samples are kept. */
function differences(left: readonly Told[], right: readonly Told[]): readonly Told[] {
  const rest = [...right];
  const alone = left.filter((one) => {
    const at = rest.findIndex(({ atMs, text }) => Math.abs(atMs - one.atMs) <= 300 && text === one.text);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...alone, ...rest];
}
