import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { Command } from '#core/command/command.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { describeDevice, LAMP_FEATURES, openCommandHome, type CommandHome } from '#test/support/hub/command-home.ts';

const now = (home: CommandHome, { id }: Command): Command => {
  const command = home.commands.findCommand(id);
  if (command === undefined) throw new Error('the command is gone');
  return command;
};
const picture = (home: CommandHome, command: Command): string[] =>
  now(home, command).results.map(({ selector, feature, status, reason }) =>
    [selector, feature.key, status, reason ?? []].flat().join(' '),
  );
const take = (home: CommandHome, ...request: Parameters<CommandHome['requestFor']>): Command =>
  home.commands.accept(...home.requestFor(...request), null);
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof HubError ? error.code : String(error);
  }
  return 'none';
};
const settle = (home: CommandHome): Promise<void> => home.time.advance(0);

describe('a command for one device', () => {
  test('is queued, sent and confirmed by the report, with one event for each step', async () => {
    const home = await openCommandHome();
    const command = take(home, 'lamp', { on: true, brightness: 60 }, { transitionMs: 400 });
    expect(command).toMatchObject({ status: 'queued', evidence: 'none', finishedAtMs: null });
    await settle(home);
    expect(home.sent()).toEqual(['lamp on=true brightness=60']);
    expect(home.wire[0]?.transitionMs).toBe(400);
    expect(now(home, command)).toMatchObject({ status: 'sent', evidence: 'transport_ack' });
    home.report('lamp', { on: true });
    expect(now(home, command).status).toBe('sent');
    home.report('lamp', { brightness: 60 });
    expect(now(home, command)).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
    expect(home.statusesOf(command.id)).toEqual(['queued', 'sent', 'confirmed']);
    expect(home.time.pendingMs()).toEqual([]);
  });

  test('is confirmed by a report that repeats the value from before', async () => {
    const home = await openCommandHome();
    home.report('lamp', { on: true });
    const command = take(home, 'lamp', { on: true });
    await settle(home);
    home.report('lamp', { on: true });
    expect(now(home, command).status).toBe('confirmed');
  });

  test('is confirmed by a report that comes during the send', async () => {
    const home = await openCommandHome();
    home.radio.send = async () => {
      home.report('lamp', { on: true });
      return 'transport_ack';
    };
    const command = take(home, 'lamp', { on: true });
    await settle(home);
    expect(now(home, command)).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
    expect(home.time.pendingMs()).toEqual([]);
  });

  test('is unconfirmed after 10 s without a report, counted from the end of a transition', async () => {
    const home = await openCommandHome();
    const plain = take(home, 'lamp', { on: true });
    await home.time.advance(9999);
    expect(now(home, plain).status).toBe('sent');
    await home.time.advance(1);
    expect(now(home, plain)).toMatchObject({ status: 'unconfirmed', evidence: 'transport_ack' });
    const slow = take(home, 'lamp', { brightness: 1 }, { transitionMs: 30_000 });
    await home.time.advance(39_999);
    expect(now(home, slow).status).toBe('sent');
    await home.time.advance(1);
    expect(now(home, slow).status).toBe('unconfirmed');
  });

  test('waits as long as the device reports progress, but not for ever', async () => {
    const home = await openCommandHome();
    const moving = take(home, 'lamp', { brightness: 100 });
    for (let second = 1; second <= 20; second += 1) {
      await home.time.advance(1000);
      home.report('lamp', { brightness: 5 * second - 2 });
    }
    expect(now(home, moving).status).toBe('sent');
    home.report('lamp', { brightness: 100 });
    expect(now(home, moving).status).toBe('confirmed');

    const stuck = take(home, 'lamp', { brightness: 50 });
    await home.time.advance(1000);
    home.report('lamp', { brightness: 70 });
    for (let second = 1; second <= 10; second += 1) {
      expect(now(home, stuck).status).toBe('sent');
      await home.time.advance(1000);
      home.report('lamp', { brightness: 70 });
    }
    expect(now(home, stuck).status).toBe('unconfirmed');

    const restless = take(home, 'lamp', { brightness: 50 });
    for (let second = 0; second < 120; second += 1) {
      expect(now(home, restless).status).not.toBe('unconfirmed');
      await home.time.advance(1000);
      home.report('lamp', { brightness: second % 2 === 0 ? 10 : 90 });
    }
    expect(now(home, restless).status).toBe('unconfirmed');
  });

  test('fails with the reason from the integration', async () => {
    const home = await openCommandHome();
    const command = take(home, 'lamp', { on: true, brightness: 5 });
    await settle(home);
    home.commands.reportFailure('radio', 'lamp', { keys: ['on'], reason: 'no route to the device' });
    expect(picture(home, command)).toEqual(['lamp on failed no route to the device', 'lamp brightness sent']);
    home.commands.reportFailure('radio', 'nobody', { keys: ['brightness'], reason: 'x' });
    home.commands.reportFailure('other', 'lamp', { keys: ['brightness'], reason: 'x' });
    home.report('lamp', { brightness: 5 });
    expect(now(home, command).status).toBe('failed');

    home.radio.send = () => Promise.reject(new HubError('INTEGRATION_DOWN', 'the broker is gone'));
    const thrown = take(home, 'lamp', { on: true });
    await settle(home);
    expect(picture(home, thrown)).toEqual(['lamp on failed the broker is gone']);

    home.radio.send = () => {
      throw new Error('/etc/secret is broken');
    };
    const faulty = take(home, 'lamp', { on: true });
    await settle(home);
    expect(picture(home, faulty)).toEqual(['lamp on failed The integration failed.']);
    expect(home.lines.filter((line) => line.includes('secret'))).toHaveLength(1);
    expect(home.time.pendingMs()).toEqual([]);
  });

  test("for a feature without state is confirmed by the device's acknowledgement, and by nothing weaker", async () => {
    const home = await openCommandHome();
    const heard = take(home, 'lamp', 'identify');
    await home.time.advance(10_000);
    expect(now(home, heard).status).toBe('unconfirmed');
    home.radio.send = async () => 'device_ack';
    const done = take(home, 'lamp', 'identify');
    await settle(home);
    expect(now(home, done)).toMatchObject({ status: 'confirmed', evidence: 'device_ack' });
    expect(home.sent()).toEqual(['lamp identify', 'lamp identify']);
  });

  test('ends when the device is removed', async () => {
    const home = await openCommandHome();
    const command = take(home, 'lamp', { on: true });
    await settle(home);
    await home.reports.removeDevice('lamp');
    expect(picture(home, command)).toEqual(['lamp on failed The device was removed.']);
    expect(home.time.pendingMs()).toEqual([]);
  });

  test.each([
    [{ on: 1 }, 'VALIDATION_FAILED'],
    [{ brightness: 101 }, 'VALIDATION_FAILED'],
    [{ temperature: 3 }, 'VALIDATION_FAILED'],
    [{ on: true, sparkle: true }, 'VALIDATION_FAILED'],
    ['sing', 'VALIDATION_FAILED'],
  ])('for %j is refused, and nothing is sent or kept', async (request, code) => {
    const home = await openCommandHome();
    expect(codeOf(() => take(home, 'lamp', request))).toBe(code);
    await settle(home);
    expect([home.wire, home.events.filter(({ type }) => type === 'command.changed')]).toEqual([[], []]);
  });

  test('I2: is refused at once while the integration is down or the device offline', async () => {
    const home = await openCommandHome();
    home.reports.reportAvailability('lamp', 'offline', 'unreachable');
    expect(codeOf(() => take(home, 'lamp', { on: true }))).toBe('DEVICE_OFFLINE');
    home.radio.isUp = false;
    expect(codeOf(() => take(home, 'lamp', { on: true }))).toBe('INTEGRATION_DOWN');
    expect(codeOf(() => take(home, 'lamp', { on: 'x' }))).toBe('VALIDATION_FAILED');
    await settle(home);
    expect(home.wire).toEqual([]);
  });
});

