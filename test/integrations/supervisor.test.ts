import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { Integration } from '#integrations/integration.ts';
import { lamp } from '#test/support/hub/device-home.ts';
import { createFakeIntegration, createHarness } from './supervisor-harness.ts';

test('a status that an integration reports is passed on once for each change', async () => {
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time, statuses, lines } = createHarness(fake);
  expect(supervisor.reports()[0]?.status.state).toBe('off');
  supervisor.start();
  await time.advance(0);
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
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time, statuses } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
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
  const { supervisor, time, lines } = createHarness(a, b);
  supervisor.start();
  await time.advance(0);
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
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
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
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time, availabilities } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
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
  const { supervisor, time } = createHarness({ id: 'a', integration: ended });
  supervisor.start();
  await time.advance(0);
  expect(supervisor.reports()[0]?.status.state).toBe('error');
  await supervisor.stop();
});

test('stop ends every run and every waiting restart and leaves no timer', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, lines } = createHarness(a, b);
  supervisor.start();
  await time.advance(0);
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
  const fake = createFakeIntegration('a', false);
  const { supervisor, time, lines } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  let stopped = false;
  const stop = supervisor.stop().then(() => (stopped = true));
  await time.advance(1999);
  expect(stopped).toBe(false);
  await time.advance(1);
  await stop;
  expect(lines.at(-1)).toBe('<4>a did not stop in time');
});

test('an instance is found by its id while it runs', async () => {
  const fake = createFakeIntegration('a');
  const { supervisor, time } = createHarness(fake);
  expect(supervisor.findIntegration('a')).toBeUndefined();
  supervisor.start();
  await time.advance(0);
  expect(supervisor.findIntegration('a')).toBe(fake.integration);
  expect(supervisor.findIntegration('b')).toBeUndefined();
  fake.runs[0]?.fail(new Error('fault'));
  await time.advance(0);
  expect(supervisor.findIntegration('a')).toBeUndefined();
});

test('a restart ends the run cleanly, makes its devices unknown and only then starts anew', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, availabilities, lines } = createHarness(a, b);
  supervisor.start();
  await time.advance(0);
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
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time, availabilities, put } = createHarness(fake);
  put('a', false);
  supervisor.start();
  await time.advance(0);
  expect([runs.length, supervisor.statusOf('a').state]).toEqual([0, 'off']);
  put('a');
  await supervisor.restart('a');
  await time.advance(0);
  expect([runs.length, supervisor.statusOf('a').state]).toEqual([1, 'connecting']);
  put('a', false);
  await supervisor.restart('a');
  await time.advance(0);
  expect([runs[0]?.signal.aborted, supervisor.statusOf('a').state]).toEqual([true, 'off']);
  expect(availabilities.at(-1)).toBe('plug unknown integration_off');
  await supervisor.stop();
});

test('several restarts at once leave one run', async () => {
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  await Promise.all([supervisor.restart('a'), supervisor.restart('a'), supervisor.restart('a')]);
  await time.advance(0);
  expect(runs.filter(({ signal }) => !signal.aborted)).toHaveLength(1);
  await supervisor.stop();
  await supervisor.restart('a');
  await time.advance(0);
  expect(runs.filter(({ signal }) => !signal.aborted)).toHaveLength(0);
});

test('a restart cuts the wait after a failure short', async () => {
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  runs[0]?.fail(new Error('fault'));
  await time.advance(0);
  await supervisor.restart('a');
  await time.advance(0);
  expect(runs).toHaveLength(2);
  await supervisor.stop();
});

test('an integration that does not end is not run twice: the new run waits for it, the caller at most 2 s', async () => {
  const fake = createFakeIntegration('a', false);
  const { runs } = fake;
  const { supervisor, time } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  let done = false;
  void supervisor.restart('a').then(() => (done = true));
  await time.advance(2000);
  expect([done, runs.length]).toEqual([true, 1]);
  runs[0]?.fail(new Error('at last'));
  await time.advance(0);
  expect(runs).toHaveLength(2);
});

