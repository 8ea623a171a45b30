import { isSameJson, type JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Cause } from '#core/cause/cause.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { type Assumptions, createAssumptions } from './assumptions.ts';
import type { AvailabilityState, Device } from '#core/device/device.ts';
import type { DeviceLimits } from '#core/device/device-limits.ts';
import type { DeviceStore } from '#core/device/device-store.ts';
import type { DeviceEntry, DeviceTable } from '#core/device/device-table.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { findOtherColorWay } from '#core/feature/color-way.ts';
import { type Feature, type Occurrence, type Quality, UNREPORTED } from '#core/feature/feature.ts';
import { isReportable, isReportableOccurrence } from '#core/feature/feature-value.ts';
import { createRefusedValues, type NoteRefused } from './refused-values.ts';
import { withLockRule } from '#core/feature/lock-state.ts';
import { type EndValue, takeKeptValues } from './kept-values.ts';
import { measuredValues } from '#core/feature/measures.ts';
import { createStaleWatch } from '#base/time/stale-watch.ts';
import { createValueRoom, type ValueRoom } from './value-room.ts';

/** Takes the reports of devices. The cost of a call grows with what it reports, never with the size of the home. */
export type DeviceReporting = {
  readonly reportValues: (entry: DeviceEntry, values: ReadonlyMap<string, JsonValue>, observedAtMs?: number) => void;
  readonly reportKeptValues: (entry: DeviceEntry, values: ReadonlyMap<string, JsonValue>) => void;
  /** Values that the hub itself makes of those of other devices; `null` where a part of them is unknown. */
  readonly reportDerived: (entry: DeviceEntry, values: ReadonlyMap<string, DerivedValue | null>) => void;
  readonly reportOccurrence: (entry: DeviceEntry, key: string, occurrence: Occurrence) => void;
  /** These values are too old, whatever the rule of the device. */
  readonly reportStale: (entry: DeviceEntry, keys: Iterable<string>) => void;
  /** The device said something of a feature that is no value of it. */
  readonly reportRefused: (entry: DeviceEntry, key: string, value: JsonValue) => void;
  readonly reportAvailability: (entry: DeviceEntry, state: AvailabilityState, reason: string | null) => void;
  readonly reportSeen: (entry: DeviceEntry, seenAtMs: number) => void;
  /** Starts the time after which the device's values are stale, by its present rule. */
  readonly watch: (entry: DeviceEntry) => void;
  readonly forget: (entry: DeviceEntry) => void;
  /** Whether this value of the device fits within the limits. If it does, it counts from now on. */
  readonly hasRoom: ValueRoom<DeviceEntry>['take'];
  readonly hasRoomFor: ValueRoom<DeviceEntry>['fits'];
  readonly dropValue: (entry: DeviceEntry, key: string) => void;
  readonly markStale: () => void;
  readonly assumptions: Pick<Assumptions, 'assume' | 'drop' | 'reported'>;
  /** The listener is called after each report of values, even if it only repeats them. */
  readonly onValues: (listener: ValuesListener) => () => void;
};

/** A value, the least sure quality of those that it is made of, and what their change answers, if that is known. */
export type DerivedValue = { readonly value: JsonValue; readonly quality: Quality; readonly cause?: Cause | null };

/** `observedAtMs`: wall time at which the device had the values, if that was earlier than now. */
export type ValuesListener = (
  device: Device,
  values: ReadonlyMap<string, JsonValue>,
  observedAtMs: number | undefined,
) => void;

/** Finds the cause of a change of a value; `null` where nobody commanded it. */
export type FindCause = (
  device: Pick<DeviceEntry, 'id' | 'featuresByKey'>,
  change: {
    readonly key: string;
    /** False if the device had reported this value before. */
    readonly isNews: boolean;
    /** All that the device reported with it. */
    readonly values: ReadonlyMap<string, JsonValue>;
    /** Wall time at which the device had them, if that was earlier than now. */
    readonly observedAtMs: number | undefined;
  },
) => Cause | null;

type Deps = Pick<Runtime, 'clock' | 'log'> & {
  readonly table: DeviceTable;
  readonly store: Pick<DeviceStore, 'saveValue'>;
  readonly emit: (event: HomeEvent) => void;
  readonly findCause: FindCause;
  readonly limits: DeviceLimits;
};

