import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Announcement } from '#integrations/tasmota/announcement.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';

/** A device has said this so far, by the name of each thing: `POWER1`, `Dimmer`, `Shutter1`, `BME280`. */
export type Readings = ReadonlyMap<string, JsonValue>;

/** Commands of the firmware that make one value. */
export type Order = {
  readonly commands: readonly (readonly [name: string, argument: string])[];
  /** The name in the answer that shows that it was taken. */
  readonly answeredBy: string;
  /** What the device's report of the value reads as, where that is not the value itself. */
  readonly echo?: JsonValue;
};

/** Where a feature comes from, and where its commands go. */
export type Source = PeerSource<Readings, (value: JsonValue) => Order> & {
  /** The names that it is read from. */
  readonly names: readonly string[];
  /** Reads an occurrence that the device tells under one of the names. */
  readonly readEvent?: (told: JsonObject) => Occurrence | undefined;
};

/** Reads the device's words for on and off; `undefined` for another word. */
export function flagFrom({ on, off }: Announcement['words'], word: JsonValue | undefined): boolean | null | undefined {
  if (word === null) return null;
  return word === on ? true : word === off ? false : undefined;
}

/** `HallLeft2` → `hall_left2`, for the names of components and features. */
export function wordOf(name: string): string {
  return name
    .slice(0, 40)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}
