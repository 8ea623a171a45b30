import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { startHourWatch } from '#core/past/hour/hour-watch.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-10-24T22:20:00Z');

function createWatched(zoneName = 'Europe/Berlin') {
  const time = createManualTime(START_MS);
  const kept = new Map<string, string>();
  const state = { isSynced: true, shiftMs: 0, isFailing: false };
  const taken: string[] = [];
  const { log, lines } = createRecordingLog();
  const start = () =>
    startHourWatch(
      {
        meta: {
          loadMeta: async () => new Map(kept),
          addMeta: (entries) => {
            for (const [key, value] of entries) kept.set(key, value);
          },
        },
        timeZone: () => createTimeZone(zoneName),
        hubClock: { nowMs: () => time.clock.wallMs() + state.shiftMs, isSynced: () => state.isSynced },
        startTimer: time.startTimer,
        log,
      },
      [
        {
          name: 'cost',
          takeHour: async ({ fromMs, toMs }) => {
            if (state.isFailing) throw new Error('the disk is full');
            taken.push(`${new Date(fromMs).toISOString().slice(11, 16)}-${new Date(toMs).toISOString().slice(11, 16)}`);
          },
        },
      ],
    );
  return { time, kept, state, taken, lines, start };
}

describe('a follower of hours', () => {
  test('is called with each hour five minutes after its end, from the one under way on', async () => {
    const { time, taken, start } = createWatched();
    start();
    await time.advance(44 * MINUTE_MS);
    expect(taken).toEqual([]);
    await time.advance(MINUTE_MS);
    expect(taken).toEqual(['22:00-23:00']);
    // The clock is set back at 01:00 UTC: the hour of 02:00 comes twice.
    await time.advance(3 * HOUR_MS);
    expect(taken).toEqual(['22:00-23:00', '23:00-00:00', '00:00-01:00', '01:00-02:00']);
  });

  test('gets the hours that passed while the hub was off, once each', async () => {
    const { time, taken, start } = createWatched();
    const stop = start();
    await time.advance(HOUR_MS);
    stop();
    await time.advance(3 * HOUR_MS);
    expect(taken).toEqual(['22:00-23:00']);
    start();
    await time.advance(MINUTE_MS);
    expect(taken).toEqual(['22:00-23:00', '23:00-00:00', '00:00-01:00', '01:00-02:00']);
  });

  test('gets an hour again that it could not take, and misses none', async () => {
    const { time, state, taken, lines, start } = createWatched();
    start();
    state.isFailing = true;
    await time.advance(2 * HOUR_MS);
    expect(taken).toEqual([]);
    expect(lines.join()).toContain('could not be taken');
    state.isFailing = false;
    await time.advance(MINUTE_MS);
    expect(taken).toEqual(['22:00-23:00', '23:00-00:00']);
  });

  test('hears nothing while the clock may be wrong', async () => {
    const { time, state, taken, start } = createWatched();
    state.isSynced = false;
    start();
    await time.advance(2 * HOUR_MS);
    state.isSynced = true;
    expect(taken).toEqual([]);
    await time.advance(HOUR_MS);
    expect(taken).toEqual(['00:00-01:00']);
  });

  test('begins anew where the clock was far ahead, and leaves out what is too old', async () => {
    const { time, kept, taken, start } = createWatched();
    kept.set('hours_cost', String(START_MS + 900 * 24 * HOUR_MS));
    start()();
    const stop = start();
    await time.advance(HOUR_MS);
    stop();
    expect(taken).toEqual(['22:00-23:00']);
    kept.set('hours_cost', '0');
    start();
    await time.advance(MINUTE_MS);
    expect(taken).toHaveLength(1 + 400 * 24);
  });

  test('has half hours where the clock of its zone jumps by half an hour', async () => {
    const { time, taken, start } = createWatched('Australia/Lord_Howe');
    await time.advance(Date.parse('2027-04-03T13:59:00Z') - START_MS);
    start();
    await time.advance(3 * HOUR_MS);
    expect(taken).toEqual(['14:00-15:00', '15:00-15:30', '15:30-16:30']);
  });
});
