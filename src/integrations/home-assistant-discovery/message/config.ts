import { encodingNamed, RAW, UTF_8, type Encoding } from './encoding.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { textOf } from '#integrations/home-assistant-discovery/template/text.ts';
import { isKind, isNumber, type PyDict, type Value } from '#integrations/home-assistant-discovery/template/value.ts';

/** The settings of one entity, under their long names, with Python's values: `payload_on: true` is the text `True`. */
export type Config = ReadonlyMap<string, Value>;

export function configOf(dict: PyDict): Config {
  return new Map(
    [...dict.entries.values()].flatMap(({ key, value }) => (typeof key === 'string' ? [[key, value]] : [])),
  );
}

/** As Home Assistant's `cv.string`: any plain value as a text. `undefined` if it is missing or no plain value. */
export function textIn(config: Config, name: string): string | undefined {
  const value = config.get(name);
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return textOf(value);
}

export function numberIn(config: Config, name: string): number | undefined {
  const value = config.get(name);
  if (value === undefined || value === null) return undefined;
  if (isNumber(value)) return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

export function flagIn(config: Config, name: string): boolean {
  const value = config.get(name);
  return (
    value === true || (typeof value === 'string' && ['1', 'true', 'yes', 'on', 'enable'].includes(value.toLowerCase()))
  );
}

/** A list of texts, also where one text stands for a list. */
export function textsIn(config: Config, name: string): readonly string[] | undefined {
  const value = config.get(name);
  if (value === undefined || value === null) return undefined;
  if (!isKind(value, 'list')) return textIn(config, name) === undefined ? undefined : [textIn(config, name) ?? ''];
  const texts = value.items.map((item) => textIn(new Map([['item', item]]), 'item'));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The objects in a list, or the one that stands for a list. */
export function dictsIn(config: Config, name: string): readonly Config[] {
  const value = config.get(name) ?? null;
  const items = isKind(value, 'list') ? value.items : [value];
  return items.flatMap((item) => (isKind(item, 'dict') ? [configOf(item)] : []));
}

/** How the messages of this entity are bytes. Throws TemplateFault for what the hub does not know. */
export function encodingIn(config: Config): Encoding {
  const said = textIn(config, 'encoding');
  if (said === undefined) return UTF_8;
  if (said === '') return RAW;
  const encoding = encodingNamed(said);
  if (encoding === undefined) throw syntaxFault(`the encoding ${said.slice(0, 40)} is not supported`);
  return encoding;
}
