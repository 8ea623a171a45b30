import type { User } from '#web/client/api.ts';
import { lengthWords } from '#web/strings/en/grammar.ts';

export const rule = {
  parts: { triggers: 'When', conditions: 'If', steps: 'Then' },
  empty: '…',
  gone: (reference: string) => `${reference} (no longer there)`,
  anyValue: 'any value',
  skip: 'not at all',
  at: (clock: string) => `at ${clock}`,
  /** A name in the middle of a sentence: `Illuminance` → `illuminance`, but `CO2` stays. */
  inside: (name: string) => (/^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name),
  offset: (seconds: number) => `${lengthWords(Math.abs(seconds))} ${seconds < 0 ? 'before' : 'after'}`,
  modeValues: { home: 'Home', away: 'Away', night: 'Night', vacation: 'Vacation' } as Readonly<Record<string, string>>,
  roles: {
    owner: 'owners',
    admin: 'admins',
    resident: 'residents',
    guest: 'guests',
  } satisfies Readonly<Record<User['role'], string>> as Readonly<Record<string, string>>,
  /** By what a command sets; the second for `false` and 0. */
  does: {
    on: ['turn on', 'turn off'],
    locked: ['lock', 'unlock'],
    valve_open: ['open', 'close'],
    position: ['open', 'close'],
  } as Readonly<Record<string, readonly [yes: string, no: string]>>,
  setting: (name: string, value: string) => `${name} ${value}`,
  modeIs: (mode: string, value: string) => `${mode} is ${value}`,
  homeModeIs: (value: string) => `the mode is ${value}`,
  unknownPart: (name: string) => `a part that this page does not know (${name})`,
  /** Parts of an automation, and what stands between them. */
  and: 'and',
  or: 'or',
  notThat: (condition: string) => `not: ${condition}`,
  allOf: 'all of these are true',
  oneOf: 'at least one of these is true',
  noneOf: 'this is not true',
  groups: {
    until: 'Until',
    whileIt: 'As long as',
    untilIt: 'Until',
    each: 'Each round',
    if: 'If',
    then: 'Then',
    else: 'Else',
    branch: (count: number) => `Branch ${count}`,
  },
  facts: {
    value: 'the value that started it',
    from: 'the value before',
    device: 'the device that started it',
    key: 'what started it',
    at: 'the time of the start',
    action: 'what was pressed',
    late_s: 'how late it is',
  } as Readonly<Record<string, string>>,
  fromBody: (path: string) => `${path} of the body`,
  /** These moments without an offset, as a sentence says them. */
  sunMoments: {
    sunrise: 'the sun rises',
    sunset: 'the sun sets',
    dawn: 'day breaks',
    dusk: 'night falls',
    noon: 'the sun is at its highest',
  } as Readonly<Record<string, string>>,
  sunHeight: 'the height of the sun',
  ownVariable: (name: string) => `the value ${name}`,
  whole: (triggers: string, conditions: string, steps: string) =>
    conditions === '' ? `When ${triggers}: ${steps}.` : `When ${triggers}, and ${conditions}: ${steps}.`,
  nothing: 'nothing',
};
