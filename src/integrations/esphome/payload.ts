import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { isSaid } from '#core/feature/feature-value.ts';
import type { Entity, ShownDevice } from '#integrations/esphome/entities/node-devices.ts';
import { EXECUTE_SERVICE } from '#integrations/esphome/entities/services.ts';
import { bytesOf, type Draft, type Message, putFixed, putNumber } from '#integrations/esphome/wire/protobuf.ts';

/** A message to a node. */
export type Sending = { readonly type: number; readonly body: Uint8Array };

const TRANSITION_FLAG = 14;
const TRANSITION_MS = 15;
const LONGEST_TRANSITION_MS = 3_600_000;

/** The messages of a command that fits the device: one for each entity and each action. */
export function sendingsFromCommand(
  { set, action, transitionMs }: DeviceCommand,
  { entities, services }: ShownDevice,
): readonly Sending[] {
  const values = new Map<string, JsonValue>(action === null ? set : [...set, [action, null]]);
  const sendings: Sending[] = [];
  for (const { kind, key, deviceId, sources } of entities) {
    // In the order of the features: what a person says of a switch counts more than what a brightness implies.
    const wanted = sources.filter(({ feature, write }) => write !== undefined && values.has(feature.key));
    if (kind.command === undefined || wanted.length === 0) continue;
    const draft: Draft = new Map();
    putFixed(draft, 1, key);
    if (deviceId !== 0) putNumber(draft, kind.command.device, deviceId);
    for (const { feature, write } of wanted) write?.(values.get(feature.key) ?? null, draft);
    if (kind.word === 'light' && transitionMs !== null) {
      putNumber(draft, TRANSITION_FLAG, 1);
      putNumber(draft, TRANSITION_MS, Math.min(LONGEST_TRANSITION_MS, Math.round(transitionMs)));
    }
    sendings.push({ type: kind.command.type, body: bytesOf(draft) });
  }
  for (const { feature, bodyFor } of services) {
    const value = values.get(feature.key);
    if (value !== undefined) sendings.push({ type: EXECUTE_SERVICE, body: bodyFor(value) });
  }
  return sendings;
}

/** What a state says of the features of an entity. */
export function valuesFromState(state: Message, { sources }: Entity): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { feature, read } of sources) {
    const value = read?.(state);
    if (isSaid(feature, value)) values.set(feature.key, value);
  }
  return values;
}
