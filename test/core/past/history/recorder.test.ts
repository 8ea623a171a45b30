import { expect, test } from 'vitest';
import { DIRECT } from '#core/cause/cause.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { type Presence, unknownPresence } from '#core/presence/presence.ts';
import type { Variable } from '#core/variable/variable.ts';
import { lamp } from '#test/support/hub/device-home.ts';

import { createRecorderWorld } from './recorder-world.ts';

const HOUR_MS = 3_600_000;

test('only changes are samples', async () => {
  const { report, rows } = await createRecorderWorld().startRun();
  for (const temperature of [20, 20, 20.5, 20.5, 20]) await report({ temperature });
  expect(rows('temperature')).toEqual([
    [0, 20],
    [2, 20.5],
    [4, 20],
  ]);
});

test('what the hub only sent is no sample', async () => {
  const run = await createRecorderWorld().startRun();
  await run.report({ on: false });
  run.registry.assumeValues(run.device('a').id, new Map([['on', true]]), DIRECT);
  await run.noteEvents();
  expect(run.rows('on')).toEqual([[0, false]]);
  await run.report({ on: true });
  expect(run.rows('on')).toEqual([
    [0, false],
    [2, true],
  ]);
});

test('what a broker kept is no sample', async () => {
  const run = await createRecorderWorld().startRun();
  run.reports.reportKeptValues('a', new Map([['on', true]]));
  await run.noteEvents();
  expect(run.rows('on')).toEqual([]);
});

test('a press is a sample each time', async () => {
  const run = await createRecorderWorld().startRun();
  for (const action of ['single', 'single', 'hold']) {
    run.reports.reportOccurrence('a', 'button', { action, raw: action });
    await run.noteEvents();
  }
  expect(run.rows('button')).toEqual([
    [0, 'single'],
    [1, 'single'],
    [2, 'hold'],
  ]);
});

test('nothing is known of a device that cannot be reached, until it reports again, even the same', async () => {
  const run = await createRecorderWorld().startRun();
  await run.report({ on: true });
  run.reports.reportAvailability('a', 'offline', 'no_report');
  await run.noteEvents();
  run.reports.reportAvailability('a', 'online', null);
  await run.noteEvents();
  await run.report({ on: true });
  expect(run.rows('on')).toEqual([
    [0, true],
    [1, { gap: 'offline' }],
    [3, true],
  ]);
  expect(run.rows('availability')).toEqual([
    [0, 'offline'],
    [1, 'online'],
  ]);
});

test('a device that sleeps keeps its values, until it says that it does not know one', async () => {
  const run = await createRecorderWorld().startRun();
  await run.report({ on: true });
  run.reports.reportAvailability('a', 'asleep', null);
  await run.report({ on: null });
  expect(run.rows('on').map(([, value]) => value)).toEqual([true, { gap: 'unknown' }]);
});

test('an orderly end begins a gap, which the first report after it ends', async () => {
  const world = createRecorderWorld();
  const first = await world.startRun();
  await first.report({ on: true });
  await first.recorder.stop();
  await world.advance(HOUR_MS);
  const second = await world.startRun();
  await second.report({ on: true });
  expect(second.rows('on')).toEqual([
    [0, true],
    [1, { gap: 'hub_off' }],
    [3601, true],
  ]);
});

test('a run that ended without a word leaves a gap with an uncertain beginning', async () => {
  const world = createRecorderWorld();
  const first = await world.startRun();
  await first.report({ on: true });
  await first.report({ temperature: 20 });
  await world.advance(HOUR_MS);
  const second = await world.startRun();
  await second.report({ on: false });
  expect(second.rows('on')).toEqual([
    [0, true],
    [1.1, { gap: 'hub_off', isUncertain: true }],
    [3602, false],
  ]);
});

test('samples from before the clock was set move to their right place', async () => {
  const world = createRecorderWorld();
  const run = await world.startRun();
  await run.report({ on: true });
  // The clock learns that it was a day late.
  world.hub.epoch = 'e2';
  world.hub.aheadMs = 24 * HOUR_MS;
  await world.advance(10_000);
  await run.report({ on: false });
  expect(run.rows('on')).toEqual([
    [0, true],
    [11, false],
  ]);
});

test('samples move to their right place although the run ended before the storage knew', async () => {
  const world = createRecorderWorld();
  const first = await world.startRun();
  await first.report({ on: true });
  world.hub.epoch = 'e2';
  world.hub.aheadMs = 24 * HOUR_MS;
  const second = await world.startRun();
  await second.report({ on: false });
  expect(second.rows('on')).toEqual([
    [0, true],
    [0.1, { gap: 'hub_off', isUncertain: true }],
    [1, false],
  ]);
});