describe('commands for one device', () => {
  test('are sent in the order in which they came, one after the other', async () => {
    const home = await openCommandHome();
    const gates: (() => void)[] = [];
    home.radio.send = () => new Promise((resolve) => void gates.push(() => resolve('transport_ack')));
    take(home, 'lamp', { on: true });
    take(home, 'lamp', { brightness: 10 });
    take(home, 'lamp', 'identify');
    await settle(home);
    expect(home.sent()).toEqual(['lamp on=true']);
    gates[0]?.();
    await settle(home);
    expect(home.sent()).toEqual(['lamp on=true', 'lamp brightness=10']);
    gates[1]?.();
    await settle(home);
    expect(home.sent()).toHaveLength(3);
  });

  test('wait no longer than 10 s for one whose send hangs', async () => {
    const home = await openCommandHome();
    home.radio.send = () => new Promise(() => undefined);
    const hanging = take(home, 'lamp', { on: true }, { transitionMs: 60_000 });
    take(home, 'lamp', { brightness: 10 });
    await home.time.advance(9999);
    expect(home.sent()).toHaveLength(1);
    await home.time.advance(1);
    expect(home.sent()).toHaveLength(2);
    expect(now(home, hanging).status).toBe('sent');
  });

  test('for the same feature: the newer one wins, sent or not', async () => {
    const home = await openCommandHome();
    const first = take(home, 'lamp', { on: true, brightness: 10 });
    const second = take(home, 'lamp', { brightness: 20 });
    await settle(home);
    expect(home.sent()).toEqual(['lamp on=true', 'lamp brightness=20']);
    const third = take(home, 'lamp', { brightness: 30 });
    await settle(home);
    expect(picture(home, first)).toEqual(['lamp on sent', 'lamp brightness superseded']);
    expect(now(home, second).status).toBe('superseded');
    home.report('lamp', { on: true, brightness: 30 });
    expect(now(home, third).status).toBe('confirmed');
    expect(home.time.pendingMs()).toEqual([]);
  });

  test('of a hundred requests at once, only one is sent', async () => {
    const home = await openCommandHome();
    for (let value = 1; value <= 100; value += 1) take(home, 'lamp', { brightness: value });
    await settle(home);
    expect(home.sent()).toEqual(['lamp brightness=100']);
  });
});

