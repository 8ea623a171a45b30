import type { Condition } from './condition.ts';
import { CONDITION_WORDS, OPERATIONS } from './condition-shapes.ts';
import { type Definition, DEFINITION_LIMITS, RUN_KINDS } from './definition.ts';
import type { ObjectShape, Parts, Shape, WordedShape } from './shape.ts';
import { STEP_WORDS } from './step-shapes.ts';
import { TRIGGER_TYPES } from './trigger-shapes.ts';
import {
  about,
  DAY_S,
  BOOLEAN,
  STEPS,
  TRIGGERS,
  CONDITIONS,
  whole,
  seconds,
  word,
  reference,
  list,
  object,
  ID,
  OPERANDS,
} from './shape-words.ts';

const STEP_ID = about('Unique in the document; the hub gives one where it is absent.', ID);
const OPERAND_SHAPE: WordedShape = {
  kind: 'worded',
  about:
    'A value of JSON, or an object with one member that says how to get one (`Operation`): `{"feature": {"device": "hall", "key": "temperature"}}`. Where it is not known, all that is made of it is unknown.',
  words: OPERATIONS,
  beside: {},
};
const BESIDE_CONDITION: Readonly<Record<Extract<keyof Condition, 'if_unknown'>, Shape>> = {
  if_unknown: about('What holds where nobody knows; by default it is unknown, which is not met in the end.', BOOLEAN),
};

/** The parts that stand in themselves and in each other. */
export const PART_SHAPES: Parts = {
  operand: OPERAND_SHAPE,
  condition: {
    kind: 'worded',
    about: 'Something that is so or not. Exactly one member besides `if_unknown` says what.',
    words: CONDITION_WORDS,
    beside: BESIDE_CONDITION,
  },
  step: {
    kind: 'worded',
    about: 'Something that is done. Exactly one member besides `id` says what.',
    words: STEP_WORDS,
    beside: { id: STEP_ID },
  },
  trigger: {
    kind: 'typed',
    about: 'What starts a run, or ends a wait. `type` says which members it has.',
    by: 'type',
    types: Object.fromEntries(
      Object.entries(TRIGGER_TYPES).map(([type, { members, required = [], ...rest }]) => [
        type,
        object(
          { id: STEP_ID, type: about('Says that it is this trigger.', word(type)), ...members },
          { ...rest, required: ['type', ...required] },
        ),
      ]),
    ),
  },
};

const DEFINITION_MEMBERS: Readonly<Record<keyof Definition, Shape>> = {
  mode: object(
    {
      kind: about(
        'What a start does while a run is under way: nothing (`single`), it takes its place, waits for it, or runs beside it.',
        word(...RUN_KINDS),
      ),
      max: about(
        'How many starts may wait (`queued`) or run at once (`parallel`); by default as many as the hub takes, 50 and 10.',
        whole(1, DEFINITION_LIMITS.queued),
      ),
    },
    {
      required: ['kind'],
      name: 'RunMode',
      about: 'What a trigger does while a run is under way; by default `single`, which ignores it.',
    },
  ),
  yield_to_hand_s: about(
    'Seconds for which it leaves a feature alone that a hand moved (of a group, those members that a hand moved); by default 0.',
    seconds(DAY_S),
  ),
  release_on_mode: about('A change of the mode `home` ends that time; by default `false`.', BOOLEAN),
  durable: about(
    'How runs that wait outlive a power cut: `auto`, kept on disk within a second (the default), or `always`, kept before the next command goes out.',
    word('auto', 'always'),
  ),
  on_broken: about(
    'While something that it names is gone: it does not run (`stop`, the default), or its whole triggers go on.',
    word('stop', 'run_rest'),
  ),
  limits: about(
    'When its starts are taken for a loop, which stops it for a while: after 30 at once and then one a second (`usual`, the default), or ten a second.',
    word('usual', 'high'),
  ),
  allow_sensitive: about(
    'The locks, valves, garages and alarms that it may move, each by name; by default none.',
    list(reference('device'), 100, 0),
  ),
  variables: about('Values by names of your own, worked out when a run starts; by default none.', OPERANDS),
  triggers: about('Any one of them starts a run.', TRIGGERS),
  conditions: about('All must be met for a start to do anything; by default there is none.', CONDITIONS),
  steps: about('What is done, one after the other.', STEPS),
};
export const DEFINITION_SHAPE: ObjectShape = object(DEFINITION_MEMBERS, { required: ['triggers', 'steps'] });
