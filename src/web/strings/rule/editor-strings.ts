import type { Translation } from '#web/strings/strings.ts';
import { memberLabel } from './member-strings.ts';

const en = {
  labelOf: memberLabel,
  json: 'As JSON',
  jsonText:
    'The same automation as the hub keeps it. What you change here changes the sentence, and the other way round.',
  settings: 'How it runs',
  hole: (label: string, words: string) => `${label}: ${words}`,
  nothingYet: 'nothing yet',
  add: (part: 'trigger' | 'condition' | 'step', isMore: boolean, joint: string) => {
    if (part === 'trigger') return isMore ? 'or when…' : 'When…';
    if (part === 'step') return isMore ? 'then…' : 'Do…';
    return isMore ? (joint === 'or' ? 'or if…' : 'and if…') : 'If…';
  },
  addCase: 'Else, if…',
  addElse: 'Else…',
  addBranch: 'At the same time…',
  dropElse: 'Without else',
  dropCase: 'Without the last case',
  dropBranch: 'Without the last branch',
  menu: 'This part',
  menuOf: (words: string) => `Change this part: ${words}`,
  up: 'Move up',
  down: 'Move down',
  remove: 'Remove',
  more: 'Say more',
  instead: (label: string) => `Instead: ${label}`,
  way: 'Which way',
  putBack: 'Put back',
  done: 'Done',
  drop: 'Leave out',
  dropOne: (name: string) => `Leave out: ${name}`,
  choose: 'Choose…',
  search: 'Search',
  noneThere: 'There is none in the home that fits.',
  moreFound: (count: number) => `${count} more: search for them.`,
  anyValue: 'Any value',
  another: 'One more',
  oneLess: 'One less',
  badJson: (why: string) => `This is no JSON: ${why}`,
  inUnit: (label: string, unit: string) => `${label} (${unit})`,
  unit: 'Unit',
  units: { seconds: 'seconds', minutes: 'minutes', hours: 'hours', days: 'days' },
  direction: 'Earlier or later',
  before: 'before',
  after: 'after',
  hints: {
    date: 'For example 12-24, 2026-05-01, or 12-24..01-06',
    moment: 'For example 2026-01-31T08:00:00Z',
    recipient: 'user:…, role:… or channel:…',
    url: 'For example http://printer.local/done',
    id: 'For example t1 or s2',
    clockOrSkip: 'A time such as 22:00, or skip',
  } as Readonly<Record<string, string>>,
  valueOf: (label: string) => `${label}: where the value comes from`,
  operations: {
    plain: 'A fixed value',
    value: 'A fixed value of any form',
    feature: 'A device',
    trigger: 'What started it',
    variable: 'A variable',
    sun: 'The height of the sun',
    history: 'The past of a device',
    add: 'Add',
    sub: 'Subtract',
    mul: 'Multiply',
    div: 'Divide',
    min: 'The least',
    max: 'The greatest',
    round: 'Round',
    clamp: 'Keep within limits',
    map: 'Move into another range',
    if: 'One of two, by a condition',
    coalesce: 'The first that is known',
  } as Readonly<Record<string, string>>,
  item: (word: string, index: number) => ITEMS[word]?.[index] ?? `Value ${index + 1}`,
  fromBody: 'Something in the body of the call',
  bodyPath: 'Path in the body, such as /door/name',
  newName: 'New name',
  nameHint: 'Small letters, digits and underscores.',
  addIt: 'Add',
};

const ITEMS: Readonly<Record<string, readonly string[]>> = {
  round: ['Value', 'Digits'],
  clamp: ['Value', 'At least', 'At most'],
  map: ['Value', 'From', 'To', 'New from', 'New to'],
  if: ['If', 'Then', 'Else'],
};

/** The words of the editor of automations. */
export const e: Translation<typeof en> = en;
