import { isSameJson, type JsonValue } from '#base/json.ts';
import { UNREPORTED } from '#core/feature/feature.ts';
import { isReportable } from '#core/feature/feature-value.ts';
import type { NoteRefused } from './refused-values.ts';
import type { createAssumptions } from './assumptions.ts';
import type { DeviceEntry } from '#core/device/device-table.ts';

/** Ends a value that is not known any more; true if there was one. */
export type EndValue = (entry: DeviceEntry, key: string, observedAtMs: number | null) => boolean;

type KeptDeps = {
  readonly setState: Parameters<typeof createAssumptions>[0]['setState'];
  readonly noteRefused: NoteRefused;
  readonly hasRoom: (entry: DeviceEntry, key: string, value: JsonValue) => boolean;
  readonly endValue: EndValue;
};

/**
 * Takes values that a broker kept for a device. Their age is unknown, so they neither confirm a command nor show that
 * the device is alive. True if one of them is new.
 */
export function takeKeptValues(
  entry: DeviceEntry,
  values: ReadonlyMap<string, JsonValue>,
  { setState, noteRefused, hasRoom, endValue }: KeptDeps,
): boolean {
  let isNews = false;
  for (const [key, value] of values) {
    const feature = entry.featuresByKey.get(key);
    if (feature?.kind !== 'state') continue;
    const shown = entry.states.get(key) ?? UNREPORTED;
    if (value === null) {
      if (shown.quality !== 'assumed') isNews = endValue(entry, key, shown.observedAtMs) || isNews;
      continue;
    }
    if (!isReportable(feature, value)) {
      noteRefused(entry, key, value);
      continue;
    }
    const isSame = shown.quality !== 'none' && isSameJson(shown.value, value);
    if (isSame || shown.quality === 'assumed') continue;
    if (!hasRoom(entry, key, value)) {
      noteRefused(entry, key, value);
      continue;
    }
    setState(entry, key, { state: { ...shown, value, quality: 'restored' }, cause: null });
    isNews = true;
  }
  return isNews;
}
