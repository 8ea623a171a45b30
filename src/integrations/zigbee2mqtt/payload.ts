import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { type OnRefused, readFeature } from '#core/feature/peer-value.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import { actionFromRaw } from '#integrations/zigbee2mqtt/exposes/action-words.ts';
import { valueFromWire, wireFromValue } from '#integrations/zigbee2mqtt/exposes/conversion.ts';
import type { Binding } from '#integrations/zigbee2mqtt/exposes/exposes.ts';
import { faultWords } from '#words/faults.ts';

export type Sent = { readonly key: string; readonly wire: JsonValue; readonly value: JsonValue };

type Report = {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly occurrences: readonly { readonly key: string; readonly occurrence: Occurrence }[];
};

/**
 * Reads a state payload. Skips properties that are no feature, and values of a wrong type. `null` is what nobody knows,
 * and of a lamp's white and color the one that it does not show. A value that comes back as it was sent becomes the
 * requested value: 2700 K is sent as 370 mired, which by itself would read as 2703 K.
 */
export function reportFromState(
  state: JsonObject,
  byProperty: ReadonlyMap<string, Binding>,
  { sent, onRefused }: { readonly sent: ReadonlyMap<string, Sent>; readonly onRefused?: OnRefused },
): Report {
  const values = new Map<string, JsonValue>();
  const occurrences: { key: string; occurrence: Occurrence }[] = [];
  for (const [property, wire] of Object.entries(state)) {
    const binding = byProperty.get(property);
    if (binding === undefined) continue;
    const { key } = binding.feature;
    if (binding.conversion.kind === 'occurrence') {
      if (typeof wire === 'string' && wire !== '') occurrences.push({ key, occurrence: occurrenceFromRaw(wire) });
      continue;
    }
    if (wire === null || isOfOtherMode(state, binding)) {
      values.set(key, null);
      continue;
    }
    const last = sent.get(property);
    const isEcho = last !== undefined && isWhatWasSent(last, wire, binding);
    const read = (): JsonValue | undefined => (isEcho ? last.value : valueFromWire(binding.conversion, wire));
    const value = readFeature(binding.feature, read);
    if (value === undefined) onRefused?.(key, wire);
    else values.set(key, value);
  }
  return { values, occurrences };
}

/**
 * A lamp says in which mode it is: its color in white light, and its white in colored light, are what comes nearest, or
 * from before.
 */
function isOfOtherMode(state: JsonObject, { feature, property }: Binding): boolean {
  const name = MODE_NAMES.get(feature.capability);
  if (name === undefined || !property.startsWith(name)) return false;
  const mode = state[`color_mode${property.slice(name.length)}`];
  return feature.capability === 'color' ? mode === 'color_temp' : mode === 'xy' || mode === 'hs';
}

/** The properties of the two ways to have a color; those of one endpoint end as `color_mode` of that. */
const MODE_NAMES: ReadonlyMap<string, string> = new Map([
  ['color', 'color'],
  ['color_temperature', 'color_temp'],
]);

/** True only while the same value would be sent the same way: an update of Zigbee2MQTT may change a device's scale. */
function isWhatWasSent(last: Sent, wire: JsonValue, { conversion }: Binding): boolean {
  return isSameJson(last.wire, wire) && isSameJson(wireFromValue(conversion, last.value) ?? null, wire);
}

/** An action longer than any vendor sends is passed on unread: the home refuses it and logs that once. */
function occurrenceFromRaw(raw: string): Occurrence {
  return raw.length > MAX_RAW ? { action: raw, raw } : { ...actionFromRaw(raw), raw };
}

const MAX_RAW = 256;

type SetPayload =
  | { readonly payload: JsonObject; readonly sent: ReadonlyMap<string, Sent> }
  | { readonly errors: readonly FieldError[] };

/** The set payload of a command, or an error for each value that has no form on the wire. */
export function payloadFromCommand(command: DeviceCommand, byKey: ReadonlyMap<string, Binding>): SetPayload {
  const errors: FieldError[] = [];
  const sent = new Map<string, Sent>();
  const requested = [...command.set, ...(command.action === null ? [] : [[command.action, null] as const])];
  let isLight = false;
  for (const [key, value] of requested) {
    const pointer = command.action === key ? '/do' : `/set${pointerStep(key)}`;
    const binding = byKey.get(key);
    if (binding === undefined) {
      errors.push(fieldError(pointer, 'UNKNOWN', ...faultWords('unknown_feature')));
      continue;
    }
    const wire = wireFromValue(binding.conversion, value);
    if (wire === undefined) {
      errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords('no_value_of_feature')));
      continue;
    }
    isLight ||= binding.parent === 'light';
    sent.set(binding.property, { key, wire, value });
  }
  if (errors.length > 0) return { errors };
  const entries = [...sent].map(([property, { wire }]) => [property, wire] as const);
  // Only lights have a transition. Others would report an unknown property.
  if (isLight && command.transitionMs !== null) entries.push(['transition', command.transitionMs / 1000]);
  return { payload: Object.fromEntries(entries), sent };
}
