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
} from './shape-words.ts';

const FEATURE = { device: reference('device'), key: KEY };
const COMPARISON = { is: OPERAND, is_not: OPERAND, above: OPERAND, below: OPERAND, between: tuple(OPERAND, OPERAND) };
const ONE_COMPARISON = Object.keys(COMPARISON);
const OPERAND_LIST = list(OPERAND, DEFINITION_LIMITS.operandNodes);

export const OPERATIONS: Readonly<Record<OperationWord, Shape>> = {
  value: { kind: 'json' },
  feature: object(FEATURE, { required: ['device', 'key'] }),
  trigger: { kind: 'text', max: 256, pattern: /^(?:value|from|device|key|at|action|late_s|\/.*)$/, example: 'value' },
  variable: { kind: 'text', max: 64 },
  sun: word('elevation'),
  history: object(
    { ...FEATURE, over_s: seconds(31 * DAY_S, 1), ago_s: seconds(31 * DAY_S), fn: word(...HISTORY_FUNCTIONS) },
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
  if: tuple(CONDITION, OPERAND, OPERAND),
  coalesce: OPERAND_LIST,
};

export const CONDITION_WORDS: Readonly<Record<ConditionWord, Shape>> = {
  and: list(CONDITION, DEFINITION_LIMITS.conditions),
  or: list(CONDITION, DEFINITION_LIMITS.conditions),
  not: CONDITION,
  feature: object(
    { ...FEATURE, ...COMPARISON, for_s: FOR_S, accept_restored: BOOLEAN },
    { required: ['device', 'key'], one: [ONE_COMPARISON] },
  ),
  time: object({ after: CLOCK, before: CLOCK, days: DAYS_LIST }, { some: ['after', 'before', 'days'] }),
  sun: object(
    {
      above: OPERAND,
      below: OPERAND,
      after: word(...SUN_EVENTS),
      offset_s: number(-21_600, 21_600),
      before: word(...SUN_EVENTS),
      before_offset_s: number(-21_600, 21_600),
    },
    { some: ['above', 'below', 'after', 'before'] },
  ),
  mode: { kind: 'record', of: oneOrList(text(64)), names: /^.{1,64}$/u, min: 1, max: 10, to: 'mode' },
  presence: object({ person: PERSON, is: word('home', 'away') }, { required: ['person', 'is'] }),
  variable: object(
    { variable: { kind: 'text', max: 64 }, ...COMPARISON },
    { required: ['variable'], one: [ONE_COMPARISON] },
  ),
  availability: object(
    { device: reference('device'), is: word(...AVAILABILITY_STATES) },
    { required: ['device', 'is'] },
  ),
  trigger: object({ id: oneOrList(ID, DEFINITION_LIMITS.triggers) }, { required: ['id'] }),
  step: object({ id: ID, timed_out: BOOLEAN }, { required: ['id', 'timed_out'] }),
  scene: object({ scene: reference('scene'), is: word('active', 'partly', 'inactive') }, { required: ['scene', 'is'] }),
  run: object({ automation: reference('automation'), is: word('running') }, { required: ['automation', 'is'] }),
  compare: object(
    { left: OPERAND, op: word(...COMPARE_OPERATIONS), right: OPERAND },
    { required: ['left', 'op', 'right'] },
  ),
  changed: object(
    { ...FEATURE, within_s: seconds(30 * DAY_S), by: word(...MOVERS) },
    { required: ['device', 'key', 'within_s'] },
  ),
};