export function createDeviceReporting(deps: Deps): DeviceReporting {
  const { table, store, clock, emit, findCause, limits, log } = deps;
  const staleWatch = createStaleWatch<DeviceEntry>();
  const room = createValueRoom<DeviceEntry>(limits);
  const watch = (entry: DeviceEntry): void => {
    if (entry.staleAfterMs === null) staleWatch.forget(entry);
    else staleWatch.touch(entry, entry.staleAfterMs, clock.monotonicMs());
  };
  const setState: SetState = (entry, key, { state, cause }) => {
    entry.states.set(key, state);
    emit({ type: 'feature.changed', device: entry, key, state, cause });
  };

  const assumptions = createAssumptions({ clock, setState });
  const subscribers = createSubscribers<Parameters<ValuesListener>>(log);
  const noteRefused = createRefusedValues(log);

  const endValue = createValueEnd({ room, assumptions, setState, store });
  const reportValue = createValueReport({ room, assumptions, setState, noteRefused, store, findCause, endValue });

  const reportStale = createStaleReport(setState, table);
  return {
    reportStale,
    reportRefused: noteRefused,
    reportKeptValues: (entry, kept) => {
      const values = withLockRule(entry.featuresByKey, measuredValues(entry, kept));
      const parts = { setState, noteRefused, hasRoom: room.take, endValue };
      if (takeKeptValues(entry, values, parts)) table.changed(entry, 'changed');
    },
    reportValues: (entry, reported, observedAtMs) => {
      const values = withLockRule(entry.featuresByKey, measuredValues(entry, reported));
      const atMs = observedAtMs ?? clock.wallMs();
      let isChanged = false;
      const report = { values, atMs, observedAtMs };
      for (const value of values) isChanged = reportValue(entry, value, report) || isChanged;
      seen(entry, clock.wallMs());
      watch(entry);
      table.changed(entry, isChanged ? 'changed' : 'observed');
      subscribers.tell(entry, values, observedAtMs);
    },
    reportDerived: createDerivedReport({ table, store, clock, setState, tell: subscribers.tell }),
    reportOccurrence: (entry, key, occurrence) => {
      if (entry.featuresByKey.get(key)?.kind !== 'event') return;
      if (!isReportableOccurrence(occurrence)) return noteRefused(entry, key, occurrence.raw);
      seen(entry, clock.wallMs());
      watch(entry);
      emit({ type: 'feature.occurred', device: entry, key, occurrence });
      table.changed(entry, 'observed');
    },
    reportAvailability: (entry, state, reason) => {
      const old = entry.availability;
      if (old.state === state && old.reason === reason) return;
      const sinceMs = old.state === state ? old.sinceMs : clock.wallMs();
      entry.availability = { ...old, state, reason, sinceMs };
      emit({ type: 'availability.changed', device: entry, availability: entry.availability });
      table.changed(entry, 'changed');
    },
    reportSeen: (entry, seenAtMs) => {
      if (seenAtMs === entry.availability.lastSeenAtMs) return;
      seen(entry, seenAtMs);
      table.changed(entry, 'observed');
    },
    watch,
    hasRoom: room.take,
    hasRoomFor: room.fits,
    dropValue: (entry, key) => {
      room.take(entry, key, null);
      entry.states.delete(key);
    },
    forget: (entry) => {
      staleWatch.forget(entry);
      room.forget(entry);
    },
    markStale: () => {
      for (const entry of staleWatch.takeOverdue(clock.monotonicMs())) {
        reportStale(entry, entry.states.keys());
        assumptions.age(entry);
      }
    },
    assumptions,
    onValues: subscribers.add,
  };
}

function createStaleReport(setState: SetState, table: Pick<DeviceTable, 'changed'>): DeviceReporting['reportStale'] {
  return (entry, keys) => {
    const confirmed = [...keys].flatMap((key) => {
      const state = entry.states.get(key);
      return state?.quality === 'confirmed' ? [[key, state] as const] : [];
    });
    for (const [key, state] of confirmed) setState(entry, key, { state: { ...state, quality: 'stale' }, cause: null });
    if (confirmed.length > 0) table.changed(entry, 'changed');
  };
}

type SetState = Parameters<typeof createAssumptions>[0]['setState'];
type Report = {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly atMs: number;
  readonly observedAtMs: number | undefined;
};

type Answer = Pick<Report, 'values'> & { readonly cause: Cause | null };

type ValueReportDeps = Pick<Deps, 'store' | 'findCause'> & {
  readonly room: ValueRoom<DeviceEntry>;
  readonly assumptions: Assumptions;
  readonly setState: SetState;
  readonly noteRefused: NoteRefused;
  readonly endValue: EndValue;
};

