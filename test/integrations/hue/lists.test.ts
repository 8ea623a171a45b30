import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { type Resource, readResource } from '#integrations/hue/clip/clip-message.ts';
import { createReporting } from '#integrations/hue/reporting.ts';
import { keyOf } from '#integrations/hue/resources/device.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { type LeftOut, readPeerLists, wordsIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';

const PEER = readPeerLists('hue');
const FUTURE = 'of_the_future';

function resourceOf(json: JsonObject): Resource {
  const resource = readResource(json);
  if (resource === undefined) throw new Error('it is no resource');
  return resource;
}

/** A device of one service. The bridge says the service as it is, and then what changes. */
async function deviceWith(type: string, service: JsonObject, change: JsonObject = service) {
  const sink = createRecordingSink();
  const reporting = createReporting({ sink, takeRooms: false, monotonicMs: () => 0 });
  const own = resourceOf({ ...service, id: 'service', type });
  const device = resourceOf({ id: 'device', type: 'device', services: [{ rid: 'service', rtype: type }] });
  const resources = new Map([own, device].map((one) => [keyOf(one), one]));
  if (!(await reporting.takeAll(resources))) throw new Error('it was not taken');
  reporting.takeUpdate(resourceOf({ ...change, id: 'service', type }));
  return sink.device('device');
}

/** What the hub shows under this key. */
async function shown(type: string, [service, change]: readonly [JsonObject, JsonObject], key: string) {
  return (await deviceWith(type, service, change)).values.get(key);
}

type Row = {
  readonly list: string;
  readonly type: string;
  readonly service: JsonObject;
  readonly saying: (word: string) => JsonObject;
  readonly key: string;
  readonly known: Readonly<Record<string, JsonValue>>;
  /** Of a word of the future. */
  readonly future?: JsonValue;
};
const updated = '2026-11-01T10:00:00Z';
const ROWS: readonly Row[] = [
  {
    list: 'BatteryState',
    type: 'device_power',
    service: { power_state: { battery_state: 'low' } },
    saying: (word) => ({ power_state: { battery_state: word } }),
    key: 'battery_low',
    known: { normal: false, low: true, critical: true },
  },
  {
    list: 'TamperState',
    type: 'tamper',
    service: { tamper_reports: [{ state: 'tampered' }] },
    saying: (word) => ({ tamper_reports: [{ state: word }] }),
    key: 'tamper',
    known: { tampered: true, not_tampered: false },
  },
  {
    list: 'ContactState',
    type: 'contact',
    service: { contact_report: { state: 'no_contact' } },
    saying: (word) => ({ contact_report: { state: word } }),
    key: 'open',
    known: { contact: false, no_contact: true },
  },
  {
    list: 'PowerUpPreset',
    type: 'light',
    service: { powerup: { preset: 'safety' } },
    saying: (word) => ({ powerup: { preset: word } }),
    key: 'power_on_behavior',
    known: { safety: 'on', powerfail: 'previous', last_on_state: 'last_on_state', custom: 'custom' },
    future: FUTURE,
  },
];

test.each(ROWS)('each $list has a meaning, and one of the future has no other one', async (row) => {
  const { list, type, service, saying, key, known, future = null } = row;
  const said = new Map<string, JsonValue | undefined>();
  for (const word of [...wordsIn(PEER, list), FUTURE]) said.set(word, await shown(type, [service, saying(word)], key));
  const wrong = wrongMeanings(wordsIn(PEER, list), { known, leftOut: [] }, (word) => said.get(word));
  expect(wrong).toEqual([]);
  expect(said.get(FUTURE)).toEqual(future);
});

test('each event of a button is an action, and one of the future keeps its word', async () => {
  const actionOf = async (type: string, service: JsonObject): Promise<string | undefined> =>
    (await deviceWith(type, {}, service)).occurrences[0]?.occurrence.action;
  const said = new Map<string, string | undefined>();
  for (const event of [...wordsIn(PEER, 'ButtonEvent'), FUTURE]) {
    const service = { button: { event_values: [event], button_report: { updated, event } } };
    const device = await deviceWith('button', { button: { event_values: [event] } }, service);
    said.set(event, device.occurrences[0]?.occurrence.action);
  }
  const known = {
    initial_press: 'press',
    repeat: 'repeat',
    short_release: 'single',
    long_press: 'hold',
    long_release: 'release',
    double_short_release: 'double',
  };
  expect(
    wrongMeanings<string>(wordsIn(PEER, 'ButtonEvent'), { known, leftOut: [] }, (event) => said.get(event)),
  ).toEqual([]);
  expect(said.get(FUTURE)).toBe(FUTURE);
  const bells = wordsIn(PEER, 'BellEvent');
  expect(bells).toEqual(['ring']);
  const ringing = { bell: { bell_report: { updated, event: bells[0] ?? '' } } };
  expect(await actionOf('bell_button', ringing)).toBe('press');
});

test('a dial turns in each direction, and in none of the future', async () => {
  const turned = async (direction: string): Promise<string | undefined> => {
    const rotary_report = { updated, action: 'start', rotation: { direction, steps: 30 } };
    const device = await deviceWith('relative_rotary', {}, { relative_rotary: { rotary_report } });
    return device.occurrences[0]?.occurrence.action;
  };
  const said = new Map<string, string | undefined>();
  for (const direction of wordsIn(PEER, 'RelativeRotaryDirection')) said.set(direction, await turned(direction));
  const known = { clock_wise: 'rotate_right', counter_clock_wise: 'rotate_left' };
  const directions = wordsIn(PEER, 'RelativeRotaryDirection');
  expect(wrongMeanings<string>(directions, { known, leftOut: [] }, (direction) => said.get(direction))).toEqual([]);
  expect(await turned(FUTURE)).toBeUndefined();
});