describe('a device that sleeps', () => {
  const asleep = async (): Promise<CommandHome> => {
    const home = await openCommandHome([describeDevice('lamp'), describeDevice('lock', { type: 'door_lock' })]);
    for (const id of ['lamp', 'lock']) home.reports.reportAvailability(id, 'asleep', 'asleep');
    return home;
  };

  test('gets its commands when it wakes, in order and without superseded ones', async () => {
    const home = await asleep();
    const first = take(home, 'lamp', { on: true, brightness: 10 });
    take(home, 'lamp', { brightness: 20 });
    take(home, 'lamp', 'identify');
    await home.time.advance(200_000);
    expect([home.sent(), now(home, first).status]).toEqual([[], 'sent']);
    home.reports.reportAvailability('lamp', 'online', null);
    await settle(home);
    expect(home.sent()).toEqual(['lamp on=true', 'lamp brightness=20', 'lamp identify']);
  });

  test('counts as awake when it reports something', async () => {
    const home = await asleep();
    const command = take(home, 'lamp', { on: true });
    home.report('lamp', { on: false });
    await settle(home);
    expect([home.sent(), now(home, command).status]).toEqual([['lamp on=true'], 'sent']);
  });

  test('may get a command for 300 s, a lock for 30 s, or for as long as the caller wants', async () => {
    const home = await asleep();
    const usual = take(home, 'lamp', { on: true });
    const lock = take(home, 'lock', { on: true });
    const wanted = take(home, 'lamp', { brightness: 1 }, { expiresInS: 3600 });
    await home.time.advance(30_000);
    expect([now(home, usual).status, now(home, lock).status]).toEqual(['queued', 'expired']);
    await home.time.advance(270_000);
    expect(now(home, usual).status).toBe('expired');
    await home.time.advance(3_299_999);
    expect(now(home, wanted).status).toBe('queued');
    await home.time.advance(1);
    expect(now(home, wanted).status).toBe('expired');
    home.reports.reportAvailability('lamp', 'online', null);
    await settle(home);
    expect([home.sent(), home.time.pendingMs()]).toEqual([[], []]);
  });
});

