import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { recordedNodes, startZwaveServer, SWITCH } from '#test/support/zwave/zwave-server.ts';
import { createZwaveWorld } from '#test/support/zwave/zwave-world.ts';

const POLL = { interval: 10 };
const LOCK = '6-003b-0001-0469';
const THERMOSTAT = '5-0002-0115-a010';
const DIMMER = '3-0063-4944-3038';
const COVER = '7-0159-0003-0052';
const CONTACT = '4-0371-0002-0007';
const BULB = '10-0371-0103-0002';
const CURRENT = { commandClass: 37, property: 'currentValue' };

async function openNetwork(
  factor = 10,
  change: (server: Awaited<ReturnType<typeof startZwaveServer>>) => void = () => undefined,
) {
  const server = await startZwaveServer();
  onTestFinished(server.close);
  change(server);
  const world = createZwaveWorld(server.host, createFastTime(factor));
  const sink = createRecordingSink();
  const abort = new AbortController();
  const zwave = world.create();
  const running = zwave.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
    world.close();
  });
  const untilStatus = (expected: string): Promise<void> =>
    vi.waitFor(() => {
      const last = sink.statuses.at(-1);
      expect([last?.state, last?.code ?? []].flat().join(' ')).toBe(expected);
    }, POLL);
  const until = (check: () => void): Promise<void> => vi.waitFor(check, POLL);
  const send = (externalId: string, set: Record<string, JsonValue>, transitionMs: number | null = null) =>
    zwave.sendCommand({ externalId, set: new Map(Object.entries(set)), action: null, transitionMs });
  const act = (externalId: string, action: string) =>
    zwave.sendCommand({ externalId, set: new Map(), action, transitionMs: null });
  /** Once this event is taken, so are all before it. */
  const settled = async (): Promise<void> => {
    server.report(8, { commandClass: 49, property: 'Humidity' }, Math.round(Math.random() * 1e6));
    const wanted = server.lastReported();
    await until(() => expect(sink.device('8-0086-0002-0064').values.get('humidity')).toBe(wanted));
  };
  return { server, world, sink, zwave, untilStatus, until, send, act, settled };
}

async function openConnected(factor = 10) {
  const opened = await openNetwork(factor);
  await opened.untilStatus('connected');
  return opened;
}

