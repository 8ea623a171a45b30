import { COLOR_PRESETS, colorValue, WHITES_K } from '#web/controls/colors.ts';
import { hasOwn } from '#web/since-2021.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import type { Json, JsonObject } from '#web/rule/sentence/json.ts';
import { deviceOf, devicesOf, type Look } from '#web/rule/sentence/look.ts';

/** In this order on the card of a device; what is not here comes after it. */
const ORDER = ['on', 'brightness', 'color_temperature', 'color', 'position', 'tilt', 'target_temperature', 'locked'];
/** For rooms and for any device that fits, where no device says what can be set. */
const USUAL = ['on', 'brightness', 'position', 'target_temperature'];
const SETTABLE: ReadonlySet<string> = new Set(['boolean', 'number', 'enum', 'string', 'color']);
const LEVELS = [10, 30, 60, 100];
const POSITIONS = [100, 75, 50, 25, 0];
const WARMTHS = [17, 18, 19, 20, 21, 22, 23];

/** The features that a command can set: of several devices those that all of them have. */
export function settableLooks(home: RuleHome, node: JsonObject): readonly Look[] {
  const [first, ...others] = sharersOf(node);
  if (first === undefined) {
    return USUAL.flatMap((key) => {
      const look = home.capability(key);
      return look === undefined ? [] : [{ ...look, key, category: 'primary' as const }];
    });
  }
  const isShared = ({ key }: Look): boolean => others.every((other) => home.feature(other, key)?.writable === true);
  return home
    .features(first)
    .filter((look) => look.kind === 'state' && look.writable && SETTABLE.has(look.value_type) && isShared(look))
    .sort((one, other) => placeOf(one) - placeOf(other));
}

function sharersOf(node: JsonObject): readonly string[] {
  const devices = devicesOf(node);
  const one = deviceOf(node);
  return devices.length > 0 ? devices : one === '' ? [] : [one];
}

function placeOf({ capability }: Look): number {
  const place = ORDER.indexOf(capability);
  return place < 0 ? ORDER.length : place;
}

/** The features on the card itself: those that people use a device for, and not the rest of its settings. */
export function cardLooks(looks: readonly Look[]): readonly Look[] {
  const hasPosition = looks.some(({ capability }) => capability === 'position');
  return looks.filter(
    ({ category, capability, value_type: type }) =>
      (category ?? 'primary') === 'primary' &&
      type !== 'string' &&
      capability !== 'effect' &&
      !(hasPosition && capability === 'cover_state'),
  );
}

/** The values of a feature that are one tap away; none for a number without limits. */
export function presetsOf({ capability, value_type: type, unit, min, max, options }: Look): readonly Json[] {
  const inside = (values: readonly number[]): readonly number[] =>
    values.filter((value) => value >= (min ?? value) && value <= (max ?? value));
  if (type === 'boolean') return [true, false];
  if (type === 'color') return COLOR_PRESETS.map(([, color]) => colorValue(color, null) as Json);
  if (type === 'enum') return options ?? [];
  if (capability === 'color_temperature') return inside(Object.values(WHITES_K));
  if (unit === 'celsius') return inside(WARMTHS);
  if (unit === 'percent') return inside(capability === 'position' || capability === 'tilt' ? POSITIONS : LEVELS);
  return [];
}

/** A first value for a setting: on, open, locked, comfortable. */
export function firstSetting(look: Look): Json {
  if (look.unit === 'celsius') return Math.min(look.max ?? 20, Math.max(look.min ?? 20, 20));
  const [first] = presetsOf(look);
  if (first !== undefined) return first;
  if (look.value_type !== 'number') return '';
  return Math.round(((look.min ?? 0) + (look.max ?? 100)) / 2);
}

/** The record with another value: what makes no sense beside it goes, such as a brightness of what is turned off. */
export function withSetting(
  record: JsonObject,
  { look, value }: { readonly look: Look; readonly value: Json },
  looks: readonly Look[],
): JsonObject {
  if (look.capability === 'on' && value === false) {
    return { ...only(record, (key) => lookWith(looks, key)?.capability === 'on'), [look.key]: value };
  }
  const rival = { color: 'color_temperature', color_temperature: 'color' }[look.capability];
  return {
    ...only(record, (key) => rival === undefined || lookWith(looks, key)?.capability !== rival),
    [look.key]: value,
  };
}

/** A command after its devices were chosen: what not all of them have is gone, and it does something. */
export function fitted(home: RuleHome, node: JsonObject): JsonObject {
  const looks = settableLooks(home, node);
  const record = node['set'];
  const { set: _set, ...others } = node;
  const left =
    typeof record === 'object' && record !== null && !Array.isArray(record)
      ? only(record as JsonObject, (key) => lookWith(looks, key) !== undefined)
      : {};
  if (Object.keys(left).length > 0 || (hasOwn(node, 'do') && record === undefined)) {
    return Object.keys(left).length > 0 ? { ...others, set: left } : node;
  }
  const [look = looks[0]] = cardLooks(looks);
  if (look !== undefined) return { ...others, set: { [look.key]: firstSetting(look) } };
  const [first = ''] = sharersOf(node);
  const action = home.features(first).find(({ kind }) => kind === 'action');
  return action === undefined ? node : { ...others, do: action.key };
}

function lookWith(looks: readonly Look[], key: string): Look | undefined {
  return looks.find((look) => look.key === key);
}

function only(record: JsonObject, isLeft: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isLeft(key)));
}
