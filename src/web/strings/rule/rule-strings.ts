import { counted, listed } from '#web/strings/en-grammar.ts';
import type { Translation } from '#web/strings/strings.ts';

const en = {
  parts: { triggers: 'When', conditions: 'If', steps: 'Then' },
  empty: '…',
  gone: (reference: string) => `${reference} (no longer there)`,
  anyValue: 'any value',
  skip: 'not at all',
  at: (clock: string) => `at ${clock}`,
  listed,
  offset: (seconds: number) => `${lengthWords(Math.abs(seconds))} ${seconds < 0 ? 'before' : 'after'}`,
  modeValues: { home: 'Home', away: 'Away', night: 'Night', vacation: 'Vacation' } as Readonly<Record<string, string>>,
  roles: {
    owner: 'owners',
    admin: 'admins',
    resident: 'residents',
    guest: 'guests',
  } as Readonly<Record<string, string>>,
  turn: { true: 'turn on', false: 'turn off' },
  setting: (name: string, value: string) => `${name} ${value}`,
  modeIs: (mode: string, value: string) => `${mode} is ${value}`,
  unknownPart: (name: string) => `a part that this page does not know (${name})`,
  /** Parts of an automation, and what stands between them. */
  when: 'When',
  and: 'and',
  or: 'or',
  not: 'not',
  notThat: (condition: string) => `not: ${condition}`,
  allOf: 'all of these are so',
  oneOf: 'one of these is so',
  noneOf: 'this is not so',
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
  sunHeight: 'the height of the sun',
  ownVariable: (name: string) => `the value ${name}`,
  whole: (triggers: string, conditions: string, steps: string) =>
    conditions === '' ? `When ${triggers}: ${steps}.` : `When ${triggers}, and ${conditions}: ${steps}.`,
  nothing: 'nothing',
};
export const r: Translation<typeof en> = en;

/** `Ada or Ben`. */
export function anyOf(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
}

const UNITS = [
  [86_400, 'day', 'days'],
  [3600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
] as const;

/** `3 minutes`, `1 hour and 30 minutes`, `0.4 seconds`. */
export function lengthWords(seconds: number): string {
  let left = seconds;
  const words: string[] = [];
  for (const [unitS, one, many] of UNITS) {
    const count = Math.floor(left / unitS);
    left -= count * unitS;
    if (count > 0) words.push(counted(count, one, many));
  }
  const rest = Math.round(left * 1000) / 1000;
  if (rest > 0 || words.length === 0) words.push(counted(rest, 'second', 'seconds'));
  return listed(words);
}
