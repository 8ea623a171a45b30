import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { readFeature } from '#core/feature/peer-value.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { ANY_SENSOR } from '#integrations/tasmota/mapping/sensors.ts';
import type { ShownDevice } from '#integrations/tasmota/mapping/tasmota-device.ts';

/** What a device has said, and what the hub makes of it. */
type Said = {
  /** `isKept`: the broker kept it, so nobody knows how old it is. */
  readonly learn: (told: JsonObject, isKept: boolean) => void;
  /** Tells what was done at the device. */
  readonly happen: (told: JsonObject) => void;
  /** A report that reads as `echo` means this value: 4,000 K is sent as 250 mired. */
  readonly expect: (key: string, value: JsonValue, echo: JsonValue) => void;
  /** Reports all of it, as after the features have changed. */
  readonly reportAll: () => void;
};

const MAX_NAMES = 200;

export function createSaid(sink: DeviceSink, shown: () => ShownDevice): Said {
  const known = new Map<string, JsonValue>();
  const sent = new Map<string, { readonly value: JsonValue; readonly echo: JsonValue }>();
  const report = (changed: ReadonlySet<string> | null, isKept: boolean): void => {
    const { sources, description } = shown();
    const values = new Map<string, JsonValue>();
    const onRefused = (key: string, value: JsonValue): void => sink.reportRefused(description.externalId, key, value);
    for (const { feature, names, read } of sources) {
      const isMeant = changed === null || names.some((name) => name === ANY_SENSOR || changed.has(name));
      const value = isMeant ? readFeature(feature, () => read(known), onRefused) : undefined;
      if (value === undefined) continue;
      const last = sent.get(feature.key);
      values.set(feature.key, last !== undefined && isSameJson(last.echo, value) ? last.value : value);
    }
    if (values.size === 0) return;
    if (isKept) sink.reportKeptValues(description.externalId, values);
    else sink.reportValues(description.externalId, values);
  };
  return {
    learn: (told, isKept) => {
      const changed = new Set<string>();
      for (const [name, value] of Object.entries(told)) {
        if (known.size >= MAX_NAMES && !known.has(name)) continue;
        known.set(name, value);
        // One output under two names, as it is set: what it said last under either counts.
        const other = name === 'POWER' ? 'POWER1' : name === 'POWER1' ? 'POWER' : undefined;
        if (other !== undefined) known.delete(other);
        changed.add(name);
      }
      report(changed, isKept);
    },
    happen: (told) => {
      const { sources, description } = shown();
      for (const { feature, names, readEvent } of sources) {
        const [name = ''] = names;
        const value = Object.hasOwn(told, name) ? told[name] : undefined;
        const occurrence = isJsonObject(value) ? readEvent?.(value) : undefined;
        if (occurrence !== undefined) sink.reportOccurrence(description.externalId, feature.key, occurrence);
      }
    },
    expect: (key, value, echo) => void sent.set(key, { value, echo }),
    reportAll: () => report(null, true),
  };
}
