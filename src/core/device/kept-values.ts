import { isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceEntry } from './device-table.ts';
import { type FeatureState, UNREPORTED } from '#core/feature/feature.ts';
import { isReportable } from '#core/feature/feature-value.ts';

/**
 * Takes values that somebody kept for a device, as a broker does: of unknown age, so that they are neither evidence for
 * a command nor a sign of life. True where one is news.
 */
export function takeKeptValues(
  entry: DeviceEntry,
  values: ReadonlyMap<string, JsonValue>,
  {
    setState,
    noteRefused,
    hasRoom,
  }: {
    readonly setState: (entry: DeviceEntry, key: string, state: FeatureState) => void;
    readonly noteRefused: (entry: DeviceEntry, key: string) => void;
    readonly hasRoom: (entry: DeviceEntry, key: string, value: JsonValue) => boolean;
  },
): boolean {
  let isNews = false;
  for (const [key, value] of values) {
    const feature = entry.featuresByKey.get(key);
    if (value === null || feature?.kind !== 'state') continue;
    if (!isReportable(feature, value)) {
      noteRefused(entry, key);
      continue;
    }
    const shown = entry.states.get(key) ?? UNREPORTED;
    const isSame = shown.quality !== 'none' && isSameJson(shown.value, value);
    if (isSame || shown.quality === 'assumed') continue;
    if (!hasRoom(entry, key, value)) {
      noteRefused(entry, key);
      continue;
    }
    setState(entry, key, { ...shown, value, quality: 'restored' });
    isNews = true;
  }
  return isNews;
}