test('an integration that never ends starts anew after 30 s, and what the old run reports is ignored', async () => {
  const fake = createFakeIntegration('a', false);
  const { runs } = fake;
  const { supervisor, time, lines, listed, values } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  for (let at = 0; at < 600; at += 1) runs[0]?.sink.reportValues('lamp', new Map([['power', at]]));
  void supervisor.restart('a');
  await time.advance(29_999);
  expect(runs).toHaveLength(1);
  await time.advance(1);
  expect(runs).toHaveLength(2);
  expect(lines.join()).toContain('a did not stop; it starts anew');
  for (const [run, name] of ['old', 'new'].entries()) {
    await runs[run]?.sink.syncDevices([lamp(name)]);
    runs[run]?.sink.reportValues('lamp', new Map([['power', name]]));
  }
  await time.advance(0);
  expect(listed).toEqual([['new']]);
  runs[0]?.fail(new Error('at last'));
  await time.advance(1_000);
  expect(supervisor.findIntegration('a')).toBe(fake.integration);
  expect(values.slice(-2)).toEqual([599, 'new']);
});

test('an integration that safe mode holds does not start, says so, and runs once it is released', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, availabilities, held, taken } = createHarness(a, b);
  held.add('a');
  supervisor.start();
  await time.advance(0);
  expect([a.runs.length, b.runs.length, taken]).toEqual([0, 1, ['b']]);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'needs_action', error: { code: 'SAFE_MODE' } });
  expect(availabilities).toEqual(['lamp unknown integration_down', 'plug unknown integration_down']);
  held.delete('a');
  await supervisor.restart('a');
  await time.advance(0);
  expect([a.runs.length, supervisor.statusOf('a').state, taken]).toEqual([1, 'connecting', ['b', 'a']]);
  await supervisor.stop();
});

test('a fault that the hub sets shows while the integration reports no error, and ends with its run', async () => {
  const fake = createFakeIntegration('a');
  const { runs } = fake;
  const { supervisor, time, put, statuses } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  const run = runs[0];
  run?.sink.reportStatus('connected', null);
  await run?.sink.syncDevices([]);
  const errors = (): (string | null)[] => statuses.map(([, { state, error }]) => error?.code ?? state);
  expect(errors()).toEqual(['connecting', 'connected']);
  put('a', false);
  await supervisor.restart('a');
  await time.advance(0);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'off', error: null });
  await supervisor.stop();
});

test('an instance that is added later runs, and one that is removed ends and leaves nothing', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, present, put, statuses } = createHarness(a, b);
  present.delete('b');
  supervisor.start();
  await time.advance(0);
  expect([a.runs.length, b.runs.length]).toEqual([1, 0]);
  put('b');
  await supervisor.restart('b');
  await time.advance(0);
  expect(supervisor.reports().map(({ id, status }) => [id, status.state])).toEqual([
    ['a', 'connecting'],
    ['b', 'connecting'],
  ]);
  const before = statuses.length;
  present.delete('b');
  await supervisor.restart('b');
  await time.advance(0);
  expect([b.runs[0]?.signal.aborted, supervisor.findIntegration('b')]).toEqual([true, undefined]);
  expect([supervisor.statusOf('b').state, statuses.length]).toEqual(['off', before]);
  await supervisor.stop();
  expect(time.pendingMs()).toEqual([]);
});

test('an instance with a problem waits for a person and says for what, while the others run', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, put, availabilities } = createHarness(a, b);
  put('a', true, { code: 'SECRET_MISSING', message: 'Enter it again' });
  supervisor.start();
  await time.advance(0);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'needs_action', error: { code: 'SECRET_MISSING' } });
  expect([a.runs.length, b.runs.length]).toEqual([0, 1]);
  expect(availabilities).toEqual(['lamp unknown integration_down', 'plug unknown integration_down']);
  put('a', false, { code: 'SECRET_MISSING', message: 'Enter it again' });
  await supervisor.restart('a');
  await time.advance(0);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'off', error: null });
  await supervisor.stop();
});

