import { type Budget, createBudget, type Ration } from '#base/token-buckets.ts';
import type { JsonValue } from '#base/json.ts';
import { createLogTurn } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { DeviceSink } from './integration.ts';

/** Each report of one device goes through here. */
type Sink = Omit<DeviceSink, 'reportLost'>;

type RationedSink = {
  readonly sink: Sink;
  /** Reports all that is held, and leaves no timer. Values, availability and button presses after it are ignored. */
  readonly stop: () => void;
};

type ReportRationsDeps = Pick<Runtime, 'monotonicMs' | 'startTimer' | 'log'> & {
  /** Number of events so far; a large event counts as several. A report costs as much as it adds. */
  readonly eventVolume: () => number;
};

/*
 * Far above what a home needs: a meter changes at most ten values a second, and a Zigbee network carries some hundred
 * messages a second. Low enough that a returning client still finds the events of the other devices in the log.
 */
const DEVICE_CHANGES = { burst: 500, perSecond: 50 };
const ALL_CHANGES = { burst: 10_000, perSecond: 2_000 };
const DEVICE_OCCURRENCES = { burst: 100, perSecond: 20 };
const ALL_OCCURRENCES = { burst: 500, perSecond: 100 };
const PAIRING_STEPS = { burst: 200, perSecond: 2 };
const STATUSES = { burst: 20, perSecond: 1 };

const RELEASE_EVERY_MS = 100;
const LOG_EVERY_MS = 60_000;

/** A device reported this beyond its ration, the newest of each kind. */
type Held = {
  readonly retained: Map<string, JsonValue>;
  readonly values: Map<string, { readonly value: JsonValue; readonly observedAtMs: number | undefined }>;
  readonly stale: Set<string>;
  availability: readonly [AvailabilityState, string | null] | null;
  seenAtMs: number | null;
};

/**
 * Limits the changes per second of each device, and of all devices of an integration together. Excess changes are held,
 * the newest of each value, and reported as soon as there is room, so the last value of a device is never lost. Excess
 * occurrences (a button press, a step of pairing) are dropped instead, and counted in the log.
 */
export function rationReports(sink: Sink, deps: ReportRationsDeps): RationedSink {
  const rations = {
    changes: createRations(DEVICE_CHANGES, ALL_CHANGES, deps),
    occurrences: createRations(DEVICE_OCCURRENCES, ALL_OCCURRENCES, deps),
  };
  const forget = (isGone: (externalId: string) => boolean): void => {
    for (const each of Object.values(rations)) each.forget(isGone);
  };
  const states = rationStates(sink, rations.changes, deps);
  const status = rationStatus(sink, deps);
  const moments = rationMoments(sink, rations.occurrences, deps);
  return {
    sink: {
      ...sink,
      ...states.sink,
      ...status.sink,
      ...moments.sink,
      syncDevices: async (devices) => {
        if (!(await sink.syncDevices(devices))) return false;
        const listed = new Set(devices.map(({ externalId }) => externalId));
        forget((externalId) => !listed.has(externalId));
        return true;
      },
      removeDevice: async (removed) => {
        await sink.removeDevice(removed);
        forget((externalId) => externalId === removed);
      },
    },
    stop: () => {
      states.stop();
      status.stop();
      moments.stop();
    },
  };
}

type Part<Name extends keyof Sink> = { readonly sink: Pick<Sink, Name>; readonly stop: () => void };

/** Values, availability and last contact: they hold until they change. */
function rationStates(
  sink: Sink,
  rations: Rations,
  { startTimer }: ReportRationsDeps,
): Part<'reportKeptValues' | 'reportValues' | 'reportStale' | 'reportAvailability' | 'reportSeen'> {
  const held = new Map<string, Held>();
  let stopTimer: (() => void) | undefined;
  let isOver = false;

  const release = (externalId: string, { retained, values, stale, availability, seenAtMs }: Held): void => {
    held.delete(externalId);
    rations.spend(externalId, () => {
      if (retained.size > 0) sink.reportKeptValues(externalId, retained);
      for (const [observedAtMs, some] of byTime(values)) sink.reportValues(externalId, some, observedAtMs);
      if (stale.size > 0) sink.reportStale(externalId, [...stale]);
      if (availability !== null) sink.reportAvailability(externalId, ...availability);
      if (seenAtMs !== null) sink.reportSeen(externalId, seenAtMs);
    });
  };
  const releaseDue = (): void => {
    stopTimer = undefined;
    for (const [externalId, one] of held) if (rations.isLeft(externalId)) release(externalId, one);
    if (held.size > 0) stopTimer = startTimer(RELEASE_EVERY_MS, releaseDue);
  };
  const reportOrHold = (externalId: string, report: () => void, hold: (one: Held) => void): void => {
    if (isOver) return;
    const known = held.get(externalId);
    // A report waits while earlier ones of its device are held.
    if (known === undefined && rations.isLeft(externalId)) return rations.spend(externalId, report);
    const one = known ?? {
      retained: new Map(),
      values: new Map(),
      stale: new Set<string>(),
      availability: null,
      seenAtMs: null,
    };
    held.set(externalId, one);
    hold(one);
    stopTimer ??= startTimer(RELEASE_EVERY_MS, releaseDue);
  };

  return {
    sink: {
      reportKeptValues: (externalId, kept) => {
        const hold = (one: Held): void => {
          // A value that the device itself has reported since is newer.
          for (const [key, value] of kept) if (!one.values.has(key)) one.retained.set(key, value);
        };
        reportOrHold(externalId, () => sink.reportKeptValues(externalId, kept), hold);
      },
      reportValues: (externalId, values, observedAtMs) => {
        const hold = (one: Held): void => {
          for (const [key, value] of values) {
            one.retained.delete(key);
            one.stale.delete(key);
            one.values.set(key, { value, observedAtMs });
          }
        };
        reportOrHold(externalId, () => sink.reportValues(externalId, values, observedAtMs), hold);
      },
      reportStale: (externalId, keys) => {
        const hold = (one: Held): void => keys.forEach((key) => one.stale.add(key));
        reportOrHold(externalId, () => sink.reportStale(externalId, keys), hold);
      },
      reportAvailability: (externalId, ...availability) => {
        const hold = (one: Held): void => {
          one.availability = availability;
        };
        reportOrHold(externalId, () => sink.reportAvailability(externalId, ...availability), hold);
      },
      reportSeen: (externalId, seenAtMs) => {
        const one = held.get(externalId);
        if (isOver) return;
        if (one === undefined) sink.reportSeen(externalId, seenAtMs);
        else one.seenAtMs = seenAtMs;
      },
    },
    stop: () => {
      stopTimer?.();
      isOver = true;
      for (const [externalId, one] of held) release(externalId, one);
    },
  };
}