describe('a command for several devices', () => {
  const many = (): Promise<CommandHome> =>
    openCommandHome([
      describeDevice('left'),
      describeDevice('right'),
      describeDevice('plug', { features: [createFeature('on')] }),
    ]);

  test('has a result for each device and ends with the last one', async () => {
    const home = await many();
    const command = take(home, ['left', 'plug'], { on: true });
    await settle(home);
    expect(home.sent()).toEqual(['left on=true', 'plug on=true']);
    home.report('plug', { on: true });
    expect(picture(home, command)).toEqual(['left on sent', 'plug on confirmed']);
    await home.time.advance(10_000);
    expect(now(home, command)).toMatchObject({ status: 'unconfirmed' });
    expect(home.statusesOf(command.id)).toEqual(['queued', 'sent', 'unconfirmed']);
  });

  test('is sent to the reachable devices and fails for the others, with the reason', async () => {
    const home = await many();
    home.reports.reportAvailability('left', 'offline', 'unreachable');
    const command = take(home, ['left', 'right'], { on: true });
    await settle(home);
    expect(home.sent()).toEqual(['right on=true']);
    expect(picture(home, command)).toEqual(['left on failed The device is offline.', 'right on sent']);
    home.reports.reportAvailability('right', 'offline', 'unreachable');
    expect(codeOf(() => take(home, ['left', 'right'], { on: false }))).toBe('DEVICE_OFFLINE');
    home.radio.isUp = false;
    expect(codeOf(() => take(home, ['left', 'right'], { on: false }))).toBe('INTEGRATION_DOWN');
  });

  test('is refused as a whole if one device cannot do it; each fault names its device', async () => {
    const home = await many();
    const errors = (): unknown => {
      try {
        take(home, ['left', 'plug'], { brightness: 500, on: true });
      } catch (error) {
        return error instanceof HubError
          ? error.options.errors?.map(({ pointer, message }) => [pointer, message])
          : error;
      }
      return 'none';
    };
    expect(errors()).toEqual([
      ['/set/brightness', 'must be at least 0 and at most 100 percent (left)'],
      ['/set/brightness', 'is not a feature of this device (plug)'],
    ]);
    await settle(home);
    expect(home.wire).toEqual([]);
  });
});

describe('an assumed value', () => {
  test('is shown between the send and the report', async () => {
    const home = await openCommandHome();
    home.report('lamp', { on: false, brightness: 3 });
    take(home, 'lamp', { on: true, brightness: 3 });
    expect(home.shown('lamp', 'on')).toBe('false confirmed');
    await settle(home);
    expect([home.shown('lamp', 'on'), home.shown('lamp', 'brightness')]).toEqual(['true assumed', '3 confirmed']);
    home.report('lamp', { on: true });
    expect(home.shown('lamp', 'on')).toBe('true confirmed');
    expect(home.stored.map(({ key, value }) => `${key}=${JSON.stringify(value)}`)).toEqual([
      'on=false',
      'brightness=3',
      'on=true',
    ]);
    const shown = home.events.flatMap((event) =>
      event.type === 'feature.changed' && event.key === 'on'
        ? [`${JSON.stringify(event.state.value)} ${event.state.quality}`]
        : [],
    );
    expect(shown).toEqual(['false confirmed', 'true assumed', 'true confirmed']);
  });

  test('gives way to the last report, with its quality, if the command fails', async () => {
    const home = await openCommandHome([describeDevice('lamp', { staleAfterMs: 5000 })]);
    home.report('lamp', { on: false });
    const before = home.device('lamp').states.get('on');
    take(home, 'lamp', { on: true, brightness: 9 });
    await settle(home);
    home.commands.reportFailure('radio', 'lamp', { keys: ['on', 'brightness'], reason: 'gone' });
    expect(home.device('lamp').states.get('on')).toEqual(before);
    expect(home.shown('lamp', 'brightness')).toBe('null none');

    take(home, 'lamp', { on: true });
    await home.time.advance(5000);
    home.registry.markStale();
    await home.time.advance(5000);
    expect(home.shown('lamp', 'on')).toBe('false stale');
  });

  test('gives way to any report, which stays when the command is given up', async () => {
    const home = await openCommandHome();
    home.report('lamp', { brightness: 0 });
    take(home, 'lamp', { brightness: 100 });
    await home.time.advance(1000);
    home.report('lamp', { brightness: 40 });
    expect(home.shown('lamp', 'brightness')).toBe('40 confirmed');
    await home.time.advance(20_000);
    expect(home.shown('lamp', 'brightness')).toBe('40 confirmed');
  });

  test('stays until the newer of two commands ends', async () => {
    const home = await openCommandHome();
    home.report('lamp', { brightness: 1 });
    take(home, 'lamp', { brightness: 50 });
    await home.time.advance(5000);
    take(home, 'lamp', { brightness: 70 });
    await home.time.advance(9000);
    expect(home.shown('lamp', 'brightness')).toBe('70 assumed');
    await home.time.advance(1000);
    expect(home.shown('lamp', 'brightness')).toBe('1 confirmed');
  });

  test('is not shown for a feature that never reports', async () => {
    const features = [...LAMP_FEATURES, createFeature('x.effect', { capability: 'x.effect', readable: false })];
    const home = await openCommandHome([describeDevice('lamp', { features })]);
    take(home, 'lamp', { 'x.effect': true });
    await settle(home);
    expect(home.shown('lamp', 'x.effect')).toBe('null none');
  });

  test('of a composite keeps the members that were not requested', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
    const features = [createFeature('x.led', { capability: 'x.led', valueType: 'object', schema })];
    const home = await openCommandHome([describeDevice('lamp', { features })]);
    home.report('lamp', { 'x.led': { a: 1, b: 2 } });
    take(home, 'lamp', { 'x.led': { b: 3 } });
    await settle(home);
    expect(home.shown('lamp', 'x.led')).toBe('{"a":1,"b":3} assumed');
  });
});

