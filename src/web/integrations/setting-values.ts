import type { Setting } from '#web/client/api.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import type { FieldShown } from '#web/strings/kind-words.ts';

export type SettingFields = Readonly<Record<string, FieldShown>>;
/** The hub shows these settings as they are set at the moment. */
export type PresentSettings = Readonly<Record<string, Setting | undefined>>;
/** A person has typed so much so far, by field: texts as typed, `null` for a secret to forget. */
export type TypedSettings = Readonly<Record<string, string | boolean | ChosenPlaces | null | undefined>>;
/** Rooms and devices by id. */
export type ChosenPlaces = { readonly rooms: readonly string[]; readonly devices: readonly string[] };
type Value = string | number | boolean | ChosenPlaces | null;
type Values = Readonly<Record<string, Value>>;

/** The text of the field: what was typed, else what is set, else the default. Empty for a secret. */
export function textOf(field: FieldShown, present: Setting | undefined, typed: TypedSettings[string]): string {
  if (typed !== undefined) return typeof typed === 'string' ? typed : '';
  const value = field.type === 'secret' ? null : (present?.value ?? field.default);
  return value === null || typeof value === 'object' ? '' : String(value);
}

export function placesOf(field: FieldShown, present: Setting | undefined, typed: TypedSettings[string]): ChosenPlaces {
  const value = typed ?? present?.value ?? field.default;
  return typeof value === 'object' && value !== null ? (value as ChosenPlaces) : { rooms: [], devices: [] };
}

export function isOn(field: FieldShown, present: Setting | undefined, typed: TypedSettings[string]): boolean {
  return (typed ?? present?.value ?? field.default) === true;
}

/** The fields that differ from what is set, as the hub takes them: `null` takes a value away. */
export function changeOf(fields: SettingFields, present: PresentSettings, typed: TypedSettings): Values {
  const changed = Object.entries(fields).flatMap(([key, field]): (readonly [string, Value])[] => {
    const own = typed[key];
    const setting = present[key];
    if (own === undefined || isFixed(setting)) return [];
    if (field.type === 'secret') return typeof own !== 'string' && own !== null ? [] : own === '' ? [] : [[key, own]];
    const value = valueOf(field, own);
    return JSON.stringify(value) === JSON.stringify(setting?.value ?? null) ? [] : [[key, value]];
  });
  return Object.fromEntries(changed);
}

/** A value for each field that has one: the answer to a form of a set-up. */
export function answerOf(fields: SettingFields, present: PresentSettings, typed: TypedSettings): Values {
  const given = Object.entries(fields).map(([key, field]) => {
    if (field.type === 'boolean') return [key, isOn(field, present[key], typed[key])] as const;
    if (field.type === 'places') return [key, placesOf(field, present[key], typed[key])] as const;
    return [key, valueOf(field, textOf(field, present[key], typed[key]))] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** The texts of the fields that must not be empty. */
export function neededOf(
  fields: SettingFields,
  present: PresentSettings,
  typed: TypedSettings,
): Readonly<Record<string, string>> {
  const needed = Object.entries(fields).flatMap(([key, field]) => {
    const setting = present[key];
    if (field.optional || field.default !== null || field.type === 'boolean' || isFixed(setting)) return [];
    if (field.type === 'secret' && setting?.is_set === true && !isNeededAgain(key, fields, { present, typed }))
      return [];
    return [[key, textOf(field, setting, typed[key])] as const];
  });
  return Object.fromEntries(needed);
}

/** Whether a secret that is set has to be entered again, because it was given for another value of another field. */
export function isNeededAgain(
  key: string,
  fields: SettingFields,
  { present, typed }: { readonly present: PresentSettings; readonly typed: TypedSettings },
): boolean {
  const field = fields[key];
  const place = field?.bound_to;
  if (place === undefined || present[key]?.is_set !== true) return false;
  return place in changeOf(fields, present, typed);
}

/** Names the option that fixes a setting, and where it stands. What the hub says otherwise stays as it is. */
export function fixerWords(by: string): string {
  const [, name = by, place = ''] = /^(\S+) in the (.+)$/.exec(by) ?? [];
  return settingsWords.integrations.fixedIn[place]?.(name) ?? by;
}

function isFixed(setting: Setting | undefined): boolean {
  return (setting?.fixed_by ?? null) !== null;
}

/** A number that is none goes to the hub as it was typed: the hub says what is wrong with it. */
function valueOf({ type }: FieldShown, typed: NonNullable<TypedSettings[string]> | null): Value {
  if (typeof typed !== 'string') return typed;
  // A password may begin or end with a space.
  const text = type === 'secret' ? typed : typed.trim();
  if (text === '') return null;
  return type === 'integer' && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : text;
}
