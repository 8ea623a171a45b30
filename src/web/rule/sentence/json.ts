import { hasOwn } from '#web/since-2021.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** A value and where it stands. */
export type Spot<Value = Json> = { readonly value: Value; readonly pointer: string };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** `/steps/0/set` and `a/b` make `/steps/0/set/a~1b` (RFC 6901). */
export function inside(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of what it stands in, and its name there. */
export function parentOf(pointer: string): readonly [parent: string, name: string] {
  const cut = pointer.lastIndexOf('/');
  return [pointer.slice(0, Math.max(0, cut)), namesOf(pointer.slice(cut)).join('')];
}

export function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (isList(value)) return value[Number(name)];
  return isObject(value) && hasOwn(value, name) ? value[name] : undefined;
}

export function valueAt(document: Json, pointer: string): Json | undefined {
  return namesOf(pointer).reduce<Json | undefined>(memberOf, document);
}

/** The document with another value there; `undefined` takes it out. What has nothing around it stays as it is. */
export function withValueAt(document: Json, pointer: string, value: Json | undefined): Json {
  return put(document, namesOf(pointer), value) ?? null;
}

function put(at: Json | undefined, [name, ...rest]: readonly string[], value: Json | undefined): Json | undefined {
  if (name === undefined) return value;
  if (isList(at)) {
    const index = Number(name);
    const next = put(at[index], rest, value);
    return next === undefined
      ? at.filter((_, other) => other !== index)
      : at.map((one, other) => (other === index ? next : one));
  }
  const own = isObject(at) ? at : {};
  const next = put(memberOf(own, name), rest, value);
  if (next !== undefined) return { ...own, [name]: next };
  return Object.fromEntries(Object.entries(own).filter(([other]) => other !== name));
}

/** The list there with one more at the end; a list that was not there begins with it. */
export function withAdded(document: Json, pointer: string, value: Json): Json {
  const list = valueAt(document, pointer);
  return withValueAt(document, pointer, [...(isList(list) ? list : []), value]);
}

/** One of a list changes its place by one; at the end of the list nothing happens. */
export function withMoved(document: Json, pointer: string, by: -1 | 1): Json {
  const [parent, name] = parentOf(pointer);
  const list = valueAt(document, parent);
  const from = Number(name);
  const moved = isList(list) ? list[from] : undefined;
  const other = isList(list) ? list[from + by] : undefined;
  if (!isList(list) || moved === undefined || other === undefined) return document;
  const places: Readonly<Record<number, Json>> = { [from]: other, [from + by]: moved };
  return withValueAt(
    document,
    parent,
    list.map((one, place) => places[place] ?? one),
  );
}
