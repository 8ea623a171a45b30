import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, Device } from '#core/device/device.ts';
import { findValueErrors, isReportable, isReportableOccurrence } from '#core/feature/feature-value.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import type { ProviderReport } from './provider.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

/** A script reports this of one device. Its form was checked, its meaning was not. */
export type StatedReport = {
  readonly values?: Readonly<Record<string, JsonValue>> | undefined;
  readonly occurrences?: readonly (Pick<Occurrence, 'action'> & {
    readonly key: string;
    readonly count?: number | undefined;
    readonly raw?: string | undefined;
  })[];
  readonly observedAtMs?: number | undefined;
  readonly availability?: AvailabilityState | undefined;
};

type ReportReading = { readonly report: ProviderReport } | { readonly errors: readonly FieldError[] };

type ReportReaderDeps = {
  readonly findDevice: (externalId: string) => Device | undefined;
  readonly hasRoomFor: (device: Device, values: ReadonlyMap<string, JsonValue>) => boolean;
  readonly wallMs: () => number;
};

/** The limit for each report: a body of wrong values must not return many times its size. */
const MAX_ERRORS = 8;
/** Two clocks in one home may differ this much. */
const MAX_AHEAD_MS = 60_000;
const MAX_AGE_MS = 24 * 3_600_000;

/** Checks reports against the features of their devices. To be made for each batch: it remembers their features. */
export function createReportReader({ findDevice, hasRoomFor, wallMs }: ReportReaderDeps) {
  const featuresOf = createFeatureIndex();
  /** `at` is the pointer of the report. A report is taken whole or refused with its first faults. */
  return (externalId: string, stated: StatedReport, at: string): ReportReading => {
    const device = findDevice(externalId);
    if (device === undefined)
      return { errors: [fieldError(`${at}/device`, 'UNKNOWN', ...faultWords('not_of_provider'))] };
    const features = featuresOf(device);
    const values = new Map(Object.entries(stated.values ?? {}));
    const occurrences = stated.occurrences ?? [];
    const errors: FieldError[] = [];
    for (const [key, value] of values) {
      if (errors.length >= MAX_ERRORS) break;
      errors.push(...findStateErrors(features.get(key), value, `${at}/values${pointerStep(key)}`));
    }
    for (const [index, occurrence] of occurrences.entries()) {
      if (errors.length >= MAX_ERRORS) break;
      errors.push(...findOccurrenceErrors(features.get(occurrence.key), occurrence, `${at}/occurrences/${index}`));
    }
    errors.push(...findTimeErrors(stated.observedAtMs, { device, values, nowMs: wallMs() }, `${at}/observed_at`));
    if (errors.length === 0 && !hasRoomFor(device, values))
      errors.push(fieldError(`${at}/values`, 'TOO_LONG', ...faultWords('too_much_memory')));
    if (errors.length > 0) return { errors: errors.slice(0, MAX_ERRORS) };
    const observedAtMs = stated.observedAtMs === undefined ? null : Math.min(stated.observedAtMs, wallMs());
    const availability = stated.availability ?? null;
    return {
      report: { externalId, values, occurrences: occurrences.map(occurrenceFrom), observedAtMs, availability },
    };
  };
}

/** Devices have up to 2,000 features, and a batch many values of one device. */
function createFeatureIndex(): (device: Device) => ReadonlyMap<string, Feature> {
  const known = new Map<readonly Feature[], ReadonlyMap<string, Feature>>();
  return ({ features }) => {
    const found = known.get(features) ?? new Map(features.map((feature) => [feature.key, feature]));
    known.set(features, found);
    return found;
  };
}

function findStateErrors(feature: Feature | undefined, value: JsonValue, pointer: string): readonly FieldError[] {
  if (feature === undefined) return [fieldError(pointer, 'UNKNOWN', ...faultWords('unknown_feature'))];
  if (feature.kind !== 'state')
    return [fieldError(pointer, 'INVALID_VALUE', ...faultWords('has_no_value', { kind: feature.kind }))];
  // The device does not know it (any more).
  if (value === null) return [];
  const errors = findValueErrors(feature, value, pointer);
  if (errors.length > 0 || isReportable(feature, value)) return errors;
  return [fieldError(pointer, 'TOO_LONG', ...faultWords('too_large_or_deep'))];
}

type Stated = NonNullable<StatedReport['occurrences']>[number];

function findOccurrenceErrors(feature: Feature | undefined, stated: Stated, at: string): readonly FieldError[] {
  if (feature === undefined) return [fieldError(`${at}/key`, 'UNKNOWN', ...faultWords('unknown_feature'))];
  if (feature.kind !== 'event') return [fieldError(`${at}/key`, 'INVALID_VALUE', ...faultWords('no_event'))];
  if (feature.options !== null && !feature.options.includes(stated.action))
    return [fieldError(`${at}/action`, 'INVALID_VALUE', ...faultWords('no_option_of_feature'))];
  if (!isReportableOccurrence(occurrenceFrom(stated).occurrence))
    return [fieldError(at, 'TOO_LONG', ...faultWords('word_too_long'))];
  return [];
}

function occurrenceFrom({ key, action, count, raw }: Stated): ProviderReport['occurrences'][number] {
  const times = count === undefined ? {} : { count };
  return { key, occurrence: { action, ...times, raw: raw ?? action } };
}

type Stating = { readonly device: Device; readonly values: ReadonlyMap<string, JsonValue>; readonly nowMs: number };

/** The hub keeps present values: an observation must not replace a newer one. */
function findTimeErrors(atMs: number | undefined, { device, values, nowMs }: Stating, pointer: string): FieldError[] {
  if (atMs === undefined) return [];
  const refuse = (...words: FaultWords): FieldError[] => [fieldError(pointer, 'OUT_OF_RANGE', ...words)];
  if (atMs > nowMs + MAX_AHEAD_MS) return refuse(...faultWords('time_ahead'));
  if (atMs < nowMs - MAX_AGE_MS) return refuse(...faultWords('time_day_ago'));
  for (const key of values.keys()) {
    const knownAtMs = device.states.get(key)?.observedAtMs ?? null;
    if (knownAtMs !== null && knownAtMs > atMs) return refuse(...faultWords('time_earlier'));
  }
  return [];
}
