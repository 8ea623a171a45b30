import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { IntegrationStatus } from '#core/event/event.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import { createSupervisor } from '#integrations/supervisor.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

type Run = { readonly sink: DeviceSink; readonly signal: AbortSignal; readonly fail: (cause: unknown) => void };

/** An integration that the test controls: it runs until aborted, or until the test makes it fail. */
function createFakeIntegration(id: string, stops = true): { integration: Integration; runs: Run[] } {
  const runs: Run[] = [];
  return {
    runs,
    integration: {
      id,
      name: id.toUpperCase(),
      run: (sink, signal) =>
        new Promise((resolve, reject) => {
          runs.push({ sink, signal, fail: reject });
          if (stops) signal.addEventListener('abort', () => resolve());
        }),
      sendCommand: () => Promise.resolve('transport_ack'),
    },
  };
}

function createHarness(...integrations: Integration[]) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const statuses: [string, IntegrationStatus][] = [];
  const availabilities: string[] = [];
  const off = new Set<string>();
  const held = new Set<string>();
  const taken: string[] = [];
  const ignore = (): void => undefined;
  const supervisor = createSupervisor({
    integrations,
    isOn: (id) => !off.has(id),
    safeMode: {
      holds: (id) => held.has(id),
      beforeTaking: (id) => {
        taken.push(id);
        return undefined;
      },
    },
    sinkOf: () => ({
      openGauge: () => Promise.resolve(() => null),
      syncDevices: () => Promise.resolve({ refusal: null, tooLarge: [] }),
      describeDevice: () => Promise.resolve({ refusal: null, tooLarge: [] }),
      removeDevice: () => Promise.resolve(),
      reportValues: ignore,
      reportKeptValues: ignore,
      reportOccurrence: ignore,
      reportAvailability: (externalId, state, reason) => availabilities.push(`${externalId} ${state} ${reason}`),
      reportSeen: ignore,
      offerRoom: ignore,
      reportCommandFailure: ignore,
      reportCommandAcknowledged: ignore,
      reportPairing: ignore,
    }),
    devicesOf: (id) => (id === 'a' ? [{ externalId: 'lamp' }, { externalId: 'plug' }] : []),
    onStatus: (id, status) => statuses.push([id, status]),
    eventVolume: () => 0,
    clock: time.clock,
    startTimer: time.startTimer,
    random: () => 1,
    log,
  });
  return { supervisor, time, lines, statuses, availabilities, off, held, taken };
}

test('a status that an integration reports is passed on once for each change', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time, statuses, lines } = createHarness(integration);
  expect(supervisor.reports()[0]?.status.state).toBe('off');
  supervisor.start();
  await time.advance(5000);
  runs[0]?.sink.reportStatus('connected', null);
  runs[0]?.sink.reportStatus('connected', null);
  expect(statuses.map(([id, status]) => [id, status.state])).toEqual([
    ['a', 'connecting'],
    ['a', 'connected'],
  ]);
  expect(supervisor.reports()).toEqual([
    { id: 'a', name: 'A', devices: 2, status: { state: 'connected', sinceMs: time.clock.wallMs(), error: null } },
  ]);
  expect(lines).toEqual(['<7>a is connecting', '<7>a is connected']);
});

test('another error in the same state is passed on, and the state keeps its beginning', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time, statuses } = createHarness(integration);
  supervisor.start();
  runs[0]?.sink.reportStatus('error', { code: 'REFUSED', message: 'refused' });
  const sinceMs = time.clock.wallMs();
  await time.advance(5000);
  runs[0]?.sink.reportStatus('error', { code: 'PASSWORD', message: 'wrong password' });
  expect(statuses.at(-1)?.[1]).toEqual({
    state: 'error',
    sinceMs,
    error: { code: 'PASSWORD', message: 'wrong password' },
  });
});

test('an integration that rejects is started again after growing delays while the other goes on', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, lines } = createHarness(a.integration, b.integration);
  supervisor.start();
  const delays: (number | undefined)[] = [];
  for (let run = 0; run < 8; run += 1) {
    a.runs[run]?.fail(new Error('secret path /var/lib'));
    await time.advance(0);
    expect(supervisor.reports()[0]?.status).toMatchObject({ state: 'error', error: { code: 'INTEGRATION_FAILED' } });
    delays.push(time.pendingMs()[0]);
    await time.advance(60_000);
  }
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(a.runs).toHaveLength(9);
  expect(b.runs).toHaveLength(1);
  expect(JSON.stringify(supervisor.reports())).not.toContain('secret');
  expect(lines).toContain('<3>a failed restart_in_ms=1000 (secret path /var/lib)');
});

test('after a long good run the first delay is short again', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time } = createHarness(integration);
  supervisor.start();
  for (let run = 0; run < 5; run += 1) {
    runs[run]?.fail(new Error('fault'));
    await time.advance(60_000);
  }
  await time.advance(61_000);
  runs[5]?.fail(new Error('fault'));
  await time.advance(0);
  expect(time.pendingMs()).toEqual([1000]);
});

test('a failure makes its devices unknown, aborts its run and silences its late reports', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time, availabilities } = createHarness(integration);
  supervisor.start();
  runs[0]?.sink.reportStatus('connected', null);
  runs[0]?.fail(new HubError('INTEGRATION_DOWN', 'The stick was pulled.'));
  await time.advance(0);
  expect(availabilities).toEqual(['lamp unknown integration_down', 'plug unknown integration_down']);
  expect(runs[0]?.signal.aborted).toBe(true);
  runs[0]?.sink.reportStatus('connected', null);
  expect(supervisor.reports()[0]?.status.error).toEqual({ code: 'INTEGRATION_DOWN', message: 'The stick was pulled.' });
});

