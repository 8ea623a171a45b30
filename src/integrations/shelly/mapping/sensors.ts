import { objectOf } from '#base/json.ts';
import { ownFeature, wordFeature, ownAction } from '#core/feature/new-feature.ts';
import { booleanAt, numberAt, ownReading, type Part, percentAt, reading, type Source, textAt } from './source.ts';

type MakeSources = (part: Part) => Source[];

/** Sensors of a device, by the type of the component (aioshelly 13.31, ioBroker.shelly 12.0). */
export const SENSORS: ReadonlyMap<string, MakeSources> = new Map<string, MakeSources>([
  ['temperature', (part) => reading(part, 'temperature', numberAt('tC'))],
  ['humidity', (part) => reading(part, 'humidity', numberAt('rh'))],
  [
    'illuminance',
    (part) => [
      ...reading(part, 'illuminance', numberAt('lux')),
      ...ownReading(part, textAt('illumination', 32), { own: 'light', valueType: 'string' }),
    ],
  ],
  ['voltmeter', (part) => reading(part, 'voltage', numberAt('voltage'))],
  ['smoke', (part) => [...reading(part, 'smoke', booleanAt('alarm')), ...muteSource(part)]],
  ['flood', (part) => [...reading(part, 'water_leak', booleanAt('alarm')), ...muteSource(part)]],
  [
    'presencezone',
    (part) => [
      ...reading(part, 'presence', booleanAt('value')),
      ...ownReading(part, numberAt('num_objects'), { own: 'people', valueType: 'number' }),
    ],
  ],
  [
    'devicepower',
    (part) => [
      ...reading(part, 'battery', percentAt('battery.percent')),
      ...ownReading(part, numberAt('battery.V'), { own: 'battery_voltage', valueType: 'number', unit: 'V' }),
      ...reading(part, 'mains_powered', ({ external }) => booleanAt('present')(objectOf(external))),
    ],
  ],
  ['thermostat', thermostatSources],
  ['wifi', (part) => reading(part, 'signal_strength', numberAt('rssi'))],
  ['sys', systemSources],
]);

function muteSource(part: Part): Source[] {
  return ownReading(part, booleanAt('mute'), { own: 'muted', valueType: 'boolean' });
}

/** The one in a wall display. */
function thermostatSources(part: Part): Source[] {
  const set = (member: string) => (value: Parameters<NonNullable<Source['write']>>[0]) => ({
    method: 'Thermostat.SetConfig',
    params: { id: part.id, config: { [member]: value } },
  });
  return [
    {
      from: part.key,
      feature: wordFeature('target_temperature', part.name, { writable: true, min: 5, max: 35, step: 0.5 }),
      read: numberAt('target_C'),
      write: set('target_C'),
    },
    {
      from: part.key,
      feature: wordFeature('on', part.name, { writable: true }),
      read: booleanAt('enable'),
      write: set('enable'),
    },
    ...reading(part, 'temperature', numberAt('current_C')),
    {
      from: part.key,
      feature: wordFeature('thermostat_state', part.name, { options: ['heat', 'idle'] }),
      read: (status) => {
        const output = booleanAt('output')(status);
        return typeof output === 'boolean' ? (output ? 'heat' : 'idle') : output;
      },
    },
  ];
}

function systemSources(part: Part): Source[] {
  return [
    {
      from: part.key,
      feature: ownFeature('update_available', part.name, {
        valueType: 'string',
        description: 'The version of the firmware that could be installed, or "none".',
      }),
      read: ({ available_updates: updates }) => textAt('version', 64)(objectOf(objectOf(updates)['stable'])) ?? 'none',
    },
    ...ownReading(part, booleanAt('restart_required'), { own: 'restart_required', valueType: 'boolean' }),
    {
      from: part.key,
      feature: ownAction('restart', part.name),
      write: () => ({ method: 'Shelly.Reboot', params: {} }),
    },
  ];
}