describe('a request with the same replay', () => {
  const replay = { key: 'session one', fingerprint: 'a' };

  test('gets the same command and sends nothing, even when the command is finished', async () => {
    const home = await openCommandHome();
    const first = home.commands.accept(...home.requestFor('lamp', { on: true }), replay);
    const again = Array.from({ length: 49 }, () =>
      home.commands.accept(...home.requestFor('lamp', { on: true }), replay),
    );
    expect(new Set([first, ...again].map(({ id }) => id)).size).toBe(1);
    await settle(home);
    home.report('lamp', { on: true });
    home.radio.isUp = false;
    expect(home.commands.accept(...home.requestFor('lamp', { on: true }), replay)).toMatchObject({
      status: 'confirmed',
    });
    expect(home.sent()).toEqual(['lamp on=true']);
    expect(codeOf(() => home.commands.findReplay({ ...replay, fingerprint: 'b' }))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('may follow a refused one: the key is still free', async () => {
    const home = await openCommandHome();
    expect(codeOf(() => home.commands.accept(...home.requestFor('lamp', { on: 5 }), replay))).toBe('VALIDATION_FAILED');
    expect(home.commands.accept(...home.requestFor('lamp', { on: true }), { ...replay, fingerprint: 'b' }).status).toBe(
      'queued',
    );
  });

  test('finds one of the last 1,000 commands, or an older one still under way', async () => {
    const home = await openCommandHome();
    home.reports.reportAvailability('lamp', 'asleep', 'asleep');
    const open = take(home, 'lamp', 'identify');
    const first = home.commands.accept(...home.requestFor('lamp', { on: true }), replay);
    for (let made = 0; made < 1000; made += 1) take(home, 'lamp', { on: made % 2 === 0 });
    expect(home.commands.findCommand(open.id)).toBeDefined();
    expect(home.commands.findCommand(first.id)).toBeUndefined();
    expect(home.commands.findReplay({ ...replay, fingerprint: 'b' })).toBeUndefined();
  });
});

describe('waiting for the end', () => {
  test('takes as long as the command, or as long as the caller wants', async () => {
    const home = await openCommandHome();
    const command = take(home, 'lamp', { on: true });
    const long = home.commands.waitForEnd(command, 5000);
    const short = home.commands.waitForEnd(command, 1000);
    expect((await home.commands.waitForEnd(command, 0)).status).toBe('queued');
    await home.time.advance(1000);
    expect((await short).status).toBe('sent');
    home.report('lamp', { on: true });
    expect((await long).status).toBe('confirmed');
    expect(home.time.pendingMs()).toEqual([]);
  });

  test('a stop leaves no timer and no wait', async () => {
    const home = await openCommandHome();
    home.radio.send = () => new Promise(() => undefined);
    const command = take(home, 'lamp', { on: true });
    take(home, 'lamp', { brightness: 1 });
    await settle(home);
    const waiting = home.commands.waitForEnd(command, 10_000);
    home.commands.stop();
    expect((await waiting).status).toBe('sent');
    await settle(home);
    expect([home.time.pendingMs(), home.sent()]).toEqual([[], ['lamp on=true']]);
  });
});
