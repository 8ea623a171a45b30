import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startZwaveServer } from '#test/support/zwave/zwave-server.ts';
import { openOfferedWorld, POLL } from '#test/support/discovery/offered-world.ts';
import { needs } from '#test/support/machine/requires.ts';
import { createAsides } from '#integrations/home-assistant-discovery/native-devices.ts';
import type { Device } from '#core/device/device.ts';

const about = (
  identifiers: readonly string[],
  connections: readonly string[] = [],
  manufacturer: string | null = null,
) => ({
  identifiers,
  connections,
  manufacturer,
  name: null,
  model: null,
  firmware: null,
  suggestedArea: null,
  viaDevice: null,
});
const native = (integration: string, externalId: string): Device =>
  ({ id: `${integration} ${externalId}`, integration, externalId }) as unknown as Device;

describe('an announced device is the same as a native one', () => {
  const natives = [
    native('zigbee2mqtt', '0x00158d0001020304'),
    native('tasmota', 'DC4F22A1B2C3'),
    native('wled', '10521cffee01'),
    native('shelly', '3C:61:05:00:00:0A'),
    native('esphome', '02:00:00:00:00:01-1a'),
    native('hue', '01a20571-8dcd-70e8-84c2-3e195f0a0bd8'),
    native('weather', 'aabbccddeeff'),
    native('zwave', '37-010f-0102-1000'),
    native('zwave', '40'),
    native('zwave-2', '39-0086-0003-0060'),
  ];
  const kinds = new Map([
    ['weather', 'provider'],
    ['d', 'home_assistant_discovery'],
    ['zwave-2', 'zwave'],
  ]);
  const asides = createAsides({
    devices: () => natives,
    kindOf: (id) => kinds.get(id) ?? id,
    uniqueIdOf: (id) => (id === 'zwave' ? '0e570042' : undefined),
    integrationOf: () => undefined,
  });
  test.each([
    ['by its IEEE address after a word', about(['zigbee2mqtt_0x00158d0001020304']), true],
    ['by its connection', about(['kitchen'], ['mac,dc:4f:22:a1:b2:c3']), true],
    ['by its MAC address in small letters', about(['dc4f22a1b2c3']), true],
    ['by its MAC address after a name', about(['wled-10521CFFEE01']), true],
    ['by a MAC address with colons at the other side', about(['shellyplus1-3c610500000a']), true],
    ['by the address before the number of a part', about([], ['mac,02:00:00:00:00:01']), true],
    ['by the end of the address, as Tasmota announces itself', about(['A1B2C3'], [], 'Tasmota'), true],
    ['not by such an end of another maker', about(['A1B2C3'], [], 'Other'), false],
    ['not by an address before that of something else', about(['dc4f22a1b2c3_ble_a4c138000001']), false],
    ['not by a connection that is no address of its own', about(['x'], ['upnp,dc4f22a1b2c3']), false],
    ['not by the end of an id of another kind', about(['84c2-3e195f0a0bd8']), false],
    ['not if the other is of a script', about(['aabbccddeeff']), false],
    ['by its network and number, as Z-Wave JS UI announces it', about(['zwavejs2mqtt_0x0e570042_node37']), true],
    ['by a network without its zeros, before its product is known', about(['zwavejs2mqtt_0xe570042_node40']), true],
    ['not by the number of a node that starts so', about(['zwavejs2mqtt_0x0e570042_node3']), false],
    ['not by the number of a node of another network', about(['zwavejs2mqtt_0x7e570042_node37']), false],
    ['not by a number where nobody knows the network', about(['zwavejs2mqtt_0x0e570042_node39']), false],
    ['not without any', about(['thermostat']), false],
  ])('%s', (_how, announced, is) => {
    expect(asides.review('it', announced)).toBe(is);
  });
});

