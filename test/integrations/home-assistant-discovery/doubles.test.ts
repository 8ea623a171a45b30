import { describe, expect, test, vi } from 'vitest';
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
  ];
  const kinds = new Map([
    ['weather', 'provider'],
    ['d', 'home_assistant_discovery'],
  ]);
  const asides = createAsides({
    devices: () => natives,
    kindOf: (id) => kinds.get(id) ?? id,
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
    ['not without any', about(['thermostat']), false],
  ])('%s', (_how, announced, is) => {
    expect(asides.review('it', announced)).toBe(is);
  });
});

describe.runIf(needs('mosquitto'))('a device that comes on two ways', { timeout: 60_000 }, () => {
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
    expect(await leftOut()).toEqual([{ integration: 'zigbee2mqtt', devices: 1 }]);
    await devices.reportsOf('zigbee2mqtt').removeDevice('0x00158d0001020304');
    await vi.waitFor(() => expect(devices.devicesOf(instance)).toHaveLength(1), POLL);
    expect(devices.devicesOf(instance)[0]).toMatchObject({ id, ownName: 'Wine cellar' });
    expect(await leftOut()).toBeUndefined();
  });
});
