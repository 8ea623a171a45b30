import { describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { openZigbee2mqtt } from '#test/support/hub/zigbee2mqtt-harness.ts';

type Entry = Record<string, unknown>;

const LAMP: Entry = { ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Living room/Lamp' };
const SENSOR: Entry = { ...deviceEntry('SONOFF/SNZB-02D'), friendly_name: 'Balcony' };
const REMOTE: Entry = { ...deviceEntry('IKEA/E1524/E1810'), friendly_name: 'Remote' };
const idOf = (entry: Entry): string => String(entry['ieee_address']);

function command(entry: Entry, set: Record<string, JsonValue>, transitionMs: number | null = null): DeviceCommand {
  return { externalId: idOf(entry), set: new Map(Object.entries(set)), action: null, transitionMs };
}

describe('the devices', () => {
  test('are subscribed by their exact topics, also with slashes, and never with a wildcard', async () => {
    const { broker } = await openZigbee2mqtt([LAMP, SENSOR]);
    await vi.waitFor(() =>
      expect([...broker.subscriptions()].sort()).toEqual([
        'zigbee2mqtt/Balcony',
        'zigbee2mqtt/Balcony/availability',
        'zigbee2mqtt/Living room/Lamp',
        'zigbee2mqtt/Living room/Lamp/availability',
        'zigbee2mqtt/bridge/devices',
        'zigbee2mqtt/bridge/event',
        'zigbee2mqtt/bridge/groups',
        'zigbee2mqtt/bridge/info',
        'zigbee2mqtt/bridge/logging',
        'zigbee2mqtt/bridge/response/device/remove',
        'zigbee2mqtt/bridge/response/permit_join',
        'zigbee2mqtt/bridge/state',
      ]),
    );
  });

  test.each(['#', '+/set', 'bridge/info', 'bridge', 'a\u0000b', '', 7])(
    'one that is called %j is listed without topics',
    async (friendly_name) => {
      const { broker, sink } = await openZigbee2mqtt([SENSOR, { ...LAMP, friendly_name }]);
      expect(sink.device(idOf(LAMP)).description.name).not.toBe('');
      await vi.waitFor(() => expect(broker.subscriptions().size).toBe(10));
    },
  );

  test('a renamed device keeps its id and moves to new topics', async () => {
    const { broker, peer, sink } = await openZigbee2mqtt([LAMP]);
    await peer.setDevices([{ ...LAMP, friendly_name: 'Hall' }]);
    await vi.waitFor(() => expect(sink.device(idOf(LAMP)).description.name).toBe('Hall'));
    await vi.waitFor(() => expect(broker.subscriptions().has('zigbee2mqtt/Hall')).toBe(true));
    await vi.waitFor(() => expect(broker.subscriptions().has('zigbee2mqtt/Living room/Lamp')).toBe(false));
    await peer.publish('Hall', { state: 'ON' });
    await vi.waitFor(() => expect(sink.device(idOf(LAMP)).values.get('on')).toBe(true));
  });

  test('two devices that swap names swap topics', async () => {
    const { peer, sink, settled } = await openZigbee2mqtt([LAMP, SENSOR]);
    await peer.setDevices([
      { ...LAMP, friendly_name: 'Balcony' },
      { ...SENSOR, friendly_name: 'Living room/Lamp' },
    ]);
    await vi.waitFor(() => expect(sink.device(idOf(SENSOR)).description.name).toBe('Living room/Lamp'));
    await settled();
    await peer.publish('Living room/Lamp', { temperature: 5 });
    await vi.waitFor(() => expect(sink.device(idOf(SENSOR)).values.get('temperature')).toBe(5));
  });

  test('the work is in proportion to the changes', async () => {
    const { peer, sink, settled } = await openZigbee2mqtt([LAMP, SENSOR]);
    expect(sink.calls.get('syncDevices')).toBe(1);
    await peer.setDevices([LAMP, SENSOR]);
    await peer.setDevices([LAMP, { ...SENSOR, endpoints: { 1: { bindings: ['another'] } } }]);
    await settled();
    expect(sink.calls.get('describeDevice')).toBeUndefined();
    await peer.setDevices([LAMP, SENSOR, REMOTE]);
    await vi.waitFor(() => expect(sink.devices.size).toBe(3));
    await peer.setDevices([LAMP, REMOTE]);
    await vi.waitFor(() => expect(sink.devices.has(idOf(SENSOR))).toBe(false));
    expect([sink.calls.get('syncDevices'), sink.calls.get('describeDevice'), sink.calls.get('removeDevice')]).toEqual([
      1, 1, 1,
    ]);
  });

  test('I1: an entry that cannot be read removes no other device', async () => {
    const { peer, sink, lines, settled } = await openZigbee2mqtt([LAMP, SENSOR]);
    for (let times = 0; times < 3; times += 1) await peer.setDevices([LAMP, { ieee_address: 'mangled' }]);
    await settled();
    expect(sink.devices.size).toBe(2);
    expect(lines.filter((line) => line.includes('malformed'))).toHaveLength(1);
  });

  test('a device that is disabled upstream is offline and has no subscription', async () => {
    const { broker, sink, integration } = await openZigbee2mqtt([{ ...LAMP, disabled: true }]);
    expect(sink.device(idOf(LAMP)).availability).toEqual({ state: 'offline', reason: 'disabled' });
    expect([...broker.subscriptions()].filter((topic) => !topic.includes('bridge'))).toEqual([]);
    await expect(integration.sendCommand(command(LAMP, { on: true }))).rejects.toMatchObject({
      code: 'DEVICE_OFFLINE',
    });
  });

  test('a device appears when its interview is over', async () => {
    const { peer, sink, settled } = await openZigbee2mqtt([LAMP]);
    await peer.setDevices([LAMP, { ...SENSOR, definition: null, interviewing: true, interview_state: 'IN_PROGRESS' }]);
    await settled();
    expect(sink.devices.size).toBe(1);
    await peer.setDevices([LAMP, SENSOR]);
    await vi.waitFor(() => expect(sink.devices.size).toBe(2));
  });

  test('names and models lose the control characters that devices pad them with', async () => {
    const padded = {
      ...LAMP,
      friendly_name: 'La\u0007mp',
      supported: false,
      definition: null,
      model_id: 'X1\u0000\u0000',
    };
    const { sink } = await openZigbee2mqtt([padded]);
    expect(sink.device(idOf(LAMP)).description).toMatchObject({ name: 'La mp', model: 'X1', type: 'other' });
  });
});

describe('the messages of devices', () => {
  test('null means unknown and ends the last value', async () => {
    const { peer, sink, settled } = await openZigbee2mqtt([SENSOR]);
    await peer.publish('Balcony', { temperature: 21.5, humidity: 40 });
    await peer.publish('Balcony', { temperature: null, humidity: 41, no_such_property: 1 });
    await settled();
    expect([...sink.device(idOf(SENSOR)).values]).toEqual([
      ['temperature', null],
      ['humidity', 41],
    ]);
  });

  test('a button press that the broker kept is ignored', async () => {
    const { broker, peer, sink, settled } = await openZigbee2mqtt([REMOTE], createFastTime(10));
    await peer.publish('Remote', { action: 'toggle', battery: 87 }, true);
    await vi.waitFor(() => expect(sink.device(idOf(REMOTE)).occurrences).toHaveLength(1));
    await broker.stop();
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('error'));
    await broker.start();
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'));
    await vi.waitFor(() => expect(broker.subscriptions().has('zigbee2mqtt/Remote')).toBe(true));
    await settled();
    expect(sink.device(idOf(REMOTE)).occurrences).toEqual([
      { key: 'button', occurrence: { action: 'toggle', raw: 'toggle' } },
    ]);
  });

  test.each([
    ['2026-01-02T03:04:05+01:00', Date.UTC(2026, 0, 2, 2, 4, 5)],
    [Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 2)],
  ])('last seen %j is read, and counts more than the arrival of the message', async (last_seen, ms) => {
    const { peer, sink } = await openZigbee2mqtt([SENSOR]);
    await peer.publish('Balcony', { last_seen, temperature: 4 });
    await vi.waitFor(() => expect(sink.device(idOf(SENSOR)).seenAtMs).toBe(ms));
  });

  test('a state that the broker kept is reported as kept, not as new', async () => {
    const { peer, sink, broker, settled } = await openZigbee2mqtt([SENSOR], createFastTime(10));
    await peer.publish('Balcony', { temperature: 4 }, true);
    await settled();
    await vi.waitFor(() => expect(sink.calls.get('reportValues')).toBe(1));
    await broker.stop();
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('error'));
    await broker.start();
    await vi.waitFor(() => expect(sink.calls.get('reportKeptValues')).toBe(1));
    expect(sink.calls.get('reportValues')).toBe(1);
  });

  test('an empty message, with which upstream clears a kept one, is ignored', async () => {
    const { peer, lines, settled } = await openZigbee2mqtt([SENSOR]);
    await peer.publish('Balcony', '', true);
    await peer.publish('Balcony/availability', '', true);
    await settled();
    expect(lines.filter((line) => line.includes('malformed'))).toEqual([]);
  });

  test('availability comes from its topic, as text or JSON, and is unknown while the bridge is away', async () => {
    const { peer, sink } = await openZigbee2mqtt([SENSOR]);
    const device = sink.device(idOf(SENSOR));
    await vi.waitFor(() => expect(device.availability).toEqual({ state: 'online', reason: null }));
    await peer.publish('Balcony/availability', 'offline');
    await vi.waitFor(() => expect(device.availability).toEqual({ state: 'offline', reason: 'unreachable' }));
    await peer.publish('bridge/state', { state: 'offline' }, true);
    await vi.waitFor(() => expect(device.availability).toEqual({ state: 'unknown', reason: 'integration_down' }));
    expect(sink.statuses.at(-1)).toMatchObject({ state: 'error', code: 'BRIDGE_OFFLINE' });
    await peer.publish('bridge/state', 'online', true);
    await vi.waitFor(() => expect(device.availability?.state).toBe('offline'));
  });
});

