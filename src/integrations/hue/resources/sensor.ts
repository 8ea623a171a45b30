import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';
import { mapNumber, numberIn } from '#core/feature/peer-value.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { memberOf, orNull, readMember, readOptions, round, type Source, type Sources } from './source.ts';

type MakeSources = (service: Resource, component: string) => Sources;

/** `undefined` for a type of resource that has only generic features. */
export function sensorSources(service: Resource, component: string): Sources | undefined {
  return SENSORS.get(service.type)?.(service, component);
}

/** A sensor of one word: a value, whether it is valid, and a report with the same value and its time. */
function measured(
  word: VocabularyWord,
  member: string,
  read: (value: JsonObject) => JsonValue | undefined,
): MakeSources {
  return (service, component) => ({
    sources: [
      {
        feature: wordFeature(word, component),
        member,
        read: readMember((value) =>
          value[`${member}_valid`] === false || value[member] === null ? null : read(value),
        ),
      },
      ...enabledSources(service, component),
      ...sensitivitySources(service, component),
    ],
    used: [member, 'enabled', 'sensitivity'],
  });
}

const motionOf = ({ motion }: JsonObject): boolean | undefined => (typeof motion === 'boolean' ? motion : undefined);
const temperatureOf = ({ temperature }: JsonObject): number | undefined => rounded(numberIn(temperature), 2);

/** The bridge counts light in 10,000 · log₁₀(lux) + 1. */
function luxOf({ light_level: level, light_level_valid: isValid }: JsonObject): number | null | undefined {
  const number = numberIn(level);
  if (level === null || isValid === false) return null;
  if (number === undefined) return undefined;
  const lux = number <= 0 ? 0 : 10 ** ((number - 1) / 10_000);
  return rounded(Math.min(lux, 1e6), lux < 10 ? 2 : 0);
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : round(value, digits);
}

/** A sensor that is not enabled measures nothing. */
function enabledSources({ type, ...service }: Resource, component: string): readonly Source[] {
  if (typeof service['enabled'] !== 'boolean') return [];
  return [
    {
      feature: ownFeature(`${type}_enabled`, component, { valueType: 'boolean', writable: true }),
      member: 'enabled',
      read: (enabled) => enabled,
      write: (enabled) => ({ body: { enabled }, echo: enabled }),
    },
  ];
}

function sensitivitySources(service: Resource, component: string): readonly Source[] {
  const max = numberIn(memberOf(service, 'sensitivity')?.['sensitivity_max']);
  if (max === undefined) return [];
  return [
    {
      feature: ownFeature(`${service.type}_sensitivity`, component, {
        valueType: 'number',
        writable: true,
        min: 0,
        max,
        step: 1,
      }),
      member: 'sensitivity',
      read: readMember(({ sensitivity }) => mapNumber(sensitivity, (level) => level)),
      write: (sensitivity) => ({ body: { sensitivity: { sensitivity } }, echo: sensitivity }),
    },
  ];
}

const contactSources: MakeSources = (service, component) => ({
  sources: [
    {
      feature: wordFeature('open', component),
      member: 'contact_report',
      read: readMember(({ state }) =>
        state === 'no_contact' ? true : state === 'contact' ? false : state === undefined ? undefined : null,
      ),
    },
    ...enabledSources(service, component),
  ],
  used: ['contact_report', 'enabled'],
});

const tamperSources: MakeSources = (_service, component) => ({
  sources: [
    {
      feature: wordFeature('tamper', component),
      member: 'tamper_reports',
      read: (reports) => {
        if (reports === null) return null;
        const states = Array.isArray(reports) ? reports.filter(isJsonObject).map((report) => report['state']) : [];
        if (states.length === 0 || states.includes('tampered')) return states.length === 0 ? undefined : true;
        return states.every((state) => state === 'not_tampered') ? false : null;
      },
    },
  ],
  used: ['tamper_reports'],
});

/** The states of a battery say this (aiohue 4.9). */
const IS_LOW: ReadonlyMap<string, boolean> = new Map([
  ['normal', false],
  ['low', true],
  ['critical', true],
]);