test('samples move to their right place although the storage could not take that at first', async () => {
  const world = createRecorderWorld();
  const run = await world.startRun();
  await run.report({ on: true });
  world.refused.shifts = 1;
  world.hub.epoch = 'e2';
  world.hub.aheadMs = 24 * HOUR_MS;
  await world.advance(10_000);
  await world.advance(10_000);
  await run.report({ on: false });
  expect(run.rows('on')).toEqual([
    [0, true],
    [21, false],
  ]);
});

test('a run that ended without a word leaves a gap of the availability, which the same state ends', async () => {
  const world = createRecorderWorld();
  const first = await world.startRun();
  first.reports.reportAvailability('a', 'online', null);
  await first.noteEvents();
  await world.advance(HOUR_MS);
  const second = await world.startRun();
  second.reports.reportAvailability('a', 'online', null);
  await second.noteEvents();
  expect(second.rows('availability')).toEqual([
    [0, 'online'],
    [0.1, { gap: 'hub_off', isUncertain: true }],
    [3601, 'online'],
  ]);
});

test('the gap of a run that ended without a word stays there when the clock learns how long the hub was off', async () => {
  const world = createRecorderWorld();
  world.hub.epoch = 'e2';
  const first = await world.startRun();
  await first.report({ on: true });
  world.hub.epoch = 'e1';
  const second = await world.startRun();
  await second.report({ on: false });
  world.hub.epoch = 'e2';
  world.hub.aheadMs = 24 * HOUR_MS;
  await world.advance(10_000);
  expect(second.rows('on')).toEqual([
    [0, true],
    [0.1, { gap: 'hub_off', isUncertain: true }],
    [24 * 3600 + 1, false],
  ]);
});

test('a start reads none of the series that it continues', async () => {
  const world = createRecorderWorld();
  const run = await world.startRun();
  await run.report({ on: true, temperature: 20, brightness: 50 });
  world.reads.count = 0;
  await world.startRun();
  expect(world.reads.count).toBe(1);
});

test('a value that the hub refuses ends no gap', async () => {
  const run = await createRecorderWorld().startRun();
  await run.report({ temperature: 20, on: true });
  run.reports.reportAvailability('a', 'offline', 'no_report');
  await run.noteEvents();
  run.reports.reportAvailability('a', 'online', null);
  await run.report({ temperature: 'warm', on: null });
  expect(run.rows('temperature')).toEqual([
    [0, 20],
    [1, { gap: 'offline' }],
  ]);
  expect(run.rows('on')).toEqual([
    [0, true],
    [1, { gap: 'offline' }],
  ]);
});

test('a value that is older than the gap before it ends that gap', async () => {
  const world = createRecorderWorld();
  const run = await world.startRun();
  await run.report({ temperature: 20 });
  run.reports.reportAvailability('a', 'offline', 'no_report');
  await run.noteEvents();
  run.reports.reportValues('a', new Map([['temperature', 21]]), world.clock.wallMs() - HOUR_MS);
  await run.noteEvents();
  const [, gap, value] = run.rows('temperature');
  expect([gap?.[1], value?.[1]]).toEqual([{ gap: 'offline' }, 21]);
});

test('nothing is known of a device that was removed, nor of a feature that went', async () => {
  const run = await createRecorderWorld().startRun();
  await run.report({ temperature: 20, on: true });
  const { id } = run.device('a');
  const { features, ...device } = lamp('a');
  await run.reports.syncDevices([{ ...device, features: features.filter(({ key }) => key !== 'temperature') }]);
  await run.noteEvents();
  expect(run.rows('temperature')).toEqual([
    [0, 20],
    [1, { gap: 'offline' }],
  ]);
  expect(run.rows('on')).toEqual([[0, true]]);
  const rows = run.rowsOf(`${id}/on`);
  await run.reports.syncDevices([]);
  await run.noteEvents();
  expect(run.rowsOf(`${id}/on`)).toEqual([...rows, [2, { gap: 'offline' }]]);
});

test('a feature that is turned off has a gap until it is turned on, and nothing of what was between', async () => {
  const run = await createRecorderWorld().startRun();
  await run.report({ temperature: 20 });
  await run.setRecording('temperature', { mode: 'off' });
  await run.report({ temperature: 21 });
  await run.report({ temperature: 22 });
  await run.setRecording('temperature', { mode: 'auto' });
  await run.report({ temperature: 23 });
  expect(run.rows('temperature')).toEqual([
    [0, 20],
    [1, { gap: 'not_recorded' }],
    [4, 22],
    [5, 23],
  ]);
});

