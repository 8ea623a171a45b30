import { SEVERITIES } from '#core/notification/notification.ts';
import type { Condition } from './condition.ts';
import { CONDITION_WORDS, OPERATIONS } from './condition-shapes.ts';
import { type Definition, DEFINITION_LIMITS, RUN_KINDS } from './definition.ts';
import type { ObjectShape, Parts, Shape, WordedShape } from './shape.ts';
import type { StepWord } from './step.ts';
import { TRIGGER_TYPES } from './trigger-shapes.ts';
import {
  DAY_S,
  BOOLEAN,
  OPERAND,
  CONDITION,
  STEP,
  STEPS,
  TRIGGER,
  TRIGGERS,
  CONDITIONS,
  whole,
  seconds,
  text,
  word,
  reference,
  list,
  object,
  CLOCK,
  ID,
  NAME,
  OPERANDS,
  SELECTION,
} from './shape-words.ts';

const SENDING = {
  transition_ms: whole(0, 3_600_000),
  expires_in: whole(1, 3600),
  wait: word('none', 'sent', 'finished'),
  retry: object({ times: whole(1, 5), after_s: seconds(3600) }, { required: ['times', 'after_s'] }),
  on_failure: word('continue', 'stop'),
  skip_if_same: BOOLEAN,
};
const TARGETS = object(
  {
    devices: list(reference('device'), 100),
    group: reference('group'),
    room: reference('room'),
    any_of: SELECTION,
    trigger: word('device'),
  },
  { some: ['devices', 'group', 'room', 'any_of', 'trigger'] },
);
const ENDS = { for_s: seconds(31 * DAY_S, 1), until: CLOCK };
const CASE = object({ if: CONDITION, then: STEPS }, { required: ['if', 'then'] });
const EACH = object(
  { variable: { kind: 'text', max: 32, pattern: NAME }, in: list(OPERAND, DEFINITION_LIMITS.eachValues) },
  { required: ['variable', 'in'] },
);

const STEP_WORDS: Readonly<Record<StepWord, Shape>> = {
  command: object(
    {
      targets: TARGETS,
      set: { kind: 'record', of: OPERAND, names: /^.{1,256}$/u, min: 1, max: 50 },
      do: text(256),
      ...SENDING,
    },
    { required: ['targets'], one: [['set', 'do']] },
  ),
  scene: object({ scene: reference('scene'), ...SENDING }, { required: ['scene'] }),
  restore: object({ since: word('run', 'trigger') }),
  delay: object({ s: OPERAND, until: CLOCK, late_max_s: seconds(31 * DAY_S) }, { one: [['s', 'until']] }),
  wait_for: object(
    {
      triggers: list(TRIGGER, DEFINITION_LIMITS.triggers),
      condition: CONDITION,
      timeout_s: seconds(DEFINITION_LIMITS.timeoutS, 1),
      then: word('continue', 'stop'),
      late_max_s: seconds(31 * DAY_S),
    },
    { required: ['timeout_s'], one: [['triggers', 'condition']] },
  ),
  choose: object({ cases: list(CASE, 20), else: STEPS }, { required: ['cases'] }),
  repeat: object(
    {
      times: OPERAND,
      while: CONDITION,
      until: CONDITION,
      for_each: EACH,
      max: whole(1, DEFINITION_LIMITS.rounds),
      steps: list(STEP, DEFINITION_LIMITS.steps),
    },
    { required: ['max', 'steps'], one: [['times', 'while', 'until', 'for_each']] },
  ),
  parallel: object(
    { branches: list(STEPS, DEFINITION_LIMITS.branches), end: word('all', 'any') },
    { required: ['branches'] },
  ),
  notify: object(
    {
      severity: word(...SEVERITIES),
      title: text(200),
      text: text(2000),
      to: list({ kind: 'text', max: 80, pattern: /^(?:user|role|channel):[A-Za-z0-9_-]+$/, example: 'role:owner' }, 20),
      key: text(64),
      resolve_key: text(64),
      repeat_s: seconds(DAY_S, 60),
      operands: OPERANDS,
    },
    { required: ['severity', 'title'] },
  ),
  request: object(
    {
      method: word('GET', 'POST'),
      url: { kind: 'text', max: 2048, pattern: /^https?:\/\/[^\s]+$/, example: 'http://printer.local/' },
      json: OPERANDS,
      wait: BOOLEAN,
    },
    { required: ['method', 'url'] },
  ),
  mode: object({ mode: reference('mode'), value: text(64), ...ENDS }, { required: ['mode', 'value'] }),
  variable: object({ variable: reference('variable'), value: OPERAND }, { required: ['variable', 'value'] }),
  presence_note: object(
    { person: reference('person'), state: word('home', 'away') },
    { required: ['person', 'state'] },
  ),
  automation: object(
    { automation: reference('automation'), do: word('enable', 'disable', 'run', 'stop') },
    { required: ['automation', 'do'] },
  ),
  stop: object({ outcome: word('finished', 'failed'), reason: text(200) }, { required: ['outcome'] }),
};

const OPERAND_SHAPE: WordedShape = { kind: 'worded', words: OPERATIONS, beside: {} };
const BESIDE_CONDITION: Readonly<Record<Extract<keyof Condition, 'if_unknown'>, Shape>> = { if_unknown: BOOLEAN };

/** The parts that stand in themselves and in each other. */
export const PART_SHAPES: Parts = {
  operand: OPERAND_SHAPE,
  condition: { kind: 'worded', words: CONDITION_WORDS, beside: BESIDE_CONDITION },
  step: { kind: 'worded', words: STEP_WORDS, beside: { id: ID } },
  trigger: {
    kind: 'typed',
    by: 'type',
    types: Object.fromEntries(
      Object.entries(TRIGGER_TYPES).map(([type, { members, required = [], ...rest }]) => [
        type,
        object({ id: ID, type: word(type), ...members }, { ...rest, required: ['type', ...required] }),
      ]),
    ),
  },
};

const DEFINITION_MEMBERS: Readonly<Record<keyof Definition, Shape>> = {
  mode: object({ kind: word(...RUN_KINDS), max: whole(1, DEFINITION_LIMITS.queued) }, { required: ['kind'] }),
  yield_to_hand_s: seconds(DAY_S),
  release_on_mode: BOOLEAN,
  durable: word('auto', 'always'),
  on_broken: word('stop', 'run_rest'),
  limits: word('usual', 'high'),
  allow_sensitive: list(reference('device'), 100, 0),
  variables: OPERANDS,
  triggers: TRIGGERS,
  conditions: CONDITIONS,
  steps: STEPS,
};
export const DEFINITION_SHAPE: ObjectShape = object(DEFINITION_MEMBERS, { required: ['triggers', 'steps'] });
