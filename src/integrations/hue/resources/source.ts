import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';

/** A value is sent as `body`, and the bridge's report of it reads as `echo`. */
type Wire = { readonly body: JsonObject; readonly echo: JsonValue };

/** An occurrence with the bridge's time of it, by which a repeated report is known. */
type Happening = { readonly occurrence: Occurrence; readonly updated: string };

/** A feature with its place in one resource. */
export type Source = PeerSource<JsonValue, (value: JsonValue) => Wire> & {
  /** The member of the resource that it comes from. An update without this member says nothing of it. */
  readonly member: string;
  readonly readHappening?: (member: JsonValue) => Happening | undefined;
};

/** The sources of one resource, and the members (`color`, `color.xy`) of which they leave nothing. */
export type Sources = { readonly sources: readonly Source[]; readonly used: readonly string[] };

const WORD = /^[a-z][a-z0-9_]{0,63}$/;
const MAX_OPTIONS = 200;

/** The words of a list, each once; `null` if it has none. */
export function readOptions(list: JsonValue | undefined): readonly string[] | null {
  if (!Array.isArray(list)) return null;
  const words = list.slice(0, MAX_OPTIONS).filter((item: JsonValue) => typeof item === 'string' && WORD.test(item));
  return words.length === 0 ? null : [...new Set(words as readonly string[])];
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** `null` stays what it is: the bridge does not know. */
export function orNull<Value extends JsonValue>(
  value: JsonValue | undefined,
  read: Value | undefined,
): Value | null | undefined {
  return value === null ? null : read;
}

/** A member of a resource that is an object. */
export function memberOf(resource: Resource, name: string): JsonObject | undefined {
  const member = resource[name];
  return isJsonObject(member) ? member : undefined;
}

/** A reader of a member that must be an object. */
export function readMember<Value extends JsonValue>(read: (member: JsonObject) => Value | undefined) {
  return (member: JsonValue): Value | null | undefined =>
    member === null ? null : isJsonObject(member) ? read(member) : undefined;
}
