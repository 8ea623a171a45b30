import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { rationReports } from '#integrations/report-rations.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { searchOf } from '#test/support/machine/runs.ts';

type Reported = { readonly atMs: number; readonly what: string; readonly id: string };

/** A sink that keeps only changes, as the registry does, and counts one event for each. */
function openRations() {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const shown = new Map<string, JsonValue>();
  const reported: Reported[] = [];
  const note = (id: string, what: string, value: JsonValue): void => {
    if (what !== 'press' && shown.get(`${id} ${what}`) === value) return;
    shown.set(`${id} ${what}`, value);
    reported.push({ atMs: time.clock.monotonicMs(), what, id });
  };
  const recording = createRecordingSink();
  const target: DeviceSink = {
    ...recording,
    reportValues: (id, values) => values.forEach((value, key) => note(id, key, value)),
    reportKeptValues: (id, values) => values.forEach((value, key) => note(id, key, value)),
    reportAvailability: (id, state) => note(id, 'availability', state),
    reportStale: (id, keys) => keys.forEach((key) => note(id, key, 'stale')),
    reportOccurrence: (id) => note(id, 'press', null),
  };
  const { sink, stop } = rationReports(target, {
    eventVolume: () => reported.length,
    monotonicMs: time.clock.monotonicMs,
    startTimer: time.startTimer,
    log,
  });
  const say = (id: string, values: Record<string, JsonValue>): void =>
    sink.reportValues(id, new Map(Object.entries(values)));
  return { time, lines, shown, reported, recording, sink, say, stop };
}