describe('commands', () => {
  test('are sent in the words of the device, with the transition in seconds for lights only', async () => {
    const plug = { ...deviceEntry('Tuya/TS011F_plug_1'), friendly_name: 'Plug' };
    const { broker, integration } = await openZigbee2mqtt([LAMP, plug]);
    await integration.sendCommand(command(LAMP, { on: true, brightness: 50, color_temperature: 2700 }, 400));
    await integration.sendCommand(command(plug, { on: false }, 400));
    expect(broker.received.filter(({ topic }) => topic.endsWith('/set'))).toEqual([
      {
        topic: 'zigbee2mqtt/Living room/Lamp/set',
        payload: '{"state":"ON","brightness":127,"color_temp":370,"transition":0.4}',
      },
      { topic: 'zigbee2mqtt/Plug/set', payload: '{"state":"OFF"}' },
    ]);
  });

  test('a value that comes back as it was sent is reported as the requested one', async () => {
    const { peer, sink, integration } = await openZigbee2mqtt([LAMP]);
    const { values } = sink.device(idOf(LAMP));
    await integration.sendCommand(command(LAMP, { color_temperature: 2700 }));
    await vi.waitFor(() => expect(values.get('color_temperature')).toBe(2700));
    await peer.publish('Living room/Lamp', { color_temp: 371 });
    await vi.waitFor(() => expect(values.get('color_temperature')).toBe(2695));
  });

  test('a device with `set` in its name is addressed by its address', async () => {
    const { broker, integration } = await openZigbee2mqtt([{ ...LAMP, friendly_name: 'tea/set/lamp' }]);
    await integration.sendCommand(command(LAMP, { on: true }));
    expect(broker.received.at(-1)?.topic).toBe(`zigbee2mqtt/${idOf(LAMP)}/set`);
  });

  test('each value outside the features is named', async () => {
    const { integration } = await openZigbee2mqtt([LAMP]);
    const refused = integration.sendCommand(
      command(LAMP, { brightness: 101, link_quality: 3, 'no/such~key': 1, effect: 'explode' }),
    );
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      options: {
        errors: [
          { pointer: '/set/brightness', code: 'OUT_OF_RANGE' },
          { pointer: '/set/link_quality', code: 'READ_ONLY' },
          { pointer: '/set/no~1such~0key', code: 'UNKNOWN' },
          { pointer: '/set/effect', code: 'INVALID_VALUE' },
        ],
      },
    });
  });

  test('a failed set in the log is reported for all features that were sent with it', async () => {
    const { peer, sink, integration } = await openZigbee2mqtt([LAMP]);
    await integration.sendCommand(command(LAMP, { on: true, brightness: 50 }));
    const message = "z2m: Publish 'set' 'brightness' to 'Living room/Lamp' failed: 'Error: ZCL failed (Timeout - 7)'";
    await peer.publish('bridge/logging', { level: 'error', message });
    await vi.waitFor(() =>
      expect(sink.commandFailures).toEqual([
        { externalId: idOf(LAMP), keys: ['on', 'brightness'], reason: 'Timeout - 7' },
      ]),
    );
  });

  test('a failed set is reported also where another command went out before it failed', async () => {
    const { peer, sink, integration } = await openZigbee2mqtt([LAMP]);
    await integration.sendCommand(command(LAMP, { brightness: 50 }));
    await integration.sendCommand(command(LAMP, { effect: 'blink' }));
    const message = "z2m: Publish 'set' 'brightness' to 'Living room/Lamp' failed: 'Error: ZCL failed (Timeout - 7)'";
    await peer.publish('bridge/logging', { level: 'error', message });
    await vi.waitFor(() =>
      expect(sink.commandFailures).toEqual([{ externalId: idOf(LAMP), keys: ['brightness'], reason: 'Timeout - 7' }]),
    );
  });

  test('a failed set of which a later one took the place is no failure of the later one', async () => {
    const { peer, sink, integration } = await openZigbee2mqtt([LAMP]);
    const fail = (reason: string): Promise<void> => {
      const message = `z2m: Publish 'set' 'brightness' to 'Living room/Lamp' failed: 'Error: ZCL failed (${reason})'`;
      return peer.publish('bridge/logging', { level: 'error', message });
    };
    // An echo would answer the first.
    peer.dropSets('Living room/Lamp');
    await integration.sendCommand(command(LAMP, { on: true, brightness: 50 }));
    await integration.sendCommand(command(LAMP, { brightness: 60 }));
    await fail('of the first');
    await fail('of the second');
    await integration.sendCommand(command(LAMP, { brightness: 70 }));
    await peer.publish('Living room/Lamp', { brightness: 178 });
    await vi.waitFor(() => expect(sink.device(idOf(LAMP)).values.get('brightness')).toBe(70));
    await integration.sendCommand(command(LAMP, { brightness: 80 }));
    await fail('of the last');
    await vi.waitFor(() =>
      expect(sink.commandFailures.map(({ keys, reason }) => [reason, ...keys])).toEqual([
        ['of the first', 'on'],
        ['of the second', 'brightness'],
        ['of the last', 'brightness'],
      ]),
    );
  });
});