test('each state of the radio says whether a device can be reached, and one of the future does not', async () => {
  const said = new Map<string, string | undefined>();
  for (const status of [...wordsIn(PEER, 'ConnectivityServiceStatus'), FUTURE])
    said.set(status, (await deviceWith('zigbee_connectivity', { status })).availability?.state);
  const known = {
    connected: 'online',
    unidirectional_incoming: 'online',
    disconnected: 'offline',
    connectivity_issue: 'offline',
    pending_discovery: 'unknown',
  };
  const states = wordsIn(PEER, 'ConnectivityServiceStatus');
  expect(wrongMeanings<string>(states, { known, leftOut: [] }, (status) => said.get(status))).toEqual([]);
  expect(said.get(FUTURE)).toBe('unknown');
});

test('signals that need no colors are offered', async () => {
  const signal_values = wordsIn(PEER, 'Signal');
  const { description } = await deviceWith('light', { signaling: { signal_values } });
  const offered = new Set(description.features.find(({ key }) => key === 'x.signal')?.options);
  const known = { no_signal: true, on_off: true };
  const leftOut = [{ why: 'needs colors, which a choice has no room for', of: ['on_off_color', 'alternating'] }];
  expect(wrongMeanings(signal_values, { known, leftOut }, (word) => offered.has(word) || undefined)).toEqual([]);
});

test('of all archetypes the plug is one', async () => {
  const archetypes = wordsIn(PEER, 'DeviceArchetypes');
  const plugs: string[] = [];
  for (const archetype of archetypes) {
    const { description } = await deviceWith('light', { metadata: { archetype }, on: { on: true } });
    if (description.type === 'on_off_plug_in_unit') plugs.push(archetype);
  }
  expect(plugs).toEqual(['plug']);
});

const NO_DEVICE = 'is of the house, of a room or of the bridge, and no part of a device';
const TYPES_LEFT_OUT: LeftOut = [
  { why: 'is the device itself', of: ['device'] },
  { why: 'says whether the device can be reached', of: ['zigbee_connectivity'] },
  {
    why: NO_DEVICE,
    of: [
      'bridge_home',
      'room',
      'zone',
      'grouped_light',
      'ip_connectivity',
      'zigbee_bridge_connectivity',
      'bridge',
      'remote_access',
      'device_discovery',
      'system_update',
      'scene',
      'smart_scene',
      'entertainment_configuration',
      'public_image',
      'auth_v1',
      'behavior_script',
      'behavior_instance',
      'geofence',
      'geofence_client',
      'depender',
      'homekit',
      'matter',
      'matter_fabric',
      'service_group',
      'private_group',
      'grouped_motion',
      'recipe',
      'grouped_light_level',
      'geolocation',
      'zigbee_device_discovery',
      'motion_area_candidate',
      'taurus_7455',
    ],
  },
  {
    why: 'is of an area that lamps watch together, which is no device',
    of: ['convenience_area_motion', 'security_area_motion', 'motion_area_configuration'],
  },
  {
    why: 'has generic features, each member by its name',
    of: [
      'entertainment',
      'device_update',
      'device_software_update',
      'zgp_connectivity',
      'wifi_connectivity',
      'clip',
      'speaker',
      'switch_input_configuration',
    ],
  },
];

test('types of resources have the word of what they are', async () => {
  const valued = (member: string, value: JsonValue): JsonObject => ({ [member]: { [member]: value } });
  const services: Readonly<Record<string, JsonObject>> = {
    light: { on: { on: true } },
    motion: valued('motion', true),
    camera_motion: valued('motion', true),
    temperature: valued('temperature', 20),
    light_level: { light: { light_level: 1 } },
    contact: { contact_report: { state: 'contact' } },
    tamper: { tamper_reports: [{ state: 'tampered' }] },
    device_power: { power_state: { battery_level: 20 } },
    button: { button: {} },
    bell_button: { bell: {} },
    relative_rotary: { relative_rotary: {} },
  };
  const words = new Map<string, string | undefined>();
  for (const type of wordsIn(PEER, 'ResourceTypes')) {
    // The bridge is no device of the home.
    if (type === 'device' || type === 'bridge') continue;
    const { description } = await deviceWith(type, services[type] ?? { enabled: true });
    const capabilities: readonly string[] = description.features.map(({ capability }) => capability);
    words.set(
      type,
      capabilities.find((capability) => !capability.startsWith('x.')),
    );
  }
  const known = {
    light: 'on',
    motion: 'motion',
    camera_motion: 'motion',
    temperature: 'temperature',
    light_level: 'illuminance',
    contact: 'open',
    tamper: 'tamper',
    device_power: 'battery',
    button: 'button',
    bell_button: 'button',
    relative_rotary: 'button',
  };
  const types = wordsIn(PEER, 'ResourceTypes');
  expect(wrongMeanings<string>(types, { known, leftOut: TYPES_LEFT_OUT }, (type) => words.get(type))).toEqual([]);
});