const powerSources: MakeSources = (service, component) => {
  const power = memberOf(service, 'power_state');
  const stateOf = ({ battery_state: state }: JsonObject): string | null | undefined =>
    orNull(state, typeof state === 'string' ? state : undefined);
  const level: Source = {
    feature: wordFeature('battery', component, { min: 0, max: 100 }),
    member: 'power_state',
    read: readMember(({ battery_level: percent }) => orNull(percent, numberIn(percent))),
  };
  const state: Source = {
    feature: wordFeature('battery_state', component, { options: [...IS_LOW.keys()] }),
    member: 'power_state',
    read: readMember(stateOf),
  };
  const low: Source = {
    feature: wordFeature('battery_low', component),
    member: 'power_state',
    read: readMember((value) => {
      const word = stateOf(value);
      return typeof word === 'string' ? (IS_LOW.get(word) ?? null) : word;
    }),
  };
  const hasLevel = power !== undefined && 'battery_level' in power;
  const hasState = power !== undefined && 'battery_state' in power;
  return { sources: [...(hasLevel ? [level] : []), ...(hasState ? [state, low] : [])], used: ['power_state'] };
};

/**
 * The vocabulary's words for what a button does (aiohue 4.9, and openhue-api for bells). A short click ends with
 * `short_release`. `repeat`, which comes while it is held, and what is newer keep the bridge's word.
 */
const BUTTON_ACTIONS = new Map<string, { readonly action: string; readonly count?: number }>([
  ['initial_press', { action: 'press' }],
  ['short_release', { action: 'single', count: 1 }],
  ['double_short_release', { action: 'double', count: 2 }],
  ['long_press', { action: 'hold' }],
  ['long_release', { action: 'release' }],
  ['ring', { action: 'press' }],
]);
const actionOf = (event: string): { readonly action: string; readonly count?: number } =>
  BUTTON_ACTIONS.get(event) ?? { action: event };

const buttonSources: MakeSources = (service, component) => {
  const events = readOptions(memberOf(service, 'button')?.['event_values']) ?? [];
  const options = events.length === 0 ? null : [...new Set(events.map((event) => actionOf(event).action))];
  return {
    sources: [
      {
        feature: wordFeature('button', component, { options }),
        member: 'button',
        readHappening: readReport('button_report', readPress),
      },
    ],
    used: ['button'],
  };
};

/** A doorbell. Older bridges say it as of any button. */
const bellSources: MakeSources = (service, component) =>
  'button' in service
    ? buttonSources(service, component)
    : {
        sources: [
          {
            feature: wordFeature('button', component, { options: ['press'] }),
            member: 'bell',
            readHappening: readReport('bell_report', readPress),
          },
        ],
        used: ['bell'],
      };

const readPress: ReadOccurrence = ({ event }) =>
  typeof event === 'string' ? { ...actionOf(event), raw: event } : undefined;

const rotarySources: MakeSources = (_service, component) => ({
  sources: [
    {
      feature: wordFeature('button', component, { options: ['rotate_left', 'rotate_right'] }),
      member: 'relative_rotary',
      readHappening: readReport('rotary_report', ({ action, rotation }) => {
        const { direction, steps } = isJsonObject(rotation) ? rotation : {};
        if (direction !== 'clock_wise' && direction !== 'counter_clock_wise') return undefined;
        const count = numberIn(steps);
        const raw = `${typeof action === 'string' ? action : 'turn'} ${direction}`;
        const turn = direction === 'clock_wise' ? 'rotate_right' : 'rotate_left';
        return { action: turn, raw, ...(count === undefined ? {} : { count }) };
      }),
    },
  ],
  used: ['relative_rotary'],
});

type ReadOccurrence = (report: JsonObject) => Occurrence | undefined;

function readReport(name: string, read: ReadOccurrence): NonNullable<Source['readHappening']> {
  return (member) => {
    const report = isJsonObject(member) ? member[name] : undefined;
    if (!isJsonObject(report) || typeof report['updated'] !== 'string') return undefined;
    const occurrence = read(report);
    return occurrence === undefined ? undefined : { occurrence, updated: report['updated'].slice(0, 40) };
  };
}

const motionSources = measured('motion', 'motion', motionOf);

/** Types of resources that devices have (aiohue 4.9); others have generic features. */
const SENSORS: ReadonlyMap<string, MakeSources> = new Map([
  ['motion', motionSources],
  ['camera_motion', motionSources],
  ['temperature', measured('temperature', 'temperature', temperatureOf)],
  ['light_level', measured('illuminance', 'light', luxOf)],
  ['contact', contactSources],
  ['tamper', tamperSources],
  ['device_power', powerSources],
  ['button', buttonSources],
  ['bell_button', bellSources],
  ['relative_rotary', rotarySources],
]);
