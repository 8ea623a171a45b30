import { AVAILABILITY_STATES } from '#core/device/device.ts';
import {
  COMPARE_OPERATIONS,
  type ConditionWord,
  HISTORY_FUNCTIONS,
  MOVERS,
  type OperationWord,
  SUN_EVENTS,
} from './condition.ts';
import { DEFINITION_LIMITS } from './definition.ts';
import type { Shape } from './shape.ts';
import {
  about,
  FOR_S,
  DAY_S,
  BOOLEAN,
  OPERAND,
  CONDITION,
  number,
  whole,
  seconds,
  text,
  word,
  reference,
  oneOrList,
  list,
  object,
  tuple,
  CLOCK,
  ID,
  KEY,
  PERSON,
  DAYS_LIST,
  BY,
} from './shape-words.ts';

const FEATURE = {
  device: about('The device that has the feature.', reference('device')),
  key: about('Key of the feature, such as `temperature` or `left.on`.', KEY),
};
const COMPARISON = {
  is: about('It is this value, or one of a list of values.', OPERAND),
  is_not: about('It is not this value, and none of a list of values.', OPERAND),
  above: about('It is greater than this, in the unit of what is compared.', OPERAND),
  below: about('It is less than this, in the unit of what is compared.', OPERAND),
  between: about('It lies between the two, or is one of them.', tuple(OPERAND, OPERAND)),
};
const ONE_COMPARISON = Object.keys(COMPARISON);
const OPERAND_LIST = list(OPERAND, DEFINITION_LIMITS.operandNodes);
const OFFSET_S = number(-21_600, 21_600);

export const OPERATIONS: Readonly<Record<OperationWord, Shape>> = {
  value: about('This value as it is: for an object that would look like an operation.', { kind: 'json' }),
  feature: object(FEATURE, { required: ['device', 'key'], about: 'The present value of a feature.' }),
  trigger: about(
    'What started the run: its `value`, the value `from` which it came, `device`, `key`, `at` (time), `action`, `late_s` (seconds that a missed time is late), or with a `/` in front a JSON pointer into the body that a hook was called with.',
    { kind: 'text', max: 256, pattern: /^(?:value|from|device|key|at|action|late_s|\/.*)$/, example: 'value' },
  ),
  variable: about('The variable of this name in the document, else the one of the home with this key.', {
    kind: 'text',
    max: 64,
  }),
  sun: about('The height of the sun over the horizon in degrees.', word('elevation')),
  history: object(
    {
      ...FEATURE,
      over_s: about('Seconds that are looked at.', seconds(31 * DAY_S, 1)),
      ago_s: about('Seconds since the end of that time; by default it ends now.', seconds(31 * DAY_S)),
      fn: about(
        'What is made of the samples; `increase`: by how much a meter rose; `seconds_true`: for how many seconds it was on.',
        word(...HISTORY_FUNCTIONS),
      ),
    },
    { required: ['device', 'key', 'over_s', 'fn'], about: 'What a feature was in the past.' },
  ),
  add: about('The sum of all.', OPERAND_LIST),
  sub: about('The first less all that follow.', OPERAND_LIST),
  mul: about('The product of all.', OPERAND_LIST),
  div: about('The first, divided by each that follows.', OPERAND_LIST),
  min: about('The least of all.', OPERAND_LIST),
  max: about('The greatest of all.', OPERAND_LIST),
  round: about('A number, and to how many digits after the point it is rounded.', tuple(OPERAND, whole(0, 9))),
  clamp: about('A number, and the least and the greatest that may come of it.', tuple(OPERAND, OPERAND, OPERAND)),
  map: about(
    'A number, and two ranges as low, high, low, high: where it lies in the first range, the result lies in the second.',
    tuple(OPERAND, OPERAND, OPERAND, OPERAND, OPERAND),
  ),
  if: about('A `Condition`, the value if it is met, and the value if it is not.', tuple(CONDITION, OPERAND, OPERAND)),
  coalesce: about('The first that is known.', OPERAND_LIST),
};

