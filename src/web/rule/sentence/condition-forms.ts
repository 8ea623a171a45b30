import {
  bodies,
  body,
  BOOLEAN,
  CLOCK,
  DAY_S,
  DAYS,
  FOR_S,
  type Form,
  form,
  ID,
  JSON_VALUE,
  KEY,
  list,
  type Member,
  MOVER,
  number,
  OPERAND,
  PERSON,
  reference,
  seconds,
  some,
  SUN_EVENTS,
  text,
  tuple,
  whole,
  word,
} from './form.ts';

const FEATURE = { device: reference('device'), key: KEY };
const COMPARISON = { is: OPERAND, is_not: OPERAND, above: OPERAND, below: OPERAND, between: tuple(OPERAND, OPERAND) };
const ONE_COMPARISON = Object.keys(COMPARISON);
const OPERAND_LIST = list(OPERAND, 32);

/** By the one member that an operation has. */
export const OPERATIONS: Readonly<Record<string, Member>> = {
  value: JSON_VALUE,
  feature: form('operand.feature', FEATURE, { required: ['device', 'key'] }),
  trigger: text('fact', 256),
  variable: text('name', 64),
  sun: word('elevation'),
  history: form(
    'operand.history',
    {
      ...FEATURE,
      over_s: seconds(31 * DAY_S, 1),
      ago_s: seconds(31 * DAY_S),
      fn: word('mean', 'min', 'max', 'increase', 'seconds_true'),
    },
    { required: ['device', 'key', 'over_s', 'fn'] },
  ),
  add: OPERAND_LIST,
  sub: OPERAND_LIST,
  mul: OPERAND_LIST,
  div: OPERAND_LIST,
  min: OPERAND_LIST,
  max: OPERAND_LIST,
  round: tuple(OPERAND, whole(0, 9)),
  clamp: tuple(OPERAND, OPERAND, OPERAND),
  map: tuple(OPERAND, OPERAND, OPERAND, OPERAND, OPERAND),
  if: tuple(body('condition'), OPERAND, OPERAND),
  coalesce: OPERAND_LIST,
};

/** By the member that says what a condition is about. */
export const CONDITIONS: Readonly<Record<string, Member>> = {
  and: bodies('condition', 100),
  or: bodies('condition', 100),
  not: body('condition'),
  feature: form(
    'condition.feature',
    { ...FEATURE, ...COMPARISON, for_s: FOR_S, accept_restored: BOOLEAN },
    { required: ['device', 'key'], one: [ONE_COMPARISON] },
  ),
  time: form('condition.time', { after: CLOCK, before: CLOCK, days: DAYS }, { some: ['after', 'before', 'days'] }),
  sun: form(
    'condition.sun',
    {
      above: OPERAND,
      below: OPERAND,
      after: word(...SUN_EVENTS),
      offset_s: number('offset', -21_600, 21_600),
      before: word(...SUN_EVENTS),
      before_offset_s: number('offset', -21_600, 21_600),
    },
    { some: ['above', 'below', 'after', 'before'] },
  ),
  mode: { kind: 'record', of: some(text('modeValue', 64)), look: 'modes', max: 10 },
  presence: form('condition.presence', { person: PERSON, is: word('home', 'away') }, { required: ['person', 'is'] }),
  variable: form(
    'condition.variable',
    { variable: text('name', 64), ...COMPARISON },
    { required: ['variable'], one: [ONE_COMPARISON] },
  ),
  availability: form(
    'condition.availability',
    { device: reference('device'), is: word('online', 'offline', 'asleep', 'unknown') },
    { required: ['device', 'is'] },
  ),
  trigger: form('condition.trigger', { id: some(ID, 50) }, { required: ['id'] }),
  step: form('condition.step', { id: ID, timed_out: BOOLEAN }, { required: ['id', 'timed_out'] }),
  scene: form(
    'condition.scene',
    { scene: reference('scene'), is: word('active', 'partly', 'inactive') },
    { required: ['scene', 'is'] },
  ),
  run: form(
    'condition.run',
    { automation: reference('automation'), is: word('running') },
    { required: ['automation', 'is'] },
  ),
  compare: form(
    'condition.compare',
    { left: OPERAND, op: word('eq', 'ne', 'lt', 'le', 'gt', 'ge'), right: OPERAND },
    { required: ['left', 'op', 'right'] },
  ),
  changed: form(
    'condition.changed',
    { ...FEATURE, within_s: seconds(30 * DAY_S), by: MOVER },
    { required: ['device', 'key', 'within_s'] },
  ),
};

/** What may stand beside that member. */
export const BESIDE_CONDITION: Form['members'] = { if_unknown: BOOLEAN };
