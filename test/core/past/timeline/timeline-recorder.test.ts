import { expect, test } from 'vitest';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { UserId } from '#core/person/user.ts';
import { entryFromText, type TimelineEntry } from '#core/past/timeline/timeline-line.ts';
import { createTimelineRecorder } from '#core/past/timeline/timeline-recorder.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { BUTTON, lamp, openDeviceHome, TEMPERATURE } from '#test/support/hub/device-home.ts';

const ISSUER: Issuer = { type: 'session', id: 's1', userId: 'u1' as UserId };
const CAUSE: Cause = { command: 'c1', scene: null, automation: null, run: null, depth: 0 };

async function openLog(isRecorded = () => true) {
  const home = await openDeviceHome();
  const features = [createFeature('on'), createFeature('brightness'), TEMPERATURE, BUTTON];
  await home.reports.syncDevices([lamp('a', { features })]);
  home.events.splice(0);
  const device = home.device('a');
  const lines: (readonly [series: string, entry: TimelineEntry | undefined])[] = [];
  const recorder = createTimelineRecorder({
    add: (series, text) => void lines.push([series.replace(device.id, 'a'), entryFromText(text)]),
    devices: home.registry.devices,
    findCommand: (id) => (id === 'c1' ? { createdBy: ISSUER } : undefined),
    isRecorded,
    clock: home.time.clock,
  });
  const note = (...events: readonly HomeEvent[]) => {
    lines.splice(0);
    for (const event of [...home.events.splice(0), ...events]) recorder.noteEvent(event);
    return lines.splice(0);
  };
  return { ...home, device, note, recorder, lines };
}

const entriesOf = (lines: readonly (readonly [string, unknown])[]): unknown[] => lines.map(([, entry]) => entry);

test('the logbook begins with the start of the hub', async () => {
  const { lines } = await openLog();
  expect(lines).toEqual([['timeline/home', { type: 'hub.started' }]]);
});

test('has no word of what samples tell', async () => {
  const { reports, note } = await openLog();
  reports.reportValues('a', new Map([['on', true]]));
  reports.reportOccurrence('a', 'button', { action: 'double', raw: 'x' });
  reports.reportAvailability('a', 'offline', null);
  expect(note()).toEqual([]);
});

test('has how a run of an automation ended, and nothing of its way there', async () => {
  const { note } = await openLog();
  const automation = { id: 'a1' as AutomationId, selector: 'hall-light', name: 'Hall light' };
  const run = (phase: 'started' | 'waiting' | 'finished', outcome: 'running' | 'failed'): HomeEvent => ({
    type: 'automation.run',
    automation,
    run: 'r1',
    phase,
    outcome,
  });
  expect(note(run('started', 'running'), run('waiting', 'running'), run('finished', 'failed'))).toEqual([
    ['timeline/home', { type: 'automation.run', automation: 'a1', run: 'r1', outcome: 'failed' }],
  ]);
});

test('has what a command changed, with the command and who gave it', async () => {
  const { note, device } = await openLog();
  const state = { value: 60, quality: 'confirmed', observedAtMs: 5, changedAtMs: 5 } as const;
  const changed: HomeEvent = { type: 'feature.changed', device, key: 'brightness', state, cause: CAUSE };
  const assumed: HomeEvent = { ...changed, state: { ...state, quality: 'assumed' } };
  const again: HomeEvent = { ...changed, state: { ...state, observedAtMs: 6 } };
  const unknown: HomeEvent = { ...changed, cause: { ...CAUSE, command: 'c2', scene: 'movie' } };
  expect(entriesOf(note(assumed, changed, again, unknown))).toEqual([
    { type: 'feature.changed', key: 'brightness', value: 60, cause: CAUSE, by: ISSUER },
    {
      type: 'feature.changed',
      key: 'brightness',
      value: 60,
      cause: { ...CAUSE, command: 'c2', scene: 'movie' },
      by: null,
    },
  ]);
});

