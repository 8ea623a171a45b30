import { isJsonObject, type JsonObject, type JsonValue, listOf } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { type Sent, writesOf } from '#integrations/peer/source.ts';
import type { Light } from './light.ts';
import type { LightStatus } from './wled-message.ts';

const MOST_TENTHS = 65_535;

/** The change that a command makes, which fits the light. */
export function changeFromCommand(command: DeviceCommand, { sources }: Light, status: LightStatus) {
  const { action, transitionMs } = command;
  let change: JsonObject = {};
  const sent = new Map<string, Sent>();
  for (const { source, write, value } of writesOf(command, sources)) {
    const { change: own, echo } = write(value, status, change);
    change = mergeChanges(change, own);
    if (source.feature.key !== action) sent.set(source.feature.key, { value, echo });
  }
  if (transitionMs !== null) change = { ...change, tt: Math.min(MOST_TENTHS, Math.round(transitionMs / 100)) };
  return { change, sent };
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
