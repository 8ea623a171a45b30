import {
  BESIDE_CONDITION_SHAPES,
  type BodyPart,
  CONDITION_SHAPES,
  DEFINITION_SHAPE,
  type FormShape,
  OPERATION_SHAPES,
  type Shape,
  STEP_SHAPES,
  TRIGGER_SHAPES,
} from '#web/client/rule-forms.ts';

// What the hub takes as the parts of an automation, with what the page adds: which sentence says it, and which control
// fills it in.

/** `offset`: seconds before or after; `plain`: what the number counts is in the sentence. */
export type NumberUnit = 'seconds' | 'ms' | 'offset' | 'degrees' | 'plain';
export type TextLook =
  | 'line'
  | 'long'
  | 'clock'
  | 'clockOrSkip'
  | 'date'
  | 'moment'
  | 'capability'
  | 'name'
  | 'key'
  | 'action'
  | 'recipient'
  | 'fact'
  | 'id'
  | 'url'
  | 'modeValue';
type RecordLook = 'settings' | 'modes' | 'operands';

/** One thing that can be filled in. `value` and `json` are any value: what it is about decides on the control. */
export type Member =
  | Extract<Shape, { readonly kind: 'word' | 'reference' | 'body' }>
  | { readonly kind: 'boolean' | 'operand' | 'value' | 'json' }
  | { readonly kind: 'number'; readonly unit: NumberUnit; readonly min: number; readonly max: number }
  | { readonly kind: 'text'; readonly look: TextLook; readonly max: number }
  /** `some`: one, or a list of several. */
  | { readonly kind: 'list' | 'some'; readonly of: Member }
  | { readonly kind: 'tuple'; readonly of: readonly Member[] }
  | { readonly kind: 'record'; readonly of: Member; readonly look: RecordLook }
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'either'; readonly form: Form; readonly other: Member };

/** `say` is the key of its sentence. */
export type Form = Omit<FormShape, 'members'> & {
  readonly say: string;
  readonly members: Readonly<Record<string, Member>>;
};

/** The sentence of a form that is the member of another, where it has not the name of that member. */
const SAYS: Readonly<Record<string, string>> = {
  any_of: 'selection',
  at: 'time_of',
  cases: 'case',
  for_each: 'each',
  missed: 'late',
  mode: 'run_mode',
};
/** By the name of the member; all others are a line. */
const TEXT_LOOKS: Readonly<Record<string, TextLook>> = {
  action: 'action',
  after: 'clock',
  anchor: 'moment',
  at: 'clock',
  before: 'clock',
  capability: 'capability',
  dates: 'date',
  do: 'action',
  except_dates: 'date',
  id: 'id',
  if_none: 'clockOrSkip',
  key: 'key',
  mode: 'modeValue',
  not_after: 'clock',
  not_before: 'clock',
  text: 'long',
  to: 'recipient',
  trigger: 'fact',
  until: 'clock',
  url: 'url',
  value: 'modeValue',
  variable: 'name',
};
const RECORD_LOOKS: Readonly<Record<string, RecordLook>> = { mode: 'modes', set: 'settings' };

function unitOf(name: string): NumberUnit {
  if (name.endsWith('offset_s')) return 'offset';
  if (name === 'elevation_deg') return 'degrees';
  if (name.endsWith('_ms')) return 'ms';
  return name.endsWith('_s') || name === 'expires_in' ? 'seconds' : 'plain';
}

function memberOf(shape: Shape, name: string, say: string): Member {
  switch (shape.kind) {
    case 'json':
      return { kind: name === 'to' || name === 'from' ? 'value' : 'json' };
    case 'number':
      return { ...shape, unit: unitOf(name) };
    case 'text':
      // A notification has a key of its own.
      return { ...shape, look: (say === 'step.notify' && name === 'key' ? undefined : TEXT_LOOKS[name]) ?? 'line' };
    case 'list':
    case 'some':
      return { kind: shape.kind, of: memberOf(shape.of, name, say) };
    case 'record':
      return { kind: 'record', of: memberOf(shape.of, name, say), look: RECORD_LOOKS[name] ?? 'operands' };
    case 'tuple':
      return { kind: 'tuple', of: shape.of.map((one) => memberOf(one, name, say)) };
    case 'form':
      return { kind: 'form', form: formFrom(SAYS[name] ?? name, shape.form) };
    case 'either':
      return {
        kind: 'either',
        form: formFrom(SAYS[name] ?? name, shape.form),
        other: memberOf(shape.other, name, say),
      };
    default:
      return shape;
  }
}

function membersOf(shapes: Readonly<Record<string, Shape>>, say: string): Form['members'] {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, memberOf(shape, name, say)]));
}

const formFrom = (say: string, shape: FormShape): Form => ({ ...shape, say, members: membersOf(shape.members, say) });

/** The parts of a kind by their words. The sentence of each has the kind and the word as its key. */
function partsOf(
  part: BodyPart | 'operand',
  shapes: Readonly<Record<string, Shape>>,
): Readonly<Record<string, Member>> {
  const parts = Object.entries(shapes).map(([word, shape]): [string, Member] => [
    word,
    shape.kind === 'form'
      ? { kind: 'form', form: formFrom(`${part}.${word}`, shape.form) }
      : memberOf(shape, word, part),
  ]);
  return Object.fromEntries(parts);
}

/** By the type of the trigger. */
export const TRIGGERS: Readonly<Record<string, Form>> = Object.fromEntries(
  Object.entries<FormShape>(TRIGGER_SHAPES).map(([type, shape]) => [type, formFrom(`trigger.${type}`, shape)]),
);
/** By the member that says what a condition is about. */
export const CONDITIONS = partsOf('condition', CONDITION_SHAPES);
/** These members may stand beside that one. */
export const BESIDE_CONDITION = formOf('condition_beside', membersOf(BESIDE_CONDITION_SHAPES, 'condition_beside'));
/** By the member that says what a step does. */
export const STEPS = partsOf('step', STEP_SHAPES);
/** By the one member that an operation has. */
export const OPERATIONS = partsOf('operand', OPERATION_SHAPES);
/** An automation has these members beside its triggers, conditions and steps. */
export const DEFINITION = formFrom('definition', DEFINITION_SHAPE);

/** A form without rules. */
export function formOf(say: string, members: Form['members']): Form {
  return { say, members, required: [], one: [], some: [] };
}
