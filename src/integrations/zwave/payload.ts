import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { type OnRefused, readFeature } from '#core/feature/peer-value.ts';
import type { NodeDevice } from '#integrations/zwave/mapping/node-device.ts';
import type { Look, Sending, Source } from '#integrations/zwave/mapping/source.ts';
import { keyOf } from './zwave-message.ts';

/** What a command that fits the device sends, with the features that each is for. One value is written once. */
export type Planned = { readonly sending: Sending; readonly keys: readonly string[] };

export function sendingsFromCommand({ set, action }: DeviceCommand, sources: readonly Source[]): readonly Planned[] {
  const planned = new Map<string, Planned>();
  const values = new Map<string, JsonValue>(action === null ? set : [[action, null]]);
  for (const { feature, write } of sources) {
    const value = values.get(feature.key);
    if (value === undefined || write === undefined) continue;
    for (const sending of write(value, values)) {
      const place = 'command' in sending ? sending.command : keyOf(sending.id);
      const keys = [...(planned.get(place)?.keys ?? []), feature.key];
      planned.set(place, { sending, keys });
    }
  }
  return [...planned.values()];
}

/** What the values of a node say of its features: of all, or of those that read this value. */
export function valuesFrom(
  device: NodeDevice,
  look: Look,
  { changed, onRefused }: { readonly changed?: string; readonly onRefused?: OnRefused } = {},
): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { feature, read } of changed === undefined ? device.sources : (device.byValue.get(changed) ?? [])) {
    const value = read === undefined ? undefined : readFeature(feature, () => read(look), onRefused);
    if (value !== undefined) values.set(feature.key, value);
  }
  return values;
}