test('has nothing of what a person does not want recorded', async () => {
  const { note, device } = await openLog(() => false);
  const state = { value: true, quality: 'confirmed', observedAtMs: 5, changedAtMs: 5 } as const;
  expect(note({ type: 'feature.changed', device, key: 'on', state, cause: CAUSE })).toEqual([]);
});

test('has a new name, and not each other change of a device', async () => {
  const { registry, device, note } = await openLog();
  await registry.updateDevice(device.id, { ownName: 'Reading lamp' });
  expect(entriesOf(note({ type: 'device.changed', device, oldRoomId: null }))).toEqual([
    { type: 'device.renamed', name: 'Reading lamp' },
  ]);
});

const commandOf = (device: { id: Command['results'][number]['deviceId'] }, details: Partial<Command>): Command =>
  ({
    id: 'c1',
    status: 'failed',
    evidence: 'none',
    isForOne: true,
    createdBy: ISSUER,
    cause: { ...CAUSE, command: null },
    results: [
      { deviceId: device.id, feature: createFeature('on'), requested: true, status: 'confirmed', reason: null },
      {
        deviceId: device.id,
        feature: createFeature('pin', { valueType: 'string' }),
        requested: '1234',
        status: 'failed',
        reason: 'the lock refused',
        code: 'COMMAND_FAILED',
      },
    ],
    ...details,
  }) as unknown as Command;

test('has the outcome of a command, without what could be a code', async () => {
  const { note, device } = await openLog();
  const sent: HomeEvent = { type: 'command.changed', command: commandOf(device, { status: 'sent' }) };
  expect(entriesOf(note(sent, { type: 'command.changed', command: commandOf(device, {}) }))).toEqual([
    {
      type: 'command.finished',
      command: 'c1',
      status: 'failed',
      reason: 'the lock refused',
      code: 'COMMAND_FAILED',
      wishes: { on: true, pin: null },
      cause: { ...CAUSE, command: null },
      by: ISSUER,
    },
  ]);
});

test('ends with the removal of a device, whatever becomes of its commands', async () => {
  const { note, device } = await openLog();
  const finished: HomeEvent = { type: 'command.changed', command: commandOf(device, {}) };
  const removed: HomeEvent = { type: 'device.removed', device };
  expect(entriesOf(note(removed, finished))).toEqual([{ type: 'device.removed' }]);
  expect(entriesOf(note({ type: 'device.added', device }, finished))).toMatchObject([
    { type: 'device.added' },
    { type: 'command.finished' },
  ]);
});

test('has each state of an integration once', async () => {
  const { note } = await openLog();
  const status = (state: 'connected' | 'connecting' | 'error'): HomeEvent => ({
    type: 'integration.changed',
    integration: 'mqtt',
    status: { state, sinceMs: 0, error: state === 'error' ? { code: 'connection_failed', message: 'x' } : null },
  });
  const events = [
    status('connecting'),
    status('connected'),
    status('connecting'),
    status('connected'),
    status('error'),
  ];
  expect(note(...events, { type: 'integration.removed', integration: 'mqtt' })).toEqual(
    [
      { state: 'connected', error: null },
      { state: 'error', error: 'connection_failed' },
      { state: 'removed', error: null },
    ].map((what) => ['timeline/home', { type: 'integration.changed', integration: 'mqtt', ...what }]),
  );
});

test('takes a limited number of lines of a restless device, and says how many it left out', async () => {
  const { note, device, time, recorder, lines } = await openLog();
  const press: HomeEvent = { type: 'device.removed', device };
  expect(note(...Array.from({ length: 1_000 }, () => press))).toHaveLength(120);
  await time.advance(30_000);
  expect(entriesOf(note(press, press))).toEqual([{ type: 'lines.skipped', count: 880 }, { type: 'device.removed' }]);
  recorder.tellSkipped();
  expect(entriesOf(lines)).toEqual([{ type: 'lines.skipped', count: 1 }]);
});
