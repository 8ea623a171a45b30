import type { Option } from '#web/rule/editor/rule-home.ts';
import { isObject, type Json } from '#web/rule/sentence/json.ts';
import type { InputShown } from './use-template.ts';

/**
 * Lists the options of a hole for devices. A device with several features that fit stands there once for each of them.
 */
export function fitOptions(
  { kind, fits }: Pick<InputShown, 'kind' | 'fits'>,
  words: (deviceId: string, key: string) => { readonly room: string | undefined; readonly feature: string },
): readonly Option[] {
  return fits.flatMap(({ device, keys }) => {
    const [first = ''] = keys;
    if (kind === 'device') {
      return [{ value: device.id, words: device.name, note: words(device.id, first).room }];
    }
    return keys.map((key) => {
      const { room, feature } = words(device.id, key);
      const note = keys.length > 1 ? [feature, room].filter((part) => part !== undefined).join(' · ') : room;
      return { value: placeOf(device.id, key), words: device.name, note };
    });
  });
}

const placeOf = (device: string, key: string): string => `${device}/${key}`;

/** The options that a value stands for. */
export function chosenOf({ kind }: Pick<InputShown, 'kind'>, value: Json | undefined): readonly string[] {
  const list = Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
  return list.flatMap((one) => {
    if (kind === 'device') return typeof one === 'string' ? [one] : [];
    if (!isObject(one) || typeof one['device'] !== 'string' || typeof one['key'] !== 'string') return [];
    return [placeOf(one['device'], one['key'])];
  });
}

/** The value of the chosen options; `undefined` for none. */
export function valueOf(
  { kind, many }: Pick<InputShown, 'kind' | 'many'>,
  chosen: readonly string[],
): Json | undefined {
  const places = chosen.map((one): Json => {
    if (kind === 'device') return one;
    const cut = one.indexOf('/');
    return { device: one.slice(0, cut), key: one.slice(cut + 1) };
  });
  if (places.length === 0) return undefined;
  return many === true ? places : places[0];
}

/** The labels of what has to be filled in and is not. */
export function missingOf(
  inputs: Readonly<Record<string, InputShown>>,
  values: Readonly<Record<string, Json>>,
): readonly string[] {
  return Object.entries(inputs).flatMap(([name, { label, optional }]) =>
    optional === true || values[name] !== undefined ? [] : [label],
  );
}