test('how a feature is recorded survives a restart', async () => {
  const world = createRecorderWorld();
  const first = await world.startRun();
  await first.setRecording('temperature', { deadband: 1 });
  await first.setRecording('on', { mode: 'off' });
  await first.report({ temperature: 20, on: true });
  await first.recorder.stop();
  const second = await world.startRun();
  await second.report({ temperature: 20.5, on: false });
  await second.report({ temperature: 21.4 });
  await second.report({ temperature: 21.6 });
  expect(second.rows('temperature')).toEqual([
    [0, 20],
    [1, { gap: 'hub_off' }],
    [1.1, 20.5],
    [3, 21.6],
  ]);
  expect(second.rows('on')).toEqual([]);
});

test('the value that held before a gap is a sample, although the deadband left it out', async () => {
  const run = await createRecorderWorld().startRun();
  await run.setRecording('temperature', { deadband: 1 });
  await run.report({ temperature: 20 });
  await run.report({ temperature: 20.7 });
  run.reports.reportAvailability('a', 'offline', 'no_report');
  await run.noteEvents();
  expect(run.rows('temperature')).toEqual([
    [0, 20],
    [2, 20.7],
    [2, { gap: 'offline' }],
  ]);
});

test('an interval ends with the value that holds then', async () => {
  const run = await createRecorderWorld().startRun();
  await run.setRecording('temperature', { minIntervalS: 10 });
  for (const temperature of [20, 21, 22, 23]) await run.report({ temperature });
  for (let second = 0; second < 10; second += 1) await run.noteEvents();
  expect(run.rows('temperature')).toEqual([
    [0, 20],
    [10, 23],
  ]);
});

test('modes and variables are series that hold while the hub is off, and people ones that do not', async () => {
  const { startRun, advance, held } = createRecorderWorld();
  const guests: Variable = {
    key: 'guests',
    name: 'Guests',
    type: 'number',
    min: null,
    max: null,
    options: [],
    value: 0,
    changedAtMs: 1,
    changedBy: null,
    revision: 1,
  };
  const ada: Presence = { ...unknownPresence('ada'), state: 'home', sinceMs: 1 };
  held.modes = [HOME_MODE];
  held.variables = [guests];
  held.presences = [ada, unknownPresence('bob')];
  const first = await startRun();
  await advance(1000);
  const mode = { ...HOME_MODE, value: 'night' };
  const change = { type: 'mode.changed', mode, endMs: undefined, isGone: false } as const;
  first.recorder.noteEvent(change);
  first.recorder.noteEvent(change);
  await advance(1000);
  await first.recorder.stop();
  held.modes = [mode];
  await advance(8000);
  const second = await startRun();
  second.recorder.noteEvent({ type: 'variable.changed', variable: { ...guests, value: 3 }, isGone: false });
  await advance(1000);
  second.recorder.noteEvent({ type: 'variable.changed', variable: { ...guests, value: 3 }, isGone: true });
  await advance(1000);
  expect(second.rowsOf('mode/home')).toEqual([
    [0, 'home'],
    [1, 'night'],
    [10, 'night'],
  ]);
  expect(second.rowsOf('variable/guests')).toEqual([
    [0, 0],
    [10, 0],
    [10, 3],
    [11, { gap: 'not_recorded' }],
  ]);
  expect(second.rowsOf('presence/ada')).toEqual([
    [0, 'home'],
    [2, { gap: 'hub_off' }],
    [10, 'home'],
  ]);
  expect(second.rowsOf('presence/bob')).toEqual([]);
});

test('a person who is removed during a run gets no gap at its end', async () => {
  const { startRun, advance, held } = createRecorderWorld();
  const [ada, bob] = (['ada', 'bob'] as const).map((id): Presence => ({
    ...unknownPresence(id),
    state: 'home',
    sinceMs: 1,
  })) as [Presence, Presence];
  held.presences = [ada, bob];
  const first = await startRun();
  await advance(1000);
  held.presences = [bob];
  await first.recorder.stop();
  const second = await startRun();
  expect(second.rowsOf('presence/ada')).toEqual([[0, 'home']]);
  expect(second.rowsOf('presence/bob').slice(0, 2)).toEqual([
    [0, 'home'],
    [1, { gap: 'hub_off' }],
  ]);
});

test('after a power cut people are unknown from the last sample on, and modes are not', async () => {
  const { startRun, advance, held } = createRecorderWorld();
  held.modes = [HOME_MODE];
  held.presences = [{ ...unknownPresence('ada'), state: 'home', sinceMs: 1 }];
  await startRun();
  await advance(60_000);
  const second = await startRun();
  await advance(1000);
  expect(second.rowsOf('presence/ada').slice(0, 2)).toEqual([
    [0, 'home'],
    [0.1, { gap: 'hub_off', isUncertain: true }],
  ]);
  expect(second.rowsOf('mode/home').map(([, value]) => value)).toEqual(['home', 'home']);
});