/** The held values, together with those of the same time. */
function byTime(values: Held['values']): ReadonlyMap<number | undefined, ReadonlyMap<string, JsonValue>> {
  const groups = new Map<number | undefined, Map<string, JsonValue>>();
  for (const [key, { value, observedAtMs }] of values) {
    const group = groups.get(observedAtMs) ?? new Map<string, JsonValue>();
    groups.set(observedAtMs, group.set(key, value));
  }
  return groups;
}

/** Button presses and steps of pairing: they happen and are over. */
function rationMoments(
  sink: Sink,
  occurrences: Rations,
  { log, monotonicMs }: ReportRationsDeps,
): Part<'reportOccurrence' | 'reportPairing'> {
  const pairing = createBudget(PAIRING_STEPS, monotonicMs);
  const logTurn = createLogTurn(LOG_EVERY_MS, monotonicMs);
  const leaveOut = (what: string): void => {
    const turn = logTurn();
    if (turn === undefined) return;
    log.warn(`${what} come too fast: some are dropped`, turn.withheld === 0 ? {} : { since_last_line: turn.withheld });
  };
  let isOver = false;
  return {
    sink: {
      reportOccurrence: (externalId, key, occurrence) => {
        if (isOver) return;
        if (!occurrences.isLeft(externalId)) return leaveOut('button presses');
        occurrences.spend(externalId, () => sink.reportOccurrence(externalId, key, occurrence));
      },
      reportPairing: (progress) => {
        if (progress.externalId !== null) {
          if (!pairing.isLeft()) return leaveOut('steps of pairing');
          pairing.spend(1);
        }
        sink.reportPairing(progress);
      },
    },
    stop: () => {
      isOver = true;
    },
  };
}

function rationStatus(sink: Sink, { startTimer, monotonicMs }: ReportRationsDeps): Part<'reportStatus'> {
  const budget = createBudget(STATUSES, monotonicMs);
  let held: Parameters<Sink['reportStatus']> | null = null;
  let stopTimer: (() => void) | undefined;
  const release = (): void => {
    if (held === null) return;
    const status = held;
    held = null;
    budget.spend(1);
    sink.reportStatus(...status);
  };
  const releaseDue = (): void => {
    stopTimer = undefined;
    if (budget.isLeft()) release();
    else stopTimer = startTimer(RELEASE_EVERY_MS, releaseDue);
  };
  return {
    sink: {
      reportStatus: (...status) => {
        held = status;
        if (stopTimer === undefined) releaseDue();
      },
    },
    stop: () => {
      stopTimer?.();
      release();
    },
  };
}

type Rations = ReturnType<typeof createRations>;

function createRations(
  forEach: Ration,
  forAll: Ration,
  { eventVolume, monotonicMs }: Pick<ReportRationsDeps, 'eventVolume' | 'monotonicMs'>,
) {
  const all = createBudget(forAll, monotonicMs);
  const budgets = new Map<string, Budget>();
  return {
    isLeft: (externalId: string): boolean => all.isLeft() && budgets.get(externalId)?.isLeft() !== false,
    /** Makes the report, which costs as many units as it adds events. */
    spend: (externalId: string, report: () => void): void => {
      const before = eventVolume();
      report();
      const cost = eventVolume() - before;
      if (cost === 0) return;
      const budget = budgets.get(externalId) ?? createBudget(forEach, monotonicMs);
      budgets.set(externalId, budget);
      budget.spend(cost);
      all.spend(cost);
    },
    forget: (isGone: (externalId: string) => boolean): void => {
      for (const externalId of budgets.keys()) if (isGone(externalId)) budgets.delete(externalId);
    },
  };
}