describe('rations of an integration', () => {
  test('hold that a value is too old as well, until the device speaks again', async () => {
    const { time, shown, sink, say } = openRations();
    for (let at = 0; at < 600; at += 1) say('meter', { a: at, b: -at });
    sink.reportStale('meter', ['a', 'b']);
    say('meter', { b: 7 });
    expect(shown.get('meter a')).not.toBe('stale');
    await time.advance(60_000);
    expect([shown.get('meter a'), shown.get('meter b')]).toEqual(['stale', 7]);
  });

  test('hold nothing back in a home of 200 devices, fifty of which are chatty meters', async () => {
    const { time, reported, say } = openRations();
    let said = 0;
    for (let tick = 0; tick < 600; tick += 1) {
      for (let device = 0; device < 200; device += 1) {
        // A meter reports six new values a second, a lamp that is being dimmed five, the others two a minute.
        const isDue = device < 50 ? tick % 10 === 0 : device < 60 ? tick % 2 === 0 : (tick + device) % 600 === 0;
        if (!isDue) continue;
        const values = device < 50 ? { a: tick, b: tick, c: tick, d: tick, e: tick, f: tick } : { a: tick, b: -tick };
        say(`${device}`, values);
        said += Object.keys(values).length;
        expect(reported).toHaveLength(said);
      }
      await time.advance(100);
    }
    expect(said).toBeGreaterThan(20_000);
    expect(time.pendingMs()).toEqual([]);
  });

  test('let each of a thousand changes a second from a hundred devices through', async () => {
    const { time, reported, say } = openRations();
    for (let change = 0; change < 60_000; change += 1) {
      say(`${change % 100}`, { power: change });
      if (change % 100 === 99) await time.advance(100);
    }
    expect(reported).toHaveLength(60_000);
  });

  test('a device that reports too much is passed on fifty times a second, and its last value after it has stopped', async () => {
    const { time, reported, shown, say, lines } = openRations();
    for (let ms = 0; ms < 10_000; ms += 10) {
      for (let times = 0; times < 10; times += 1) say('storm', { power: ms + times / 10 });
      say('calm', { on: ms });
      await time.advance(10);
    }
    say('storm', { power: 'the last', on: true });
    await time.advance(200);
    expect([shown.get('storm power'), shown.get('storm on')]).toEqual(['the last', true]);
    const storm = reported.filter(({ id }) => id === 'storm').length;
    expect(storm).toBeGreaterThan(900);
    expect(storm).toBeLessThan(500 + 50 * 11);
    expect(reported.filter(({ id }) => id === 'calm').length).toBeGreaterThan(900);
    expect(time.pendingMs()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('all devices together make a limited number of events, and each device has its turn', async () => {
    const { time, reported, say, shown } = openRations();
    for (let second = 0; second < 10; second += 1) {
      for (let device = 0; device < 2_000; device += 1) say(`${device}`, { a: second, b: second, c: second });
      await time.advance(1_000);
    }
    expect(reported.length).toBeLessThan(10_000 + 2_000 * 11);
    for (let device = 0; device < 2_000; device += 1) say(`${device}`, { a: 'end' });
    await time.advance(4_000);
    for (let device = 0; device < 2_000; device += 1) expect(shown.get(`${device} a`)).toBe('end');
  });

  test('presses beyond the ration are dropped and counted, those of another device are not', async () => {
    const { time, reported, sink, lines } = openRations();
    const press = (id: string): void => sink.reportOccurrence(id, 'button', { action: 'single', raw: 'single' });
    for (let times = 0; times < 5_000; times += 1) press('storm');
    press('calm');
    expect(reported.filter(({ id }) => id === 'storm')).toHaveLength(100);
    expect(reported.filter(({ id }) => id === 'calm')).toHaveLength(1);
    await time.advance(60_000);
    for (let times = 0; times < 200; times += 1) press('storm');
    expect(lines).toEqual([
      '<4>button presses come too fast: some are dropped',
      '<4>button presses come too fast: some are dropped since_last_line=4899',
    ]);
  });

  test('steps of pairing beyond the ration are dropped, its opening and closing never', async () => {
    const { recording, sink } = openRations();
    const tell = (step: 'opened' | 'device_found' | 'closed', externalId: string | null): void =>
      sink.reportPairing({ step, externalId, seconds: null, detail: null });
    tell('opened', null);
    for (let index = 0; index < 10_000; index += 1) tell('device_found', `${index}`);
    tell('closed', null);
    expect(recording.pairing).toHaveLength(202);
    expect(recording.pairing.at(-1)?.step).toBe('closed');
  });

  test('a status that changes without end is reported now and then, the last one always', async () => {
    const { time, recording, sink } = openRations();
    for (let times = 0; times < 1_000; times += 1) {
      sink.reportStatus(times % 2 === 0 ? 'connecting' : 'connected', null);
      await time.advance(10);
    }
    sink.reportStatus('error', { code: 'LAST', message: 'last' });
    await time.advance(2_000);
    expect(recording.statuses.at(-1)?.code).toBe('LAST');
    expect(recording.statuses.length).toBeLessThan(35);
  });

  test('values that are held keep the time at which the device had them', async () => {
    const { time, recording } = openRations();
    const passed: unknown[] = [];
    const { sink: rationed } = rationReports(
      { ...recording, reportValues: (_id, values, atMs) => void passed.push([[...values], atMs]) },
      {
        eventVolume: () => passed.length * 1_000,
        ...time.clock,
        startTimer: time.startTimer,
        log: createRecordingLog().log,
      },
    );
    const reports = [[{ a: 1 }], [{ a: 2, b: 2 }, 5_000], [{ b: 3 }, 6_000]] as const;
    for (const [values, atMs] of reports) rationed.reportValues('x', new Map(Object.entries(values)), atMs);
    await time.advance(60_000);
    expect(passed).toEqual([
      [[['a', 1]], undefined],
      [[['a', 2]], 5_000],
      [[['b', 3]], 6_000],
    ]);
  });

  test('values held at the end of the integration are reported then, and no timer is left', async () => {
    const { time, shown, say, sink, stop } = openRations();
    for (let times = 0; times < 1_000; times += 1) say('a', { power: times });
    sink.reportAvailability('a', 'offline', 'unreachable');
    stop();
    expect([shown.get('a power'), shown.get('a availability')]).toEqual([999, 'offline']);
    expect(time.pendingMs()).toEqual([]);
  });

  test('what comes after the end of the integration is ignored', async () => {
    const { time, shown, reported, say, sink, stop } = openRations();
    say('a', { power: 1 });
    stop();
    const { length } = reported;
    say('a', { power: 2 });
    sink.reportAvailability('a', 'offline', null);
    sink.reportOccurrence('a', 'button', { action: 'single', raw: 'single' });
    await time.advance(1_000);
    expect([shown.get('a power'), reported.length]).toEqual([1, length]);
  });
});

const reports = array(
  record({
    id: constantFrom('a', 'b'),
    kind: constantFrom('values', 'kept', 'availability'),
    key: constantFrom('x', 'y'),
    value: integer({ min: 0, max: 3 }),
    times: constantFrom(1, 1, 400),
    afterMs: constantFrom(0, 0, 5, 1_000, 20_000),
  }),
  { maxLength: 40 },
);

test('in the end all devices have the same values as without rations', async () => {
  await assert(
    asyncProperty(reports, async (said) => {
      const { time, shown, sink } = openRations();
      const expected = new Map<string, JsonValue>();
      for (const { id, kind, key, value, times, afterMs } of said) {
        for (let time = 0; time < times; time += 1) {
          const now = value + (time % 2) * 10 + (times - 1);
          const values = new Map([[key, now]]);
          if (kind === 'availability') sink.reportAvailability(id, now % 2 === 0 ? 'online' : 'offline', null);
          else if (kind === 'values') sink.reportValues(id, values);
          else sink.reportKeptValues(id, values);
          if (kind === 'availability') expected.set(`${id} availability`, now % 2 === 0 ? 'online' : 'offline');
          else if (kind === 'values' || time === times - 1) expected.set(`${id} ${key}`, now);
        }
        await time.advance(afterMs);
      }
      await time.advance(60_000);
      // Without values that a broker kept: such a value may be older than the device's own, so either of them may stay.
      const kept = new Set(said.filter(({ kind }) => kind === 'kept').map(({ id, key }) => `${id} ${key}`));
      const sure = [...expected].filter(([name]) => !kept.has(name));
      expect(sure.map(([name]) => [name, shown.get(name)])).toEqual(sure);
      expect(time.pendingMs()).toEqual([]);
    }),
    searchOf(60),
  );
});