test('a kind whose code cannot be loaded is an error of its instance alone, and is tried again', async () => {
  const a = createFakeIntegration('a');
  const b = createFakeIntegration('b');
  const { supervisor, time, broken } = createHarness(a, b);
  broken.add('a');
  supervisor.start();
  await time.advance(0);
  expect(supervisor.statusOf('a')).toMatchObject({ state: 'error', error: { message: 'It cannot be loaded.' } });
  expect(b.runs).toHaveLength(1);
  broken.delete('a');
  await time.advance(1000);
  expect([a.runs.length, supervisor.statusOf('a').state]).toEqual([1, 'connecting']);
  await supervisor.stop();
});

test('what others speak through starts first, and they follow it when it goes and comes back', async () => {
  const lamps = createFakeIntegration('a');
  const broker = createFakeIntegration('b');
  const { supervisor, time, put, links, taken } = createHarness(lamps, broker);
  links.set('a', ['b']);
  supervisor.start();
  await time.advance(0);
  expect(taken).toEqual(['b', 'a']);
  await supervisor.restart('b');
  await time.advance(0);
  expect([lamps.runs.length, broker.runs.length]).toEqual([1, 2]);
  put('b', false);
  put('a', true, { code: 'LINK_OFF', message: 'Switch that on' });
  await supervisor.restart('b');
  await time.advance(0);
  expect([lamps.runs[0]?.signal.aborted, supervisor.statusOf('a').state]).toEqual([true, 'needs_action']);
  put('b');
  put('a');
  await supervisor.restart('b');
  await time.advance(0);
  expect([lamps.runs.length, broker.runs.length, supervisor.statusOf('a').state]).toEqual([2, 3, 'connecting']);
  await supervisor.stop();
});

test('fifty instances that start, restart and go again and again leave no run and no timer', async () => {
  const fakes = Array.from({ length: 50 }, (_, index) => createFakeIntegration(`i${index}`));
  const { supervisor, time, present, put } = createHarness(...fakes);
  supervisor.start();
  for (let round = 0; round < 20; round += 1) {
    const changes = fakes.map(({ id }, index) => {
      if ((index + round) % 3 === 0) present.delete(id);
      else put(id, (index + round) % 3 === 1);
      return supervisor.restart(id);
    });
    // Some fail in the middle of it.
    for (const { runs } of fakes.filter((_, index) => index % 7 === round % 7)) runs.at(-1)?.fail(new Error('fault'));
    await Promise.all(changes);
    await time.advance(500);
  }
  const live = fakes.map(({ runs }) => runs.filter(({ signal }) => !signal.aborted).length);
  expect(Math.max(...live)).toBe(1);
  await supervisor.stop();
  expect(fakes.flatMap(({ runs }) => runs.filter(({ signal }) => !signal.aborted))).toEqual([]);
  expect(fakes.filter(({ id }) => supervisor.findIntegration(id) !== undefined)).toEqual([]);
  expect(time.pendingMs()).toEqual([]);
});

test('a run that does not end with its instance brings back none of its devices', async () => {
  const fake = createFakeIntegration('a', false);
  const { supervisor, time, present, listed } = createHarness(fake);
  supervisor.start();
  await time.advance(0);
  await fake.runs[0]?.sink.syncDevices([lamp('x')]);
  present.delete('a');
  const gone = supervisor.restart('a');
  await time.advance(2000);
  await gone;
  await fake.runs[0]?.sink.syncDevices([lamp('x'), lamp('y')]);
  await fake.runs[0]?.sink.describeDevice(lamp('z'));
  expect(listed).toEqual([['x']]);
});
