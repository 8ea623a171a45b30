import { describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { type OfferedWorld, openOfferedWorld, POLL } from '#test/support/discovery/offered-world.ts';
import { needs } from '#test/support/machine/requires.ts';

/** What the state topic of the device says. */
function stateOf({ view, device }: Pick<OfferedWorld, 'view' | 'device'>, name: string): Record<string, JsonValue> {
  const [topic = '', text = '{}'] =
    [...view.kept].find(([one]) => one.endsWith(`${idOf(device(name).id)}/state`)) ?? [];
  expect(topic).not.toBe('');
  return JSON.parse(text) as Record<string, JsonValue>;
}

const idOf = (device: string): string => device.replaceAll('-', '');
const configs = ({ kept }: OfferedWorld['view']): readonly string[] =>
  [...kept.keys()].filter((one) => one.endsWith('/config'));

describe.runIf(needs('mosquitto'))('the home at a broker', () => {
  test('the devices of a chosen room are there, and what opens the home only if it is chosen by itself', async () => {
    const world = await openOfferedWorld();
    const { set, view, roomId, device } = world;
    await set({ expose: { rooms: [roomId('Hallway')], devices: [] } });
    await vi.waitFor(() => expect(configs(view)).toHaveLength(2), POLL);
    expect(view.config('Hallway motion')?.device).toMatchObject({
      suggested_area: 'Hallway',
      model: 'SIM-occupancy_sensor',
    });
    expect(view.config('Hallway ceiling')?.components['light_on']).toMatchObject({ platform: 'light', name: null });
    // The discovery message goes first, its topics after it.
    await vi.waitFor(() => expect(stateOf(world, 'Hallway motion')).toMatchObject({ battery: 63 }), POLL);
    await set({ expose: { rooms: [], devices: [device('Front door lock').id] } });
    await vi.waitFor(() => expect(view.config('Front door lock')).toBeDefined(), POLL);
    await vi.waitFor(() => expect(configs(view)).toHaveLength(1), POLL);
    await set({ expose: { rooms: [], devices: [] } });
    await vi.waitFor(() => expect([...view.kept.keys()]).toEqual([]), POLL);
  });

  test('names, rooms, values and presses follow, with the same ids', async () => {
    const world = await openOfferedWorld();
    const { hub, set, view, roomId, device } = world;
    await set({ expose: { rooms: [roomId('Living room')], devices: [] } });
    await vi.waitFor(() => expect(configs(view)).toHaveLength(4), POLL);
    const before = view.config('Living room lamp');
    const { id } = device('Living room lamp');
    await hub.home.devices.updateDevice(id, { ownName: 'Reading lamp' });
    await vi.waitFor(() => expect(view.config('Reading lamp')).toBeDefined(), POLL);
    expect(view.config('Reading lamp')).toEqual({ ...before, device: { ...before?.device, name: 'Reading lamp' } });
    hub.home.devices
      .reportsOf('simulated-home')
      .reportValues('living-room-thermostat', new Map([['temperature', 18.25]]));
    await vi.waitFor(
      () => expect(stateOf(world, 'Living room thermostat')).toMatchObject({ temperature: 18.25 }),
      POLL,
    );
    hub.home.devices
      .reportsOf('simulated-home')
      .reportOccurrence('living-room-remote', 'button', { action: 'double', raw: 'double' });
    await vi.waitFor(() => expect(view.heard.join('\n')).toContain('{"event_type":"double"}'), POLL);
    await hub.home.devices.updateDevice(id, { markedSensitive: true });
    await vi.waitFor(() => expect(view.config('Reading lamp')).toBeUndefined(), POLL);
    await hub.home.devices.updateDevice(id, { markedSensitive: false });
    await vi.waitFor(() => expect(view.config('Reading lamp')).toBeDefined(), POLL);
    await hub.home.devices.updateDevice(id, { roomId: null });
    // The discovery message goes first, its topics after it.
    await vi.waitFor(() => expect([...view.kept.keys()].filter((one) => one.includes(idOf(id)))).toEqual([]), POLL);
  });

  test('a lamp that has not said how white it is names no mode of color', async () => {
    const world = await openOfferedWorld();
    const { hub, set, view, device } = world;
    const lamp = hub.home.devices.reportsOf('zigbee2mqtt');
    await lamp.describeDevice({
      externalId: '0x1',
      name: 'Desk lamp',
      type: 'color_temperature_light',
      manufacturer: null,
      model: null,
      firmware: null,
      staleAfterMs: null,
      features: (['on', 'brightness', 'color_temperature'] as const).map((word) =>
        wordFeature(word, 'main', { writable: true }),
      ),
    });
    lamp.reportValues(
      '0x1',
      new Map<string, JsonValue>([
        ['on', false],
        ['brightness', 20],
      ]),
    );
    await set({ expose: { rooms: [], devices: [device('Desk lamp').id] } });
    const lightOf = (): unknown => {
      const [, text = '{}'] =
        [...view.kept].find(([one]) => one.endsWith(`${idOf(device('Desk lamp').id)}/light_on`)) ?? [];
      return JSON.parse(text);
    };
    await vi.waitFor(() => expect(lightOf()).toEqual({ state: 'OFF', brightness: 20 }), POLL);
    lamp.reportValues('0x1', new Map<string, JsonValue>([['color_temperature', 4_000]]));
    const whole = { state: 'OFF', brightness: 20, color_temp: 4_000, color_mode: 'color_temp' };
    await vi.waitFor(() => expect(lightOf()).toEqual(whole), POLL);
  });

  test('everything comes again after the broker lost it, and when Home Assistant asks', async () => {
    const { broker, set, view, roomId } = await openOfferedWorld();
    await set({ expose: { rooms: [roomId('Bedroom')], devices: [] } });
    await vi.waitFor(() => expect(configs(view)).toHaveLength(3), POLL);
    const kept = new Map(view.kept);
    await broker.kill();
    (view.kept as Map<string, string>).clear();
    await broker.start();
    await vi.waitFor(() => expect([...view.kept.keys()].toSorted()).toEqual([...kept.keys()].toSorted()), POLL);
    const count = (): number => view.heard.filter((line) => /\/config \{/.test(line)).length;
    const heard = count();
    await view.say('homeassistant/status', 'online');
    await vi.waitFor(() => expect(count()).toBe(heard + 3), POLL);
  });

  test('what an earlier run offered and nobody wants any more is taken back, and nothing of others', async () => {
    const { hub, owner, instance, set, view, roomId } = await openOfferedWorld();
    await set({ expose: { rooms: [roomId('Bedroom')], devices: [] } });
    await vi.waitFor(() => expect(configs(view)).toHaveLength(3), POLL);
    const [own = ''] = configs(view);
    const left = own.replace(/_[0-9a-f]{32}/, `_${'0'.repeat(32)}`);
    const victim = { platform: 'switch', state_topic: 'somebody/else' };
    await view.say('somebody/else', 'ON', true);
    await view.say('homeassistant/switch/somebody/config', '{"name":"else"}', true);
    await view.say(left, JSON.stringify({ components: { switch_on: victim } }), true);
    await vi.waitFor(() => expect(view.kept.has(left)).toBe(false), POLL);
    const patch = { token: owner, body: { enabled: false }, type: 'application/merge-patch+json' };
    await hub.call(`PATCH /integration/${instance}`, patch);
    await vi.waitFor(
      () => expect([...view.kept.keys()].toSorted()).toEqual(['homeassistant/switch/somebody/config', 'somebody/else']),
      POLL,
    );
  });

  test('when the hub is gone without a word, the broker says so', async () => {
    const { hub, set, view, roomId } = await openOfferedWorld();
    await set({ expose: { rooms: [roomId('Bedroom')], devices: [] } });
    const status = (): string | undefined =>
      [...view.kept].find(([topic]) => topic.endsWith('/status') && topic.startsWith('hearthd/'))?.[1];
    await vi.waitFor(() => expect(status()).toBe('online'), POLL);
    await vi.waitFor(() => expect(configs(view)).toHaveLength(3), POLL);
    // Both end at once, as when the process ends: the offering has no time for last words.
    await hub.home.supervisor.stop();
    await vi.waitFor(() => expect(status()).toBe('offline'), POLL);
    expect(configs(view)).toHaveLength(3);
  });
});
