import type { HomeEvent } from '#core/event/event.ts';
import type { SampleValue, SeriesKind } from './sample.ts';
import type { Mode } from '#core/mode/mode.ts';
import type { Presence } from '#core/presence/presence.ts';
import type { Variable } from '#core/variable/variable.ts';

/**
 * The home itself has series of these nouns, beside its devices: modes and variables by their keys, people by their
 * ids.
 */
export const HOUSE_NOUNS = ['mode', 'variable', 'presence'] as const;
export type HouseNoun = (typeof HOUSE_NOUNS)[number];

/** A value that the hub itself has: it is known as long as the hub runs. */
export type HouseValue = {
  readonly noun: HouseNoun;
  readonly key: string;
  readonly kind: SeriesKind;
  /** `null`: it is gone. */
  readonly value: SampleValue | null;
};

export type House = {
  readonly modes: () => readonly Mode[];
  readonly variables: () => readonly Variable[];
  /** The presence of the people who have an account. */
  readonly presences: () => readonly Presence[];
};

/** `mode/home`, `variable/bedtime`, `presence/<user id>`. No id of a device is a noun. */
export function houseSeriesOf(noun: HouseNoun, key: string): string {
  return `${noun}/${key}`;
}

/** `undefined` for the name of any other series. */
export function houseSeriesFrom(name: string): { readonly noun: HouseNoun; readonly key: string } | undefined {
  const slash = name.indexOf('/');
  const noun = HOUSE_NOUNS.find((one) => one === name.slice(0, slash));
  return noun === undefined ? undefined : { noun, key: name.slice(slash + 1) };
}

/** The series of a person is deleted with the account, and after some time. */
export function isPresence(series: string): boolean {
  return houseSeriesFrom(series)?.noun === 'presence';
}

/** Nobody can change a mode or a variable while the hub is off. */
export function holdsWhileOff(series: string): boolean {
  const noun = houseSeriesFrom(series)?.noun;
  return noun === 'mode' || noun === 'variable';
}

export function variableKind({ type }: Pick<Variable, 'type'>): SeriesKind {
  return type === 'number' ? 'gauge' : 'state';
}

/** All values at the moment. A person has one once something was known. */
export function houseValues({ modes, variables, presences }: House): readonly HouseValue[] {
  return [
    ...modes().map(ofMode),
    ...variables().map(ofVariable),
    ...presences()
      .filter(({ sinceMs }) => sinceMs > 0)
      .map(ofPresence),
  ];
}

/** The value that an event brings; `undefined` of an event about anything else. */
export function houseValueOf(event: HomeEvent): HouseValue | undefined {
  switch (event.type) {
    case 'mode.changed':
      return event.isGone ? { ...ofMode(event.mode), value: null } : ofMode(event.mode);
    case 'variable.changed':
      return event.isGone ? { ...ofVariable(event.variable), value: null } : ofVariable(event.variable);
    case 'presence.changed':
      return event.presence.sinceMs === 0 ? undefined : ofPresence(event.presence);
    default:
      return undefined;
  }
}

function ofMode({ key, value }: Mode): HouseValue {
  return { noun: 'mode', key, kind: 'state', value };
}

function ofVariable(variable: Variable): HouseValue {
  return { noun: 'variable', key: variable.key, kind: variableKind(variable), value: variable.value };
}

function ofPresence({ key, state }: Presence): HouseValue {
  return { noun: 'presence', key, kind: 'state', value: state };
}
