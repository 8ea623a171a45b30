import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { type OnRefused, readFeature } from '#core/feature/peer-value.ts';
import type { Light } from './light.ts';
import type { Draft } from './source.ts';
import type { LightStatus } from './wled-message.ts';

/** What was last sent for a feature: the value, and what the light's report of it reads as. */
export type Sent = { readonly value: JsonValue; readonly echo: JsonValue };

const MOST_TENTHS = 65_535;

/** The change that a command makes, which fits the light. Segments have their ids: without one, a change goes elsewhere. */
export function changeFromCommand({ set, action, transitionMs }: DeviceCommand, { byKey }: Light, status: LightStatus) {
  let draft: Draft = { state: {}, segments: new Map() };
  const sent = new Map<string, Sent>();
  const values = new Map<string, JsonValue>(action === null ? set : [...set, [action, null]]);
  // In the order of the features: what a person says of a switch counts more than that a brightness switches it on.
  for (const [key, { write }] of byKey) {
    const value = values.get(key);
    if (value === undefined || write === undefined) continue;
    const written = write(value, draft, status);
    draft = written.draft;
    if (key !== action) sent.set(key, { value, echo: written.echo });
  }
  const tt = transitionMs === null ? {} : { tt: Math.min(MOST_TENTHS, Math.round(transitionMs / 100)) };
  const seg = [...draft.segments].map(([id, members]) => ({ id, ...members }));
  const change: JsonObject = { ...draft.state, ...tt, ...(seg.length === 0 ? {} : { seg }) };
  return { change, sent };
}

/**
 * The values of a light. A value that comes back as it was sent is the requested value: 50 % is sent as 128 of 255,
 * which by itself would read as 50.2 %.
 */
export function valuesFromStatus(
  status: LightStatus,
  { byKey }: Light,
  { sent, onRefused }: { readonly sent: ReadonlyMap<string, Sent>; readonly onRefused?: OnRefused },
): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const [key, { feature, read }] of byKey) {
    const value = readFeature(feature, () => read(status), onRefused);
    if (value === undefined) continue;
    const last = sent.get(key);
    values.set(key, last !== undefined && isSameJson(last.echo, value) ? last.value : value);
  }
  return values;
}

/** Both changes as one; the later one counts where they meet. */
export function mergeChanges(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...earlier };
  for (const [name, value] of Object.entries(later)) {
    const before = merged[name];
    if (name === 'seg') merged[name] = mergeSegments(before, value);
    else if (name === 'col') merged[name] = mergeColors(before, value);
    else merged[name] = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}

function mergeSegments(earlier: JsonValue | undefined, later: JsonValue): readonly JsonObject[] {
  const segments = new Map<JsonValue, JsonObject>();
  for (const segment of [...listOf(earlier), ...listOf(later)]) {
    if (!isJsonObject(segment)) continue;
    const id = segment['id'] ?? null;
    segments.set(id, mergeChanges(segments.get(id) ?? {}, segment));
  }
  return [...segments.values()];
}

/** An empty color is one that the change leaves as it is. */
function mergeColors(earlier: JsonValue | undefined, later: JsonValue): readonly JsonValue[] {
  const [before, after] = [listOf(earlier), listOf(later)];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const color = after[index];
    return listOf(color).length > 0 ? (color ?? []) : (before[index] ?? []);
  });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
