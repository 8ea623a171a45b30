import type { JsonValue } from '#base/json.ts';
import type { DeviceId } from '#core/device/device.ts';

/** A series tells a measured value, a count that only rises, one of a few states, or things that happen. */
export type SeriesKind = 'gauge' | 'counter' | 'state' | 'event';

/** A description tells what the samples of a series are. Its name is `<device id>/<key>`, or such as `mode/home`. */
export type SeriesDescription = {
  readonly name: string;
  readonly kind: SeriesKind;
  readonly unit: string | null;
};

/**
 * Why nothing is known. The storage adds `lost` for a file that is gone or damaged, `paused` while the disk is full, and
 * `deleted` where a person deleted samples; the recorder adds the others, `unknown` where the device itself says that it
 * does not know. Files have their places in this list.
 */
export const GAP_REASONS = [
  'offline',
  'stale',
  'hub_off',
  'clock_unset',
  'paused',
  'lost',
  'not_recorded',
  'deleted',
  'unknown',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];

export function isGapReason(text: string): text is GapReason {
  return (GAP_REASONS as readonly string[]).includes(text);
}

/** The beginning of a time in which nothing is known; the next value ends it. */
export type GapMark = {
  readonly gap: GapReason;
  /** It may have begun earlier: the hub cannot know when a power cut ended the last run. */
  readonly isUncertain?: true;
};

/** Numbers are finite. */
export type SampleValue = boolean | number | string;

/** From its time on the value holds, until the next sample of the series. */
export type Sample = {
  /** Kept to a tenth of a second. */
  readonly atMs: number;
  readonly value: SampleValue | GapMark;
};

/** A sample whose value is known. */
export type Point = { readonly atMs: number; readonly value: SampleValue };

export function isGap(value: SampleValue | GapMark): value is GapMark {
  return typeof value === 'object';
}

/** About what a sample takes in memory; it writes no more than that. */
export function bytesOf(value: SampleValue | GapMark): number {
  return 16 + (typeof value === 'string' ? 2 * value.length : 0);
}

/** Longer texts are recorded only if a person wants them. */
export const USUAL_TEXT = 256;

/** Other values have no history: colours, lists, objects. */
export function isSampleValue(value: JsonValue): value is SampleValue {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean' || typeof value === 'string';
}

/** A series that holds `true` while the hub records: an orderly end is a gap in it. */
export const RUN_SERIES = 'hub/recording';

const TIMELINE = 'timeline/';
/** This series has the lines that are about no device. */
export const HOME_TIMELINE = `${TIMELINE}home`;

/** The stored lines about a device are samples of a series: so they are kept, bounded and removed as all samples are. */
export function timelineOf(device: DeviceId): string {
  return TIMELINE + device;
}