test('an integration that ends by itself counts as failed', async () => {
  const ended: Integration = { ...createFakeIntegration('a').integration, run: () => Promise.resolve() };
  const { supervisor, time } = createHarness(ended);
  supervisor.start();
  await time.advance(0);
  expect(supervisor.reports()[0]?.status.state).toBe('error');
  await supervisor.stop();
});

test('stop ends every run and every waiting restart and leaves no timer', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, lines } = createHarness(a.integration, b.integration);
  supervisor.start();
  b.runs[0]?.fail(new Error('fault'));
  await time.advance(0);
  await supervisor.stop();
  expect(a.runs[0]?.signal.aborted).toBe(true);
  await time.advance(600_000);
  expect([a.runs.length, b.runs.length]).toEqual([1, 1]);
  expect(time.pendingMs()).toEqual([]);
  expect(lines.filter((line) => line.includes('in time'))).toEqual([]);
});

test('stop waits at most 2 s for an integration that does not end, and names it', async () => {
  const { integration } = createFakeIntegration('a', false);
  const { supervisor, time, lines } = createHarness(integration);
  supervisor.start();
  let stopped = false;
  const stop = supervisor.stop().then(() => (stopped = true));
  await time.advance(1999);
  expect(stopped).toBe(false);
  await time.advance(1);
  await stop;
  expect(lines.at(-1)).toBe('<4>a did not stop in time');
});

test('an integration is found by its id', () => {
  const { integration } = createFakeIntegration('a');
  const { supervisor } = createHarness(integration);
  expect(supervisor.findIntegration('a')).toBe(integration);
  expect(supervisor.findIntegration('b')).toBeUndefined();
});

test('a restart ends the run cleanly, makes its devices unknown and only then starts anew', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, availabilities, lines } = createHarness(a.integration, b.integration);
  supervisor.start();
  a.runs[0]?.sink.reportStatus('connected', null);
  await supervisor.restart('a');
  await time.advance(0);
  expect(a.runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(availabilities).toEqual(['lamp unknown integration_down', 'plug unknown integration_down']);
  a.runs[0]?.sink.reportStatus('error', { code: 'LATE', message: 'late' });
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'connecting', error: null });
  expect(b.runs).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('<3>'))).toEqual([]);
  await supervisor.stop();
  expect(time.pendingMs()).toEqual([]);
});

test('an integration that is off does not run, shows as off, and runs once it is on', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time, availabilities, off } = createHarness(integration);
  off.add('a');
  supervisor.start();
  await time.advance(0);
  expect([runs.length, supervisor.statusOf('a').state]).toEqual([0, 'off']);
  off.delete('a');
  await supervisor.restart('a');
  await time.advance(0);
  expect([runs.length, supervisor.statusOf('a').state]).toEqual([1, 'connecting']);
  off.add('a');
  await supervisor.restart('a');
  await time.advance(0);
  expect([runs[0]?.signal.aborted, supervisor.statusOf('a').state]).toEqual([true, 'off']);
  expect(availabilities.at(-1)).toBe('plug unknown integration_off');
  await supervisor.stop();
});

test('several restarts at once leave one run', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time } = createHarness(integration);
  supervisor.start();
  await Promise.all([supervisor.restart('a'), supervisor.restart('a'), supervisor.restart('a')]);
  await time.advance(0);
  expect(runs.filter(({ signal }) => !signal.aborted)).toHaveLength(1);
  await supervisor.stop();
  await supervisor.restart('a');
  await time.advance(0);
  expect(runs.filter(({ signal }) => !signal.aborted)).toHaveLength(0);
});

test('a restart cuts the wait after a failure short', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time } = createHarness(integration);
  supervisor.start();
  runs[0]?.fail(new Error('fault'));
  await time.advance(0);
  await supervisor.restart('a');
  await time.advance(0);
  expect(runs).toHaveLength(2);
  await supervisor.stop();
});

test('an integration that does not end is not run twice: the new run waits for it, the caller at most 2 s', async () => {
  const { integration, runs } = createFakeIntegration('a', false);
  const { supervisor, time } = createHarness(integration);
  supervisor.start();
  let done = false;
  void supervisor.restart('a').then(() => (done = true));
  await time.advance(2000);
  expect([done, runs.length]).toEqual([true, 1]);
  runs[0]?.fail(new Error('at last'));
  await time.advance(0);
  expect(runs).toHaveLength(2);
});

test('an integration that safe mode holds does not start, says so, and runs once it is released', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, availabilities, held, taken } = createHarness(a.integration, b.integration);
  held.add('a');
  supervisor.start();
  await time.advance(0);
  expect([a.runs.length, b.runs.length, taken]).toEqual([0, 1, ['b']]);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'error', error: { code: 'SAFE_MODE' } });
  expect(availabilities).toEqual(['lamp unknown integration_down', 'plug unknown integration_down']);
  held.delete('a');
  await supervisor.restart('a');
  await time.advance(0);
  expect([a.runs.length, supervisor.statusOf('a').state, taken]).toEqual([1, 'connecting', ['b', 'a']]);
  await supervisor.stop();
});

test('a fault that the hub sets shows while the integration reports no error, and ends with its run', async () => {
  const { integration, runs } = createFakeIntegration('a');
  const { supervisor, time, off, statuses } = createHarness(integration);
  supervisor.start();
  await time.advance(0);
  const run = runs[0];
  run?.sink.reportStatus('connected', null);
  await run?.sink.syncDevices([]);
  const errors = (): (string | null)[] => statuses.map(([, { state, error }]) => error?.code ?? state);
  expect(errors()).toEqual(['connecting', 'connected']);
  off.add('a');
  await supervisor.restart('a');
  await time.advance(0);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'off', error: null });
  await supervisor.stop();
});
