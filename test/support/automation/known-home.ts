import { faultOfCron } from '#automations/cron.ts';
import type { JsonValue } from '#base/json.ts';
import type { Directory } from '#core/automation/check/directory.ts';
import { type Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { AvailabilityState, Device, DeviceId, DeviceType } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { HOME_MODE } from '#core/mode/mode.ts';

type Given = { readonly type?: DeviceType; readonly state?: AvailabilityState; readonly integration?: string };

function device(
  id: string,
  features: readonly Feature[],
  { type = 'other', state = 'online', integration = 'test' }: Given = {},
): Device {
  const availability = { state, sinceMs: 0, lastSeenAtMs: null, reason: null };
  const room = id.startsWith('hall') ? 'hall' : null;
  return {
    id,
    selector: id,
    features,
    type,
    integration,
    roomId: room,
    availability,
    states: new Map(),
  } as unknown as Device;
}

const W = { writable: true };
const DEVICES = new Map(
  [
    device('hall-lamp', [
      wordFeature('on', 'main', W),
      wordFeature('brightness', 'main', { ...W, min: 0, max: 100 }),
      wordFeature('color_temperature', 'main', { ...W, min: 2000, max: 6500 }),
    ]),
    device('hall-lux', [wordFeature('illuminance', 'main'), wordFeature('temperature', 'main', { min: -40, max: 80 })]),
    device('hall-motion', [wordFeature('motion', 'main')]),
    device('terrace-door', [wordFeature('open', 'main')], { state: 'offline' }),
    device('remote', [wordFeature('button', 'main', { options: ['single', 'double'] })]),
    device('thermostat', [wordFeature('thermostat_mode', 'main', { ...W, options: ['off', 'heat'] })], {
      state: 'asleep',
    }),
    device('front-door', [wordFeature('locked', 'main', W)], { type: 'door_lock' }),
    device('water-valve', [wordFeature('valve_open', 'main', W)], { type: 'water_valve' }),
    device('leak', [wordFeature('water_leak', 'main')]),
  ].map((one) => [one.id, one] as const),
);

const VARIABLES = new Map([
  ['bedtime', { type: 'time', min: null, max: null, options: [] }],
  ['guests', { type: 'number', min: 0, max: 20, options: [] }],
  ['dark', { type: 'number', min: 0, max: 20, options: [] }],
] as const);

/** A home of a few devices, with one automation, a scene that locks the front door, and two variables. */
export const KNOWN_HOME: Directory = {
  device: (id) => DEVICES.get(id),
  devices: () => DEVICES.values(),
  mode: (key) => (key === 'home' ? HOME_MODE : undefined),
  variable: (key) => (VARIABLES.has(key as 'bedtime') ? VARIABLES.get(key as 'bedtime') : undefined),
  sceneDevices: (id) => (id === ('leaving' as typeof id) ? ['front-door' as DeviceId] : ['hall-lamp' as DeviceId]),
  opens: (id) => id === 'opener',
  isRecorded: (_id, key) => key !== 'illuminance',
  faultOfCron,
  self: undefined,
};

/** The definition of a document that has the right form. */
export function definitionOf(document: JsonValue): Definition {
  const { definition, errors } = readDefinition(document, (_kind, reference) => reference);
  if (definition === undefined) throw new Error(JSON.stringify(errors));
  return definition;
}
