// The forms that the page has for the parts of an automation. `test/web/rule` compares them with the shapes of the hub.

/** What a reference leads to, as the hub names it. */
export type ReferenceKind =
  | 'device'
  | 'group'
  | 'room'
  | 'scene'
  | 'automation'
  | 'person'
  | 'mode'
  | 'variable'
  | 'integration';
export type BodyPart = 'trigger' | 'condition' | 'step';
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

/** One thing that can be filled in. `value` and `json` are any value: what it is about decides on the control. */
export type Member =
  | { readonly kind: 'boolean' | 'value' | 'json' | 'operand' }
  | {
      readonly kind: 'number';
      readonly unit: NumberUnit;
      readonly min: number;
      readonly max: number;
      readonly isWhole: boolean;
    }
  | { readonly kind: 'text'; readonly look: TextLook; readonly max: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'reference'; readonly to: ReferenceKind; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly of: Member; readonly min: number; readonly max: number }
  /** One, or a list of several. */
  | { readonly kind: 'some'; readonly of: Member; readonly max: number }
  | { readonly kind: 'tuple'; readonly of: readonly Member[] }
  | {
      readonly kind: 'record';
      readonly of: Member;
      readonly look: 'settings' | 'modes' | 'operands';
      readonly max: number;
    }
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'either'; readonly form: Form; readonly other: Member }
  | { readonly kind: 'body'; readonly part: BodyPart };

/** `say` is the key of its sentence. */
export type Form = {
  readonly say: string;
  readonly members: Readonly<Record<string, Member>>;
  readonly required: readonly string[];
  /** Exactly one of each list. */
  readonly one: readonly (readonly string[])[];
  /** At least one of the list. */
  readonly some: readonly string[];
};

export const BOOLEAN: Member = { kind: 'boolean' };
export const VALUE: Member = { kind: 'value' };
export const JSON_VALUE: Member = { kind: 'json' };
export const OPERAND: Member = { kind: 'operand' };

export const number = (unit: NumberUnit, min: number, max: number): Member => ({
  kind: 'number',
  unit,
  min,
  max,
  isWhole: false,
});
export const whole = (min: number, max: number, unit: NumberUnit = 'plain'): Member => ({
  kind: 'number',
  unit,
  min,
  max,
  isWhole: true,
});
export const seconds = (max: number, min = 0): Member => number('seconds', min, max);
export const text = (look: TextLook, max: number): Member => ({ kind: 'text', look, max });
export const word = (...words: readonly string[]): Member => ({ kind: 'word', words });
export const reference = (to: ReferenceKind, ...words: readonly string[]): Member => ({ kind: 'reference', to, words });
export const list = (of: Member, max: number, min = 1): Member => ({ kind: 'list', of, min, max });
export const some = (of: Member, max = 32): Member => ({ kind: 'some', of, max });
export const tuple = (...of: readonly Member[]): Member => ({ kind: 'tuple', of });
export const body = (part: BodyPart): Member => ({ kind: 'body', part });
export const bodies = (part: BodyPart, max: number): Member => list(body(part), max);

type Rules = Partial<Pick<Form, 'required' | 'one' | 'some'>>;
export function formOf(say: string, members: Form['members'], rules: Rules = {}): Form {
  return { say, members, required: [], one: [], some: [], ...rules };
}
export const form = (...given: Parameters<typeof formOf>): Member => ({ kind: 'form', form: formOf(...given) });

export const DAY_S = 86_400;
export const WEEK_S = 7 * DAY_S;
export const FOR_S = seconds(30 * DAY_S);
export const CLOCK = text('clock', 8);
export const KEY = text('key', 256);
export const ID = text('id', 32);
export const PERSON = reference('person', 'anyone', 'everyone');
export const DAYS = list(word('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'workday'), 8);
export const OPERANDS: Member = { kind: 'record', of: OPERAND, look: 'operands', max: 50 };
export const SUN_EVENTS = ['sunrise', 'sunset', 'dawn', 'dusk', 'noon'] as const;
export const MOVER = word('any', 'hand', 'hub', 'other');

const DEVICE_TYPES = [
  'on_off_light',
  'dimmable_light',
  'color_temperature_light',
  'extended_color_light',
  'on_off_plug_in_unit',
  'window_covering',
  'door_lock',
  'thermostat',
  'fan',
  'contact_sensor',
  'occupancy_sensor',
  'temperature_sensor',
  'humidity_sensor',
  'light_sensor',
  'water_leak_detector',
  'smoke_co_alarm',
  'air_quality_sensor',
  'generic_switch',
  'water_valve',
  'electrical_sensor',
  'siren',
  'other',
];
export const SELECTION = form(
  'selection',
  {
    room: reference('room'),
    capability: text('capability', 128),
    type: word(...DEVICE_TYPES),
    except: list(reference('device'), 100, 0),
  },
  { some: ['room', 'capability', 'type'] },
);
