import { isJsonObject, isSameJson, type JsonValue } from '#base/json.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { TriggerMemory } from '#core/automation/trigger/happening.ts';
import type { SavedEntry } from '#core/automation-run/engine.ts';
import { shiftMemory } from './run-state.ts';

/**
 * Writes the memory with the trigger itself: after an edit and a power cut the entry may still be that of another
 * trigger with the same id.
 */
export function encodeMemory(trigger: Trigger, memory: TriggerMemory): JsonValue {
  return { trigger, memory };
}

/** `undefined` if it is not of exactly this trigger. Only `encodeMemory` makes entries, and the journal has checksums. */
export function decodeMemory(trigger: Trigger, entry: SavedEntry | undefined): TriggerMemory | undefined {
  if (entry === undefined || !isJsonObject(entry.value)) return undefined;
  const { trigger: written, memory } = entry.value as unknown as { trigger?: Trigger; memory: TriggerMemory };
  if (written === undefined || !isSameTrigger(written, trigger)) return undefined;
  return shiftMemory(memory, entry.shiftMs);
}

export function isSameTrigger(left: Trigger, right: Trigger): boolean {
  return isSameJson(left, right);
}