describe('a Z-Wave network', () => {
  test('is a device for each node but the controller, with names, makers, rooms and what they can do', async () => {
    const { sink, untilStatus } = await openNetwork(10, (server) =>
      server.setNode(2, { name: 'Heater', location: 'Bath' }),
    );
    await untilStatus('connected');
    expect(sink.devices.size).toBe(9);
    expect(sink.device(SWITCH).description).toMatchObject({
      name: 'Heater',
      suggestedRoom: 'Bath',
      type: 'on_off_plug_in_unit',
      manufacturer: 'AEON Labs',
      model: 'ZW096',
      firmware: '1.5',
    });
    expect(sink.device(DIMMER).description.name).toBe('In-Wall Paddle Dimmer, 500S');
    const keys = (id: string) => sink.device(id).description.features.map(({ key }) => key);
    expect(keys(SWITCH)).toEqual(expect.arrayContaining(['on', 'energy', 'power', 'x.meter_reset', 'x.ping']));
    expect(keys(DIMMER)).toEqual(
      expect.arrayContaining(['on', 'brightness', 'scene_1.button', 'scene_2.button', 'x.parameter_2']),
    );
    expect(keys(THERMOSTAT)).toEqual(
      expect.arrayContaining(['thermostat_mode', 'target_temperature', 'temperature', 'battery']),
    );
    expect(keys('9-0159-0002-0051')).toEqual(expect.arrayContaining(['on', 'endpoint_1.on', 'endpoint_2.on']));
    expect(keys(CONTACT)).toEqual(
      expect.arrayContaining(['open', 'tamper', 'temperature', 'x.wake_up_wake_up_interval']),
    );
    expect(Object.fromEntries(sink.device(SWITCH).values)).toMatchObject({
      on: false,
      energy: 1.234,
      power: 42.5,
      'x.interview': 'complete',
    });
    expect(sink.device(CONTACT).availability).toEqual({ state: 'asleep', reason: 'sleeping' });
  });

  test('shows every value that the server has, but no code of a lock', async () => {
    const { sink, untilStatus, server, settled } = await openNetwork(10, ({ setNode }) => {
      const node = recordedNodes().find(({ nodeId }) => nodeId === 6);
      const values = (node?.values ?? []).map((value) =>
        value['property'] === 'userCode' ? { ...value, value: '4711' } : value,
      );
      setNode(6, { values });
    });
    await untilStatus('connected');
    expect(sink.devices.size).toBe(9);
    server.says({
      source: 'node',
      event: 'value updated',
      nodeId: 6,
      args: { commandClass: 99, endpoint: 0, property: 'userCode', propertyKey: 1, newValue: '4711', prevValue: '' },
    });
    server.says({
      source: 'node',
      event: 'notification',
      nodeId: 6,
      ccId: 113,
      args: {
        type: 6,
        event: 6,
        label: 'Access Control',
        eventLabel: 'Keypad unlock operation',
        parameters: { userId: 1, code: '4711' },
      },
    });
    await settled();
    const lock = sink.device(LOCK);
    expect(JSON.stringify([...lock.values, lock.description, lock.occurrences])).not.toContain('4711');
    expect(JSON.stringify(lock.description)).not.toMatch(/user_?code(?!_user_id)/i);
    expect(lock.occurrences).toEqual([
      { key: 'x.notification', occurrence: { action: 'keypad_unlock_operation', raw: 'Keypad unlock operation' } },
    ]);
    const offered = recordedNodes().flatMap(({ nodeId, values }) => (nodeId === 1 ? [] : values));
    expect(offered.length).toBeGreaterThan(120);
  });

  test.each<[string, string, Record<string, JsonValue>, JsonObject]>([
    ['a switch', SWITCH, { on: true }, { commandClass: 37, property: 'targetValue', value: true }],
    ['a dimmer', DIMMER, { brightness: 50 }, { commandClass: 38, property: 'targetValue', value: 50 }],
    ['a dimmer as it was last', DIMMER, { on: true }, { commandClass: 38, property: 'targetValue', value: 255 }],
    [
      'a level beside a switch',
      DIMMER,
      { brightness: 100, on: true },
      { commandClass: 38, property: 'targetValue', value: 99 },
    ],
    [
      'a switch that is off beside a level',
      DIMMER,
      { brightness: 9, on: false },
      { commandClass: 38, property: 'targetValue', value: 0 },
    ],
    ['a position', COVER, { position: 100 }, { commandClass: 38, property: 'targetValue', value: 99 }],
    ['a blind that opens', COVER, { cover_state: 'open' }, { commandClass: 38, property: 'targetValue', value: 99 }],
    ['a blind that stops', COVER, { cover_state: 'stop' }, { commandClass: 38, property: 'Open', value: false }],
    ['a mode', THERMOSTAT, { thermostat_mode: 'heat' }, { commandClass: 64, property: 'mode', value: 1 }],
    [
      'a temperature',
      THERMOSTAT,
      { target_temperature: 22.5 },
      { commandClass: 67, property: 'setpoint', value: 22.5 },
    ],
    ['a lock', LOCK, { locked: true }, { commandClass: 98, property: 'targetMode', value: 255 }],
    ['a parameter', DIMMER, { 'x.parameter_2': 20 }, { commandClass: 112, property: 2, value: 20 }],
    ['a choice', DIMMER, { 'x.parameter_3': 'always_off' }, { commandClass: 112, property: 3, value: 2 }],
    [
      'a color',
      BULB,
      { color: { hue: 120, saturation: 100 } },
      { commandClass: 51, property: 'targetColor', value: { red: 0, green: 255, blue: 0, warmWhite: 0, coldWhite: 0 } },
    ],
  ])('%s is written where the server has it', async (...row) => {
    const [, externalId, set, written] = row;
    const { server, send } = await openConnected();
    await expect(send(externalId, set)).resolves.toBe('device_ack');
    const { value, ...id } = written;
    expect(server.wire.at(-1)).toMatchObject({ value, valueId: id });
    expect(server.wire).toHaveLength(1);
  });

  test('a garage door opens and closes, and is not closed by the wish to stop it', async () => {
    const barrier = { commandClass: 102, endpoint: 0 };
    const number = { type: 'number', readable: true, stateful: true };
    const { server, sink, send, settled, untilStatus } = await openNetwork(10, ({ setNode }) =>
      setNode(2, {
        values: [
          { ...barrier, property: 'currentState', metadata: { ...number, writeable: false }, value: 255 },
          { ...barrier, property: 'targetState', metadata: { ...number, writeable: true } },
        ],
      }),
    );
    await untilStatus('connected');
    const door = sink.device(SWITCH);
    expect(door.description.features.find(({ key }) => key === 'cover_state')?.options).toEqual(['open', 'close']);
    await expect(send(SWITCH, { cover_state: 'stop' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(server.wire).toEqual([]);
    await send(SWITCH, { cover_state: 'close' });
    await send(SWITCH, { cover_state: 'open' });
    expect(server.wire.map(({ value }) => value)).toEqual([0, 255]);
    const shown: unknown[] = [];
    for (const state of [252, 253, 254, 42]) {
      server.report(2, { commandClass: 102, property: 'currentState' }, state);
      await settled();
      shown.push([door.values.get('cover_state'), door.values.get('x.garage_movement')]);
    }
    expect(shown).toEqual([
      ['close', 'closing'],
      ['stop', 'stopped'],
      ['open', 'opening'],
      [null, null],
    ]);
  });

  test('a transition goes along where the node can fade', async () => {
    const { server, send } = await openConnected();
    await send(DIMMER, { brightness: 20 }, 3_000);
    expect(server.wire.at(-1)).toMatchObject({ options: { transitionDuration: '3s' } });
    await send(LOCK, { locked: true }, 3_000);
    expect(server.wire.at(-1)).not.toHaveProperty('options');
  });

  test('an action is one value or one command', async () => {
    const { server, act } = await openConnected();
    await expect(act(SWITCH, 'x.meter_reset')).resolves.toBe('device_ack');
    expect(server.wire.at(-1)).toMatchObject({ valueId: { commandClass: 50, property: 'reset' }, value: true });
    await expect(act(SWITCH, 'x.ping')).resolves.toBe('device_ack');
    expect(server.asked.at(-1)).toBe('node.ping');
  });
});

describe('what the driver believes', () => {
  test.each<[string, string, string, JsonValue, JsonObject]>([
    ['a switch', SWITCH, 'on', true, { ...CURRENT, value: true }],
    ['a lock', LOCK, 'locked', true, { commandClass: 98, property: 'currentMode', value: 255 }],
    [
      'a temperature',
      THERMOSTAT,
      'target_temperature',
      25,
      { commandClass: 67, property: 'setpoint', propertyKey: 1, value: 25 },
    ],
  ])('is not what the node said: %s', async (...row) => {
    const [, externalId, key, wanted, report] = row;
    const { server, sink, send, settled, until } = await openConnected();
    const nodeId = Number.parseInt(externalId, 10);
    const before = sink.device(externalId).values.get(key);
    server.setStatus(254);
    await expect(send(externalId, { [key]: wanted })).resolves.toBe('transport_ack');
    await settled();
    expect(sink.device(externalId).values.get(key)).toBe(before);
    const { value = null, ...id } = report;
    server.report(nodeId, id, value);
    await until(() => expect(sink.device(externalId).values.get(key)).toBe(wanted));
  });

  test('a node that refuses is shown as it is', async () => {
    const { server, sink, send, settled, until } = await openConnected();
    server.setStatus(254);
    await send(THERMOSTAT, { target_temperature: 25 });
    await settled();
    server.report(5, { commandClass: 67, property: 'setpoint', propertyKey: 1 }, 20);
    await settled();
    expect(sink.device(THERMOSTAT).values.get('target_temperature')).toBe(20);
    await until(() => expect(sink.calls.get('reportValues')).toBeGreaterThan(0));
  });

  test('the node is asked if it says nothing by itself', async () => {
    const { server, sink, send, until } = await openConnected(20);
    server.setStatus(254);
    await send(SWITCH, { on: true });
    await until(() => expect(server.asked).toContain('node.poll_value'));
    await until(() => expect(sink.device(SWITCH).values.get('on')).toBe(true));
  });

  test('a node is asked for each part of a color', async () => {
    const { server, sink, send, until } = await openConnected(20);
    server.setStatus(254);
    await send(BULB, { color: { hue: 120, saturation: 100 } });
    await until(() => expect(sink.device(BULB).values.get('color')).toEqual({ hue: 120, saturation: 100 }));
    expect(server.asked.filter((command) => command === 'node.poll_value')).toHaveLength(5);
  });

  test('is not read as a state after a reconnect either', async () => {
    const { server, sink, send, settled, untilStatus } = await openConnected();
    server.setStatus(254);
    await send(SWITCH, { on: true });
    await settled();
    await server.unplug();
    await untilStatus('error SERVER_UNREACHABLE');
    await server.plug();
    await untilStatus('connected');
    expect(sink.device(SWITCH).values.get('on')).toBe(false);
    server.report(2, CURRENT, true);
    await settled();
    expect(sink.device(SWITCH).values.get('on')).toBe(true);
  });

  test.each([
    [2, 'The device refuses this.'],
    [5, 'The device does not take this value.'],
    [77, 'The server did not do this.'],
  ])('the answer %i fails the command', async (status, message) => {
    const { server, send } = await openConnected();
    server.setStatus(status);
    await expect(send(SWITCH, { on: true })).rejects.toMatchObject({ code: 'COMMAND_FAILED', message });
  });

  test('a command without an answer holds up nothing, and its late failure is reported', async () => {
    const { server, send, untilStatus, sink, until } = await openConnected(50);
    server.setStatus(null);
    await expect(send(SWITCH, { on: true })).resolves.toBe('none');
    server.drop();
    await untilStatus('connected');
    await until(() => expect(sink.commandFailures.at(-1)).toMatchObject({ externalId: SWITCH, keys: ['on'] }));
  });
});

describe('the life of a node', () => {
  test('dead, alive, asleep and awake nodes are shown as that', async () => {
    const { server, sink, settled } = await openConnected();
    const reach = async (nodeId: number, event: string): Promise<unknown> => {
      server.says({ source: 'node', event, nodeId, oldStatus: 4 });
      await settled();
      return [...sink.devices.values()].find(({ description }) => description.externalId.startsWith(`${nodeId}-`))
        ?.availability;
    };
    expect(await reach(2, 'dead')).toEqual({ state: 'offline', reason: 'dead' });
    expect(await reach(2, 'alive')).toEqual({ state: 'online', reason: null });
    expect(await reach(4, 'wake up')).toEqual({ state: 'online', reason: null });
    expect(await reach(4, 'sleep')).toEqual({ state: 'asleep', reason: 'sleeping' });
  });

  test('another product under the same number is another device', async () => {
    const { server, sink, until } = await openConnected(20);
    server.setNode(2, { productId: 7 });
    server.says({ source: 'node', event: 'ready', nodeId: 2 });
    await until(() => expect(sink.devices.has('2-0086-0003-0007')).toBe(true));
    expect(sink.devices.has(SWITCH)).toBe(false);
  });

  test('a node that is asked anew what it is stays the device that it was', async () => {
    const { server, sink, until } = await openConnected(20);
    const bare = {
      manufacturerId: null,
      productType: null,
      productId: null,
      ready: false,
      values: [],
      interviewStage: 'NodeInfo',
    };
    server.setNode(2, bare);
    server.says({ source: 'node', event: 'interview started', nodeId: 2, args: {} });
    server.says({ source: 'node', event: 'metadata updated', nodeId: 2, args: {} });
    await until(() => expect(sink.device(SWITCH).values.get('x.interview')).toBe('node_info'));
    expect(sink.devices.size).toBe(9);
  });

  test('a value in another unit is taken once the unit is known', async () => {
    const { server, sink, until, settled } = await openConnected(20);
    const temperature = { commandClass: 49, endpoint: 0, property: 'Air temperature' };
    const sensor = sink.device('8-0086-0002-0064');
    const values = recordedNodes().find(({ nodeId }) => nodeId === 8)?.values ?? [];
    const metadata = { type: 'number', unit: '°F', ccSpecific: { sensorType: 1, scale: 1 } };
    server.says({ source: 'node', event: 'metadata updated', nodeId: 8, args: { ...temperature, metadata } });
    server.says({ source: 'node', event: 'value updated', nodeId: 8, args: { ...temperature, newValue: 77 } });
    await settled();
    expect(sensor.values.get('temperature')).toBe(22.1);
    server.setNode(8, {
      values: values.map((value) =>
        value['property'] === 'Air temperature' ? { ...value, metadata, value: 77 } : value,
      ),
    });
    await until(() => expect(sensor.values.get('temperature')).toBe(25));
  });

  test('a new node comes when it has said what it is, and a removed one goes', async () => {
    const { server, sink, until } = await openConnected(20);
    const fresh = { ...recordedNodes()[1], nodeId: 11, values: [] };
    server.setNodes([...recordedNodes(), { ...fresh, manufacturerId: null, ready: false, status: 4 }]);
    server.says({ source: 'controller', event: 'node added', node: { nodeId: 11 }, result: {} });
    server.removeNode(3);
    await until(() => expect(sink.devices.has(DIMMER)).toBe(false));
    await until(() => expect(server.asked.filter((command) => command === 'node.get_state')).toHaveLength(1));
    expect(sink.devices.size).toBe(8);
    server.setNode(11, { manufacturerId: 134, ready: true });
    server.says({ source: 'node', event: 'ready', nodeId: 11 });
    await until(() => expect(sink.devices.has('11-0086-0003-0060')).toBe(true));
  });

  test('a dead node is removed by force, one that answers is not, and without force none', async () => {
    const { server, sink, zwave } = await openConnected();
    await expect(zwave.removeDevice?.(SWITCH, false)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    await expect(zwave.removeDevice?.(SWITCH, true)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    server.setNode(2, { status: 3 });
    await zwave.removeDevice?.(SWITCH, true);
    expect(sink.devices.has(SWITCH)).toBe(false);
  });

  test('a scene is a press of its button, however often it is repeated', async () => {
    const { server, sink, settled } = await openConnected();
    for (const value of [0, 3, 2, 99]) {
      const args = { commandClass: 91, endpoint: 0, property: 'scene', propertyKey: '001', value };
      server.says({ source: 'node', event: 'value notification', nodeId: 3, args });
    }
    await settled();
    expect(sink.device(DIMMER).occurrences).toEqual([
      { key: 'scene_1.button', occurrence: { action: 'single', count: 1, raw: 'KeyPressed' } },
      { key: 'scene_1.button', occurrence: { action: 'double', count: 2, raw: 'KeyPressed2x' } },
      { key: 'scene_1.button', occurrence: { action: 'hold', raw: 'KeyHeldDown' } },
    ]);
  });

  test('a door is open by the value that says so, whichever of the three comes', async () => {
    const { server, sink, settled } = await openConnected();
    server.report(4, { commandClass: 113, property: 'Access Control', propertyKey: 'Door state (simple)' }, 22);
    await settled();
    expect(sink.device(CONTACT).values.get('open')).toBe(true);
  });
});
