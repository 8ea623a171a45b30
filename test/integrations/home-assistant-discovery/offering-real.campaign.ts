import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deviceName } from '#core/device/device.ts';
import { startHomeAssistant } from '#test/support/discovery/home-assistant.ts';
import { openOfferedWorld } from '#test/support/discovery/offered-world.ts';
import { radioAddress, startZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';

const POLL = { timeout: 60_000, interval: 200 };

/** A service call there, and the value that the device then has here. */
const CALLS = [
  ['light.turn_on', 'Living room lamp', { brightness_pct: 40 }, 'brightness', 40],
  ['light.turn_on', 'Living room lamp', { color_temp_kelvin: 4000 }, 'color_temperature', 4000],
  ['light.turn_on', 'Living room lamp', { xy_color: [0.3, 0.3] }, 'color', { x: 0.3, y: 0.3 }],
  ['light.turn_off', 'Kitchen ceiling', {}, 'on', false],
  ['light.turn_on', 'Hallway ceiling', {}, 'on', true],
  ['light.turn_on', 'Bedroom bedside lamp', { brightness_pct: 80, transition: 1 }, 'brightness', 80],
  ['switch.turn_off', 'Kitchen fridge plug', {}, 'on', false],
  ['switch.turn_on', 'Living room thermostat', {}, 'child_lock', true],
  ['select.select_option', 'Kitchen fridge plug', { option: 'off' }, 'power_on_behavior', 'off'],
  ['cover.set_cover_position', 'Living room blind', { position: 40 }, 'position', 40],
  ['cover.open_cover', 'Living room blind', {}, 'position', 100],
  ['climate.set_temperature', 'Living room thermostat', { temperature: 19.5 }, 'target_temperature', 19.5],
  ['climate.set_hvac_mode', 'Living room thermostat', { hvac_mode: 'auto' }, 'thermostat_mode', 'auto'],
  ['lock.unlock', 'Front door lock', {}, 'locked', false],
] as const;

/** By the number of their radio: calls there, the value here, and what Zigbee2MQTT then says of the device. */
const ZIGBEE_DEVICES = [
  {
    number: 1,
    domain: 'light',
    calls: [
      { service: 'turn_on', data: {}, key: 'on', value: true, said: { state: 'ON' } },
      { service: 'turn_on', data: { brightness_pct: 40 }, key: 'brightness', value: 40, said: { brightness: 102 } },
    ],
  },
  {
    number: 2,
    domain: 'light',
    calls: [
      {
        service: 'turn_on',
        data: { color_temp_kelvin: 4000 },
        key: 'color_temperature',
        value: 4_000,
        said: { color_temp: 250 },
      },
      { service: 'turn_off', data: {}, key: 'on', value: false, said: { state: 'OFF' } },
    ],
  },
  {
    number: 6,
    domain: 'switch',
    calls: [
      { service: 'turn_off', data: {}, key: 'on', value: false, said: { state: 'OFF' } },
      { service: 'turn_on', data: {}, key: 'on', value: true, said: { state: 'ON' } },
    ],
  },
] as const;

/** It takes 490 MB, and nothing installs it by itself. The README of the folder says how. */
const HOME_ASSISTANT = process.env['HEARTHD_HOME_ASSISTANT'];

describe.skipIf(HOME_ASSISTANT === undefined)('the real Home Assistant', { timeout: 400_000 }, () => {
  test('has each offered component as an entity, follows it, commands it and forgets it', async () => {
    const { hub, broker, set, device, roomId } = await openOfferedWorld();
    const [owner] = hub.home.accounts.users();
    if (owner === undefined) throw new Error('nobody owns the hub');
    const token = await hub.addToken(owner, { scopes: ['device:control', 'device:control_sensitive'] });
    const home = await startHomeAssistant(broker.port);
    const rooms = ['Kitchen', 'Living room', 'Bedroom', 'Hallway'].map(roomId);
    await set({ expose: { rooms, devices: [device('Front door lock').id] }, token });

    const offering = (): number =>
      hub.home.supervisor.findIntegration('home_assistant_discovery')?.report?.().offering?.entities ?? 0;
    await vi.waitFor(async () => {
      const entities = await home.entities();
      expect(offering()).toBeGreaterThan(50);
      expect(entities).toHaveLength(offering());
      // What has no state of its own is unknown until it is used.
      const silent = entities.filter(({ domain }) => domain !== 'button' && domain !== 'event');
      expect(silent.filter(({ state }) => ['unknown', 'unavailable', null].includes(state))).toEqual([]);
    }, POLL);
    const find = async (domain: string, name: string) => {
      const found = (await home.entities()).find((one) => one.domain === domain && one.device === name);
      if (found === undefined) throw new Error(`${name} has no ${domain}`);
      return found;
    };
    expect(await find('climate', 'Living room thermostat')).toMatchObject({ state: 'heat', area: 'Living room' });

    for (const [service, name, data, key, value] of CALLS) {
      const { entity_id: entity } = await find(service.split('.')[0] ?? '', name);
      await home.call(service, entity, data);
      await vi.waitFor(() => expect(device(name).states.get(key)?.value).toEqual(value), POLL);
    }
    const { entity_id: identify } = await find('button', 'Hallway ceiling');
    await home.call('button.press', identify);

    const reports = hub.home.devices.reportsOf('simulated-home');
    reports.reportOccurrence('living-room-remote', 'button', { action: 'double', raw: 'double' });
    await vi.waitFor(async () => {
      expect((await find('event', 'Living room remote')).attributes['event_type']).toBe('double');
      expect(await find('lock', 'Front door lock')).toMatchObject({ state: 'unlocked' });
      expect((await find('light', 'Bedroom bedside lamp')).attributes['brightness']).toBe(204);
    }, POLL);
    await hub.home.devices.updateDevice(device('Hallway ceiling').id, { ownName: 'Stairs' });
    await vi.waitFor(async () => expect((await find('light', 'Stairs')).state).toBe('on'), POLL);
    reports.reportAvailability('hallway-ceiling', 'offline', 'unreachable');
    await vi.waitFor(async () => expect((await find('light', 'Stairs')).state).toBe('unavailable'), POLL);

    await set({ expose: { rooms: [], devices: [] } });
    await vi.waitFor(async () => expect(await home.entities()).toEqual([]), POLL);
    const faults = (await home.warnings()).filter((line) => line.startsWith('homeassistant.components.mqtt'));
    expect(faults).toEqual([]);
  });

  test('controls the devices of the real Zigbee2MQTT through the hub, and follows them', async () => {
    const { hub, broker, view, owner, link, add, set } = await openOfferedWorld();
    const peer = await startZigbee2mqtt({ brokerPort: broker.port });
    onTestFinished(peer.remove);
    const zigbee = await add({ kind: 'zigbee2mqtt', settings: { broker: link } });
    const statusOf = () => hub.home.supervisor.statusOf(zigbee).state;
    await vi.waitFor(() => expect(statusOf()).toBe('connected'), POLL);
    await hub.call(`POST /integration/${zigbee}/pairing`, { token: owner, body: { seconds: 100 } });
    const device = (number: number) => {
      const found = hub.home.devices.findByExternalId(zigbee, radioAddress(number));
      if (found === undefined) throw new Error(`there is no device ${number}`);
      return found;
    };
    const shown = ZIGBEE_DEVICES.map(({ number }) => number);
    await vi.waitFor(() => {
      for (const number of shown) expect(device(number).availability.state).toBe('online');
      for (const { number, calls } of ZIGBEE_DEVICES)
        for (const { key } of calls) expect(device(number).features.map((one) => one.key)).toContain(key);
    }, POLL);

    const [account] = hub.home.accounts.users();
    if (account === undefined) throw new Error('nobody owns the hub');
    const token = await hub.addToken(account, { scopes: ['device:control', 'device:control_sensitive'] });
    const home = await startHomeAssistant(broker.port);
    await set({ expose: { rooms: [], devices: shown.map((number) => device(number).id) }, token });
    const find = async (domain: string, number: number) => {
      const name = deviceName(device(number));
      const found = (await home.entities()).find((one) => one.domain === domain && one.device === name);
      if (found === undefined) throw new Error(`${name} has no ${domain}`);
      return found;
    };
    for (const { number, domain, calls } of ZIGBEE_DEVICES) {
      await vi.waitFor(async () => expect((await find(domain, number)).state).not.toBe('unavailable'), POLL);
      for (const { service, data, key, value, said } of calls) {
        const { entity_id: entity } = await find(domain, number);
        await home.call(`${domain}.${service}`, entity, data);
        await vi.waitFor(() => {
          expect(device(number).states.get(key)).toMatchObject({ value, quality: 'confirmed' });
          // What Zigbee2MQTT itself says of the device, and the hub never publishes.
          const last = view.heard.findLast((line) => line.startsWith(`zigbee2mqtt/${radioAddress(number)} {`));
          expect(JSON.parse(last?.slice(last.indexOf('{')) ?? '{}')).toMatchObject(said);
        }, POLL);
      }
    }
    // Somebody at the plug itself.
    const change = { ieee: radioAddress(6), cluster: 'genOnOff', attrs: { onOff: 0 } };
    await peer.radio('/report', change);
    await vi.waitFor(async () => expect((await find('switch', 6)).state).toBe('off'), POLL);
    await peer.kill();
    await view.say('zigbee2mqtt/bridge/state', '{"state":"offline"}', true);
    await vi.waitFor(async () => expect((await find('light', 1)).state).toBe('unavailable'), POLL);
    await peer.start();
    await vi.waitFor(async () => expect((await find('light', 1)).state).toBe('on'), POLL);
    const faults = (await home.warnings()).filter((line) => line.startsWith('homeassistant.components.mqtt'));
    expect(faults).toEqual([]);
  });
});
