import type { JsonObject, JsonValue } from '#base/json.ts';
import type { FeatureCategory, FeatureKind, Unit, ValueType } from './value-type.ts';
import type { Capability } from './vocabulary.ts';

/** Something that a device can report or do, without its present value. */
export type Feature = {
  /** `on` on component `main`, `left.on` elsewhere; unique in the device, stable across restarts and re-pairing. */
  readonly key: string;
  readonly capability: Capability;
  readonly component: string;
  readonly kind: FeatureKind;
  readonly category: FeatureCategory;
  readonly name: string;
  readonly description: string | null;
  readonly valueType: ValueType;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly unit: Unit | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  /** The values that an enum takes, or the actions that an event feature reports. */
  readonly options: readonly string[] | null;
  /** JSON Schema of the value, if its type does not describe it (composites, lists). */
  readonly schema: JsonObject | null;
  /** What it comes from, where a device is put together of parts with ids of their own. */
  readonly source?: string;
};

/**
 * `confirmed`: the device reported it; `assumed`: the hub sent it, but the device has not reported it yet; `restored`:
 * from before the restart; `stale`: no report for longer than the device's rule, or a lamp has its color in the other
 * way by now; `none`: never reported, or the device says that it does not know.
 */
export const QUALITIES = ['confirmed', 'assumed', 'restored', 'stale', 'none'] as const;
export type Quality = (typeof QUALITIES)[number];

export type FeatureState = {
  readonly value: JsonValue;
  readonly quality: Quality;
  /** Wall time of the last report in milliseconds, even if it repeated the value. */
  readonly observedAtMs: number | null;
  /** Wall time of the last change of the value. */
  readonly changedAtMs: number | null;
};

export const UNREPORTED: FeatureState = { value: null, quality: 'none', observedAtMs: null, changedAtMs: null };

/** Something that happened at a device and is over: a button press. Never a state. */
export type Occurrence = {
  /** `single`, `double`, `hold`, `release`, `rotate_left`, …; lower snake_case. */
  readonly action: string;
  readonly count?: number;
  /** The vendor's word for it. */
  readonly raw: string;
};