/**
 * Takes that a device does not know a value any more; true if the hub had one. It confirms no command, and of what was
 * never known it is no news.
 */
function createValueEnd(deps: Pick<ValueReportDeps, 'room' | 'assumptions' | 'setState' | 'store'>): EndValue {
  const { room, assumptions, setState, store } = deps;
  return (entry, key, observedAtMs) => {
    if (assumptions.reported(entry, key).value === null) return false;
    assumptions.settle(entry, key);
    room.take(entry, key, null);
    setState(entry, key, { state: { ...UNREPORTED, observedAtMs, changedAtMs: observedAtMs }, cause: null });
    store.saveValue({ deviceId: entry.id, key, value: null, observedAtMs: null, changedAtMs: null });
    return true;
  };
}

/** Takes one value that a device reports; true if it changed what the hub shows. */
function createValueReport({ room, assumptions, setState, noteRefused, store, findCause, endValue }: ValueReportDeps) {
  /** A lamp that tells only one of its two ways to have a color does not show the other one any more. */
  const ageOtherColor = (entry: DeviceEntry, feature: Feature, { values, cause }: Answer): void => {
    const other = findOtherColorWay(entry.features, feature);
    if (other === undefined || (values.get(other.key) ?? null) !== null) return;
    const shown = entry.states.get(other.key);
    if (shown?.quality === 'confirmed') setState(entry, other.key, { state: { ...shown, quality: 'stale' }, cause });
  };
  return (entry: DeviceEntry, [key, value]: readonly [string, JsonValue], report: Report): boolean => {
    const { values, atMs, observedAtMs } = report;
    const feature = entry.featuresByKey.get(key);
    if (feature?.kind !== 'state') return false;
    if (value === null) return endValue(entry, key, atMs);
    if (!isReportable(feature, value) || !room.take(entry, key, value)) {
      noteRefused(entry, key, value);
      return false;
    }
    const isAssumed = entry.states.get(key)?.quality === 'assumed';
    const old = assumptions.settle(entry, key);
    const isSame = old.quality !== 'none' && isSameJson(old.value, value);
    if (isSame && old.quality === 'confirmed' && !isAssumed) {
      entry.states.set(key, { ...old, observedAtMs: atMs });
      return false;
    }
    const changedAtMs = isSame ? old.changedAtMs : atMs;
    const cause = findCause(entry, { key, isNews: !isSame, values, observedAtMs });
    setState(entry, key, { state: { value, quality: 'confirmed', observedAtMs: atMs, changedAtMs }, cause });
    ageOtherColor(entry, feature, { values, cause });
    if (!isSame) store.saveValue({ deviceId: entry.id, key, value, observedAtMs: atMs, changedAtMs });
    return true;
  };
}

function seen(entry: DeviceEntry, seenAtMs: number): void {
  entry.availability = { ...entry.availability, lastSeenAtMs: seenAtMs };
}

type DerivedReportDeps = Pick<Deps, 'table' | 'store' | 'clock'> & {
  readonly setState: SetState;
  readonly tell: ValuesListener;
};

function createDerivedReport({ table, store, clock, setState, tell }: DerivedReportDeps) {
  return (entry: DeviceEntry, values: ReadonlyMap<string, DerivedValue | null>): void => {
    const nowMs = clock.wallMs();
    const known = new Map<string, JsonValue>();
    let isNews = false;
    for (const [key, derived] of values) {
      const feature = entry.featuresByKey.get(key);
      if (feature === undefined || (derived !== null && !isReportable(feature, derived.value))) continue;
      const old = entry.states.get(key) ?? UNREPORTED;
      const { value, quality } = derived ?? UNREPORTED;
      if (derived !== null) known.set(key, value);
      const isSame = isSameJson(old.value, value);
      if (isSame && old.quality === quality) continue;
      isNews = true;
      // As with a device that reports: its value changed when that was certain.
      const isKnown = isSame && old.quality !== 'assumed';
      const changedAtMs = isKnown ? old.changedAtMs : nowMs;
      const state = derived === null ? UNREPORTED : { value, quality, observedAtMs: nowMs, changedAtMs };
      setState(entry, key, { state, cause: derived?.cause ?? null });
      if (isKnown || quality === 'assumed') continue;
      store.saveValue({ deviceId: entry.id, key, value, observedAtMs: nowMs, changedAtMs });
    }
    if (!isNews) return;
    table.changed(entry, 'changed');
    tell(entry, known, undefined);
  };
}
