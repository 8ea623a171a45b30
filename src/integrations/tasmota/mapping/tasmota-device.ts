import { withTitle } from '#integrations/peer/source.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import { wordFeature, ownAction, ownFeature } from '#core/feature/new-feature.ts';
import type { Announcement } from '#integrations/tasmota/announcement.ts';
import { outputsOf } from './outputs.ts';
import { sensorSources } from './sensors.ts';
import { type Source, flagFrom } from './source.ts';
import type { Occurrence } from '#core/feature/feature.ts';

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

/** The vocabulary's words for what is done to a button. */
const ACTIONS: ReadonlyMap<string, Omit<Occurrence, 'raw'>> = new Map([
  ['SINGLE', { action: 'single', count: 1 }],
  ['DOUBLE', { action: 'double', count: 2 }],
  ['TRIPLE', { action: 'triple', count: 3 }],
  ['QUAD', { action: 'many', count: 4 }],
  ['PENTA', { action: 'many', count: 5 }],
  ['HOLD', { action: 'hold' }],
  ['TOGGLE', { action: 'press' }],
]);
const BUTTON = ['single', 'double', 'triple', 'many', 'hold'];
/** Not an action: it says that a press is over that meant nothing. */
const CLEAR = 'CLEAR';
const WORD = /^[A-Z][A-Z0-9_]{0,31}$/;

/** Buttons and switches at the device. */
function contactSources({ buttons, switches, words }: Announcement): Source[] {
  const ofButtons = buttons.map((number): Source => {
    const component = `button_${number}`;
    return {
      feature: wordFeature('button', component, { options: BUTTON }),
      names: [`Button${number}`],
      readEvent: readAction,
    };
  });
  const ofSwitches = switches.flatMap(({ number, key, name, tells }): Source[] => {
    const component = `switch_${number}`;
    const title = name === null ? {} : { name };
    const press: Source = {
      feature: wordFeature('button', component, { options: null, ...title }),
      names: [key],
      readEvent: (told) => (isWordOf(words, told['Action']) ? undefined : readAction(told)),
    };
    const state: Source = {
      feature: ownFeature('input', component, { valueType: 'boolean', category: 'primary', ...title }),
      names: [key],
      read: (known) => {
        const told = known.get(key);
        // With what was done to it, or as it is.
        const word = typeof told === 'object' && told !== null && 'Action' in told ? told['Action'] : told;
        return flagFrom(words, word);
      },
    };
    return tells === 'press' ? [{ ...press, readEvent: readAction }] : tells === 'state' ? [state] : [state, press];
  });
  return [...ofButtons, ...ofSwitches];
}

/** The words for the state of a switch that has one too are no press. */
function isWordOf({ on, off }: Announcement['words'], word: JsonValue | undefined): boolean {
  return word === on || word === off;
}

function readAction({ Action: raw }: JsonObject): Occurrence | undefined {
  if (typeof raw !== 'string' || raw === CLEAR || !WORD.test(raw)) return undefined;
  return { ...(ACTIONS.get(raw) ?? { action: raw.toLowerCase() }), raw };
}