export const CONDITION_WORDS: Readonly<Record<ConditionWord, Shape>> = {
  and: about('All of these are met.', list(CONDITION, DEFINITION_LIMITS.conditions)),
  or: about('At least one of these is met.', list(CONDITION, DEFINITION_LIMITS.conditions)),
  not: about('This is not met.', CONDITION),
  feature: object(
    {
      ...FEATURE,
      ...COMPARISON,
      for_s: about('Seconds for which the value must have been the same; by default 0.', FOR_S),
      accept_restored: about(
        '`false`: a value from before a restart of the hub is unknown; by default `true`.',
        BOOLEAN,
      ),
    },
    { required: ['device', 'key'], one: [ONE_COMPARISON], about: 'The value of a feature.' },
  ),
  time: object(
    {
      after: about('From this clock time on, `HH:MM` or `HH:MM:SS`; by default from midnight.', CLOCK),
      before: about('Until right before this clock time; by default until midnight.', CLOCK),
      days: DAYS_LIST,
    },
    {
      some: ['after', 'before', 'days'],
      about: 'The clock. The time may go over midnight; its day is the one on which it began.',
    },
  ),
  sun: object(
    {
      above: about('The sun is higher than so many degrees.', OPERAND),
      below: about('The sun is lower than so many degrees; `0` is met whenever it is down.', OPERAND),
      after: about('From this moment of the day on.', word(...SUN_EVENTS)),
      offset_s: about('Seconds by which that moment is later, or earlier if negative; by default 0.', OFFSET_S),
      before: about('Until this moment of the day.', word(...SUN_EVENTS)),
      before_offset_s: about('Seconds by which that end is later, or earlier if negative; by default 0.', OFFSET_S),
    },
    {
      some: ['above', 'below', 'after', 'before'],
      about:
        'The height of the sun, or the time between two of its moments. It is unknown on a day without such a moment, as in the far north.',
    },
  ),
  mode: about('By keys of modes: the value that each must have, or a list of which one fits.', {
    kind: 'record',
    of: oneOrList(text(64)),
    names: /^.{1,64}$/u,
    min: 1,
    max: 10,
    to: 'mode',
  }),
  presence: object(
    { person: PERSON, is: about('Where the person is.', word('home', 'away')) },
    { required: ['person', 'is'], about: 'Who is at home.' },
  ),
  variable: object(
    {
      variable: about('Name of a variable of the document, else the key of one of the home.', {
        kind: 'text',
        max: 64,
      }),
      ...COMPARISON,
    },
    { required: ['variable'], one: [ONE_COMPARISON], about: 'The value of a variable.' },
  ),
  availability: object(
    {
      device: about('The device that is asked about.', reference('device')),
      is: about('How it can be reached; `asleep`: it wakes up from time to time.', word(...AVAILABILITY_STATES)),
    },
    { required: ['device', 'is'], about: 'Whether a device can be reached.' },
  ),
  trigger: object(
    { id: about('Id of the trigger, or a list of ids of which one fits.', oneOrList(ID, DEFINITION_LIMITS.triggers)) },
    { required: ['id'], about: 'Which trigger started the run.' },
  ),
  step: object(
    {
      id: about('Id of the step `wait_for`.', ID),
      timed_out: about('`true`: its time ran out; `false`: what it waited for came.', BOOLEAN),
    },
    { required: ['id', 'timed_out'], about: 'How a step `wait_for` of this run ended.' },
  ),
  scene: object(
    {
      scene: about('The scene that is compared with the home.', reference('scene')),
      is: about('Whether all, some or none of its values are so now.', word('active', 'partly', 'inactive')),
    },
    { required: ['scene', 'is'], about: 'Whether a scene is active, as the devices report it.' },
  ),
  run: object(
    {
      automation: about('The automation that is asked about.', reference('automation')),
      is: about('Has no other value yet.', word('running')),
    },
    { required: ['automation', 'is'], about: 'Whether a run of another automation is under way.' },
  ),
  compare: object(
    {
      left: about('The first value.', OPERAND),
      op: about('Equal, not equal, less, at most, greater, or at least.', word(...COMPARE_OPERATIONS)),
      right: about('The second value.', OPERAND),
    },
    { required: ['left', 'op', 'right'], about: 'Two values, each of which may be calculated.' },
  ),
  changed: object(
    {
      ...FEATURE,
      within_s: about('Seconds before now within which its value changed last.', seconds(30 * DAY_S)),
      by: about(BY, word(...MOVERS)),
    },
    { required: ['device', 'key', 'within_s'], about: 'Whether a feature changed lately.' },
  ),
};
