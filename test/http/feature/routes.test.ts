import { describe, expect, test } from 'vitest';
import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createCommandService } from '#core/command/command-service.ts';
import { featureRoutes } from '#http/feature/routes.ts';
import { authenticateByRole, createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

async function openHub() {
  const time = createManualTime();
  const home = await openTestHome(['Lamp', 'Door'], { ...time, capacity: 1_000 });
  const sent: unknown[] = [];
  const commands = createCommandService({
    registry: home.registry,
    findWay: () => ({
      isUp: () => true,
      send: async (command) => {
        sent.push(command);
        return 'device_ack';
      },
    }),
    sentValues: home.sentValues,
    emit: home.events.append,
    newId: () => '0198f1c2-0000-7000-8000-000000000009',
    clock: systemClock,
    startTimer: startSystemTimer,
    log: createRecordingLog().log,
  });
  const routes = featureRoutes({
    ...home,
    commands,
    findRoom: home.rooms.findRoom,
    authenticate: authenticateByRole,
    monotonicMs: time.clock.monotonicMs,
    audit: { record: async () => undefined },
  });
  const { request } = createTestApp(routes);
  const ask = (path: string, init: { token?: string; method?: string; body?: unknown } = {}): Promise<Response> =>
    request(`/api/v1/device/${path}`, {
      method: init.method ?? 'GET',
      headers: {
        Authorization: `Bearer ${init.token ?? 'owner'}`,
        Prefer: 'wait=0',
        ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  const reports = home.registry.reportsOf('zigbee2mqtt');
  const report = (key: string, value: number | boolean): void => reports.reportValues('0x0', new Map([[key, value]]));
  return { ...home, time, ask, report, reports, sent };
}

describe('the value of a feature', () => {
  test('is bare JSON, and null before it is known', async () => {
    const { ask, report } = await openHub();
    const before = await ask('door/feature/energy');
    expect([before.status, before.headers.get('content-type'), await before.text()]).toEqual([
      200,
      'application/json',
      'null',
    ]);
    report('brightness', 17);
    expect(await (await ask('lamp/feature/brightness')).text()).toBe('17');
  });

  test.each(['nobody/feature/on', 'lamp/feature/nothing'])('of %s is 404', async (path) => {
    expect((await (await openHub()).ask(path)).status).toBe(404);
  });

  test('comes with `wait` as soon as it changes', async () => {
    const { ask, report, time } = await openHub();
    report('brightness', 17);
    const next = ask('lamp/feature/brightness?wait=30');
    await time.advance(1_000);
    // Another feature, and the same value again, are no change of this one.
    report('on', true);
    report('brightness', 17);
    await time.advance(1_000);
    report('brightness', 18);
    await time.advance(20);
    expect(await (await next).text()).toBe('18');
  });

  test('is the present one when the wait is over, and the wait leaves no timer or stream', async () => {
    const { ask, report, time, eventStreams } = await openHub();
    report('brightness', 17);
    const next = ask('lamp/feature/brightness?wait=30');
    await time.advance(10_000);
    report('on', true);
    await time.advance(20_000);
    expect(await (await next).text()).toBe('17');
    expect(eventStreams.count()).toBe(0);
  });

  test('is answered to HEAD without a wait', async () => {
    const { ask, eventStreams } = await openHub();
    const answer = await ask('lamp/feature/brightness?wait=30', { method: 'HEAD' });
    expect([answer.status, await answer.text(), eventStreams.count()]).toEqual([200, '', 0]);
  });

  test('ends a wait with 404 when the device is removed', async () => {
    const { ask, registry, time } = await openHub();
    const next = ask('lamp/feature/brightness?wait=30');
    await time.advance(1_000);
    await registry.removeDevice(registry.findDevice('lamp')?.id ?? ('' as never));
    await time.advance(30_000);
    expect((await next).status).toBe(404);
  });
});

describe('PUT of a value', () => {
  test('is a command, and answers as one', async () => {
    const { ask, sent } = await openHub();
    const answer = await ask('lamp/feature/brightness', { method: 'PUT', body: 40 });
    expect([answer.status, await answer.json()]).toMatchObject([
      202,
      { device: 'lamp', results: [{ key: 'brightness', requested: 40 }] },
    ]);
    await expect.poll(() => sent.length).toBe(1);
  });

  test.each([
    ['lamp/feature/brightness', 101, [{ pointer: '', code: 'OUT_OF_RANGE' }]],
    ['lamp/feature/brightness', 'much', [{ pointer: '', code: 'WRONG_TYPE' }]],
    ['lamp/feature/brightness', null, [{ pointer: '' }]],
    ['lamp/feature/nothing', 1, [{ pointer: '', code: 'UNKNOWN' }]],
  ])('%s with %j is refused, and nothing is sent', async (path, body, errors) => {
    const { ask, sent } = await openHub();
    const answer = await ask(path, { method: 'PUT', body });
    expect([answer.status, await answer.json()]).toMatchObject([422, { errors }]);
    expect(sent).toEqual([]);
  });
});