describe('the bridge', () => {
  test('may have no devices yet, and pairing works', async () => {
    const { sink, integration, broker, peer } = await openZigbee2mqtt([], createFastTime(20));
    broker.onPublish(({ topic, payload }) => {
      if (!topic.endsWith('permit_join')) return;
      const { transaction, value, time } = JSON.parse(payload) as {
        transaction: string;
        value: unknown;
        time: unknown;
      };
      // Until 1.42 a request without a value is refused, since 2.0 one without a time.
      const isValid = typeof value === 'boolean' && typeof time === 'number' && value === time > 0;
      const answer = isValid ? { status: 'ok', data: {} } : { status: 'error', error: 'Invalid payload' };
      void peer.publish('bridge/response/permit_join', { transaction, ...answer });
    });
    await vi.waitFor(() => expect(sink.calls.get('syncDevices')).toBe(1));
    await integration.openPairing?.(0);
    await integration.openPairing?.(10);
    await vi.waitFor(() => expect(sink.pairing.at(-1)?.step).toBe('closed'));
    expect(sink.statuses.at(-1)?.state).toBe('connected');
  });

  test('whose states come with a topic for each property says so, until they come as the hub reads them', async () => {
    const { peer, sink, lines } = await openZigbee2mqtt([LAMP]);
    const codeAfter = async (output: string, code: string | null): Promise<void> => {
      await peer.publish('bridge/info', { permit_join: false, config: { advanced: { output } } }, true);
      await vi.waitFor(() => expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code }));
    };
    await codeAfter('attribute', 'STATES_NOT_READ');
    expect(lines.filter((line) => line.includes('advanced.output'))).toHaveLength(1);
    expect(sink.device(idOf(LAMP)).availability?.state).toBe('online');
    await codeAfter('attribute_and_json', null);
    await codeAfter('attribute', 'STATES_NOT_READ');
    await codeAfter('json', null);
  });

  test('reports new devices while pairing is open, also if another program opened it', async () => {
    const { peer, sink, settled, broker } = await openZigbee2mqtt([LAMP]);
    const join = (index: number): Promise<void> =>
      peer.publish('bridge/event', { type: 'device_joined', data: { ieee_address: `0x${'f'.repeat(15)}${index}` } });
    // As large as with the settings of some hundred devices.
    const info = { config_schema: 'x'.repeat(100_000), permit_join: false };
    await peer.publish('bridge/info', info, true);
    await join(1);
    await peer.publish('bridge/info', { ...info, permit_join: true, permit_join_end: Date.now() + 60_000 }, true);
    await join(2);
    await settled();
    expect(sink.pairing.map(({ externalId }) => externalId?.at(-1))).toEqual(['2', '1']);
    expect(broker.subscriptions().has('zigbee2mqtt/bridge/info')).toBe(true);
  });

  test('gets requests to remove devices, and its refusal is passed on', async () => {
    const { broker, peer, integration } = await openZigbee2mqtt([LAMP]);
    broker.onPublish(({ topic, payload }) => {
      if (!topic.endsWith('request/device/remove')) return;
      const { transaction, force } = JSON.parse(payload) as { transaction: string; force: boolean };
      const answer = force ? { status: 'ok', data: {} } : { status: 'error', error: 'it does not answer', data: {} };
      void peer.publish('bridge/response/device/remove', { transaction: 'of another client', status: 'ok' });
      void peer.publish('bridge/response/device/remove', { ...answer, transaction });
    });
    await expect(integration.removeDevice?.(idOf(LAMP), false)).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: 'it does not answer',
    });
    await expect(integration.removeDevice?.(idOf(LAMP), true)).resolves.toBeUndefined();
  });

  test('a request without an answer fails in the end, and at once when the link is lost', async () => {
    const quick = await openZigbee2mqtt([LAMP], {
      startTimer: (ms, run) => {
        const timer = setTimeout(run, ms / 100);
        return () => clearTimeout(timer);
      },
    });
    await expect(quick.integration.openPairing?.(60)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    const { broker, integration } = await openZigbee2mqtt([LAMP]);
    const asking = integration.openPairing?.(60).catch((error: unknown) => error);
    await vi.waitFor(() => expect(broker.received.at(-1)?.topic).toContain('permit_join'));
    await broker.stop();
    expect(await asking).toMatchObject({ code: 'INTEGRATION_DOWN' });
  });
});
