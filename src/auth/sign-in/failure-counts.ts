/** The recent failures of each name (peer or client), and its resulting wait. Remembers a bounded number of names. */
type FailureLimits = {
  /** Number of failures that cause no wait. */
  readonly free: number;
  readonly maxNames: number;
};

type Failure = { readonly atMs: number; readonly account: string };
type Record = {
  failures: Failure[];
  missedTurns: number;
  /** Refusals in the minute since `minuteMs`, and in the minute before. */
  refusals: number;
  refusalsBefore: number;
  minuteMs: number;
  lastMs: number;
};

const WINDOW_MS = 15 * 60_000;
/** A name that failed is no newcomer again for a day. Otherwise an attacker would use many names in turn. */
const MEMORY_MS = 24 * 3_600_000;
const MAX_WAIT_MS = 60_000;
/** Failures remembered per name, beyond the free ones. More would make no wait longer. */
const MAX_FAILURES = 12;
const FREE_MISSED_TURNS = 2;
/**
 * A person who presses a button stays below this. A client that never waits exceeds it, and comes after those that
 * wait.
 */
const MAX_REFUSALS = 20;
const MINUTE_MS = 60_000;
const IMPATIENT_RANK = 5;

export function createFailureCounts(limits: FailureLimits, monotonicMs: () => number) {
  const { free, maxNames } = limits;
  const maxFailures = free + MAX_FAILURES;
  const records = new Map<string, Record>();

  const recent = (name: string, withinMs: number): readonly Failure[] => {
    const sinceMs = monotonicMs() - withinMs;
    return (records.get(name)?.failures ?? []).filter(({ atMs }) => atMs > sinceMs);
  };
  const touch = (name: string): Record => {
    const known = records.get(name);
    if (known === undefined && records.size >= maxNames) makeRoom(records, monotonicMs() - MEMORY_MS);
    const nowMs = monotonicMs();
    const none = { refusals: 0, refusalsBefore: 0, minuteMs: nowMs, lastMs: nowMs };
    const record = known ?? { failures: [], missedTurns: 0, ...none };
    record.lastMs = nowMs;
    records.set(name, record);
    return record;
  };
  const keep = (name: string, record: Record, failures: Failure[]): void => {
    record.failures = failures;
    const isClean = failures.length === 0 && record.missedTurns === 0 && !isImpatient(record, monotonicMs());
    if (isClean) records.delete(name);
  };

  return {
    /** Milliseconds until the name may try again; 0 for now. */
    waitMs: (name: string): number => {
      const failures = recent(name, WINDOW_MS);
      const last = failures.at(-1);
      if (last === undefined || failures.length < free) return 0;
      const pauseMs = Math.min(MAX_WAIT_MS, 1_000 * 2 ** (failures.length - free + 1));
      return Math.max(0, last.atMs + pauseMs - monotonicMs());
    },
    /** The name's rank, which grows with its failures. 0 if nothing is remembered. */
    rankOf: (name: string): number => {
      const record = records.get(name);
      if (record === undefined) return 0;
      const isUnreliable = record.missedTurns > FREE_MISSED_TURNS;
      const impatience = isImpatient(record, monotonicMs()) ? IMPATIENT_RANK : 0;
      return recent(name, MEMORY_MS).length + (isUnreliable ? 1 : 0) + impatience;
    },
    /**
     * Counts a failure of the name at the account. The result takes it back, and returns whether it was still counted.
     */
    add: (name: string, account: string): (() => boolean) => {
      const failure = { atMs: monotonicMs(), account };
      const record = touch(name);
      record.failures = [...record.failures, failure].slice(-maxFailures);
      return () => {
        const now = records.get(name);
        if (now?.failures.includes(failure) !== true) return false;
        keep(
          name,
          now,
          now.failures.filter((one) => one !== failure),
        );
        return true;
      };
    },
    /** Takes back all of the name's failures at the account and returns their number. */
    forgive: (name: string, account: string): number => {
      const record = records.get(name);
      if (record === undefined) return 0;
      const others = record.failures.filter((failure) => failure.account !== account);
      const forgiven = record.failures.length - others.length;
      keep(name, record, others);
      return forgiven;
    },
    /** The name did not use a turn that was held for it. */
    addMissedTurn: (name: string): void => void (touch(name).missedTurns += 1),
    /** The name came earlier than it was allowed to. */
    addRefusal: (name: string): void => {
      const record = touch(name);
      startMinute(record, monotonicMs());
      record.refusals += 1;
    },
    size: (): number => records.size,
  };
}

function startMinute(record: Record, nowMs: number): void {
  const passedMs = nowMs - record.minuteMs;
  if (passedMs < MINUTE_MS) return;
  record.refusalsBefore = passedMs < 2 * MINUTE_MS ? record.refusals : 0;
  record.refusals = 0;
  record.minuteMs = nowMs;
}

function isImpatient(record: Record, nowMs: number): boolean {
  startMinute(record, nowMs);
  return Math.max(record.refusals, record.refusalsBefore) >= MAX_REFUSALS;
}

/**
 * Evicts the name with the fewest failures, among equals the one unseen for longest: a flood of new names evicts
 * itself.
 */
function makeRoom(records: Map<string, Record>, forgottenBeforeMs: number): void {
  let least: readonly [name: string, record: Record] | undefined;
  for (const entry of records) {
    const [name, record] = entry;
    if (record.lastMs < forgottenBeforeMs) records.delete(name);
    else if (least === undefined || isLess(record, least[1])) least = entry;
  }
  if (least !== undefined) records.delete(least[0]);
}

function isLess(left: Record, right: Record): boolean {
  if (left.failures.length !== right.failures.length) return left.failures.length < right.failures.length;
  return left.lastMs < right.lastMs;
}
