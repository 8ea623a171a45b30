import { withTitle } from '#integrations/peer/source.ts';
import type { JsonObject } from '#base/json.ts';
import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import { wordFeature, ownAction } from '#core/feature/new-feature.ts';
import type { Announcement } from '#integrations/tasmota/announcement.ts';
import { contactSources } from './contacts.ts';
import { outputsOf } from './outputs.ts';
import { sensorSources } from './sensors.ts';
import type { Source } from './source.ts';

/** A device of the home, with where each of its features comes from. */
export type ShownDevice = { readonly description: DeviceDescription; readonly sources: readonly Source[] };

export function deviceFrom(announcement: Announcement, sensors: JsonObject): ShownDevice {
  const outputs = outputsOf(announcement);
  const ofOutputs = outputs.flatMap(({ title, sources }) => sources.map((source) => withTitle(source, title)));
  const sources = withUniqueKeys([
    ...ofOutputs,
    ...sensorSources(sensors),
    ...contactSources(announcement),
    SIGNAL,
    RESTART,
  ]);
  return {
    sources,
    description: {
      externalId: announcement.mac,
      name: announcement.name,
      type: typeOf(announcement, sources),
      manufacturer: 'Tasmota',
      model: announcement.model,
      firmware: announcement.firmware,
      features: sources.map(({ feature }) => feature),
      staleAfterMs: null,
    },
  };
}

const SIGNAL: Source = {
  feature: wordFeature('signal_strength', 'main'),
  names: ['Wifi'],
  read: (known) => {
    const wifi = known.get('Wifi');
    return typeof wifi === 'object' && wifi !== null && 'Signal' in wifi
      ? mapNumber(wifi['Signal'], (dbm) => dbm)
      : undefined;
  },
};

const RESTART: Source = {
  feature: ownAction('restart', 'main'),
  names: [],
  write: () => ({ commands: [['Restart', '1']], answeredBy: 'Restart' }),
};

/** Two sensors may be named alike; the first one stays. */
function withUniqueKeys(sources: readonly Source[]): Source[] {
  const keys = new Set<string>();
  return sources.filter(({ feature: { key } }) => {
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew;
  });
}

function typeOf({ outputs, shutters, lightChannels, isFan }: Announcement, sources: readonly Source[]): DeviceType {
  if (shutters.length > 0) return 'window_covering';
  if (isFan) return 'fan';
  if (outputs.includes('light')) return LIGHTS[lightChannels] ?? 'dimmable_light';
  if (outputs.includes('relay')) return 'on_off_plug_in_unit';
  const has = (capability: string): boolean => sources.some(({ feature }) => feature.capability === capability);
  if (has('button')) return 'generic_switch';
  return SENSORS.find(([, capability]) => has(capability))?.[0] ?? 'other';
}

/** By the number of channels that a light has (`lt_st` of hatasmota 0.10). */
const LIGHTS: readonly DeviceType[] = [
  'dimmable_light',
  'dimmable_light',
  'color_temperature_light',
  'extended_color_light',
  'extended_color_light',
  'extended_color_light',
];
const SENSORS: readonly (readonly [DeviceType, string])[] = [
  ['electrical_sensor', 'power'],
  ['air_quality_sensor', 'co2'],
  ['temperature_sensor', 'temperature'],
  ['humidity_sensor', 'humidity'],
  ['light_sensor', 'illuminance'],
];