describe.runIf(needs('mosquitto'))('a device that comes on two ways', () => {
  test('is there once: the announced one gives way, and returns as it was', async () => {
    const { hub, owner, instance, view } = await openOfferedWorld();
    const { devices } = hub.home;
    const config = {
      uniq_id: 'g1',
      name: 'Temperature',
      dev_cla: 'temperature',
      unit_of_meas: '°C',
      stat_t: 'gateway/1',
      dev: { ids: 'gateway_1', name: 'Cellar', cns: [['mac', '00:15:8d:00:01:02:03:04']] },
    };
    await view.say('homeassistant/sensor/g1/config', JSON.stringify(config), true);
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(1), POLL);
    const [announced] = devices.devicesOf(instance);
    if (announced === undefined) throw new Error('it is not there');
    await devices.updateDevice(announced.id, { ownName: 'Wine cellar' });
    const { id } = announced;
    await devices.reportsOf('zigbee2mqtt').describeDevice({
      externalId: '0x00158d0001020304',
      name: 'cellar',
      type: 'temperature_sensor',
      features: announced.features,
      manufacturer: null,
      model: null,
      firmware: null,
      staleAfterMs: null,
    });
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(0), POLL);
    const leftOut = async (): Promise<unknown> =>
      (await hub.call(`GET /integration/${instance}`, { token: owner })).json['left_out'];
    await vi.waitFor(async () => expect(await leftOut()).toEqual([{ integration: 'zigbee2mqtt', devices: 1 }]), POLL);
    await devices.reportsOf('zigbee2mqtt').removeDevice('0x00158d0001020304');
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(1), POLL);
    expect(devices.devicesOf(instance)[0]).toMatchObject({ id, ownName: 'Wine cellar' });
    await vi.waitFor(async () => expect(await leftOut()).toBeUndefined(), POLL);
  });
  test('through the server of Z-Wave JS and the messages of Z-Wave JS UI is there once, and the page says so', async () => {
    const server = await startZwaveServer();
    onTestFinished(server.close);
    const { hub, owner, instance, view } = await openOfferedWorld();
    const { devices } = hub.home;
    // As Z-Wave JS UI announces the switch of the network: by the number of the network and that of the node.
    const config = {
      uniq_id: '0x7e570042_switch',
      name: 'switch',
      stat_t: 'zwave/2/37/0/currentValue',
      cmd_t: 'zwave/2/37/0/targetValue/set',
      pl_on: 'true',
      pl_off: 'false',
      dev: { ids: ['zwavejs2mqtt_0x7e570042_node2'], mf: 'AEON Labs', mdl: 'Smart Switch (ZW075)', name: 'nodeID_2' },
    };
    await view.say('homeassistant/switch/nodeID_2/switch/config', JSON.stringify(config), true);
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(1), POLL);
    const { json } = await hub.call('POST /integration_setup', { token: owner, body: { kind: 'zwave' } });
    const setup = `/integration_setup/${String(json['id'])}`;
    const stateOf = async (): Promise<Record<string, unknown>> =>
      (await hub.call(`GET ${setup}`, { token: owner })).json;
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ step: { type: 'form' } }), POLL);
    await hub.call(`POST ${setup}`, { token: owner, body: { answer: { host: server.host } } });
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ status: 'done' }), POLL);
    await vi.waitFor(() => expect(devices.devicesOf('zwave')).toHaveLength(9), POLL);
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(0), POLL);
    const leftOut = async (): Promise<unknown> =>
      (await hub.call(`GET /integration/${instance}`, { token: owner })).json['left_out'];
    await vi.waitFor(async () => expect(await leftOut()).toEqual([{ integration: 'zwave', devices: 1 }]), POLL);
    // Another node of the UI's network, which the server does not have, is a device of its own.
    const other = JSON.stringify({ ...config, uniq_id: 'o', dev: { ids: ['zwavejs2mqtt_0x7e570042_node99'] } });
    await view.say('homeassistant/switch/nodeID_99/switch/config', other, true);
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(1), POLL);
  });
});
