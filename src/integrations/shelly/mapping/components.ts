import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '#base/json.ts';

/** A part of a device that has a status of its own: a relay, an input, a sensor. */
export type Component = {
  /** As the device names it: `switch:0`, `sys`. */
  readonly key: string;
  /** `switch` */
  readonly type: string;
  /** Its number among those of its type; `null` where there can be only one. */
  readonly id: number | null;
  readonly config: JsonObject;
  readonly status: JsonObject;
};
export type Components = ReadonlyMap<string, Component>;

/** The largest gateway has some 60. */
const MAX_COMPONENTS = 200;
const MAX_MEMBERS = 100;
const MAX_DEPTH = 6;
const KEY = /^([a-z][a-z0-9_]{0,30})(?::(\d{1,5}))?$/;

/** The components of a device, in the order in which it lists them. What is none is left out. */
export function readComponents(
  config: JsonValue,
  status: JsonValue,
  added: readonly JsonValue[],
): Map<string, Component> {
  const components = new Map<string, Component>();
  const add = (key: string, own: { readonly config?: JsonValue; readonly status?: JsonValue }): void => {
    const [, type, id] = KEY.exec(key) ?? [];
    if (type === undefined || components.size >= MAX_COMPONENTS) return;
    components.set(key, {
      key,
      type,
      id: id === undefined ? null : Number(id),
      config: objectOf(own.config),
      status: mergeStatus({}, objectOf(own.status)),
    });
  };
  const configs = objectOf(config);
  for (const [key, own] of Object.entries(objectOf(status))) add(key, { config: configs[key] ?? {}, status: own });
  for (const one of added) {
    if (!isJsonObject(one) || typeof one['key'] !== 'string') continue;
    add(one['key'], one);
  }
  return components;
}

/** A change of a status: objects are changed member by member, all else takes the place of what was there. */
export function mergeStatus(before: JsonObject, change: JsonObject, depth = 0): JsonObject {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(change)) {
    if (merged.size >= MAX_MEMBERS && !merged.has(name)) continue;
    if (!isJsonObject(value)) merged.set(name, value);
    else if (depth < MAX_DEPTH) merged.set(name, mergeStatus(objectOf(merged.get(name)), value, depth + 1));
  }
  return Object.fromEntries(merged);
}

/** A device reports some components: the members that have changed, or all that each has. */
export type Statuses = Map<string, { readonly status: JsonObject; readonly isWhole: boolean }>;

/** Adds what a device says to what it has said before, so that both together are no more than it has components. */
export function noteStatuses(said: Statuses, params: JsonObject, isWhole: boolean): void {
  for (const [key, status] of Object.entries(params)) {
    if (!isJsonObject(status) || (said.size >= MAX_COMPONENTS && !said.has(key))) continue;
    const before = isWhole ? undefined : said.get(key);
    said.set(key, {
      status: mergeStatus(before?.status ?? {}, status),
      isWhole: isWhole || before?.isWhole === true,
    });
  }
}
