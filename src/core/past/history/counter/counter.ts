import { isGap, type Sample } from '#core/past/history/sample.ts';

/** A counter counted this, and it became certain at this moment. */
export type Count = {
  readonly atMs: number;
  /** The reading from which it counts: between the two it was counted. */
  readonly sinceMs: number;
  /** In the unit of the counter; negative where it takes back what was counted before the old count returned. */
  readonly increase: number;
  /** Counted somewhere in a gap that ended here, or while the meter was doubted: its time is unknown. Never negative. */
  readonly inGap: number;
  /** Restarts, and other meters. */
  readonly resets: number;
};

/** Follows one counter. Its counts depend on what came before, never on what comes after. */
export type CounterReader = ReturnType<typeof createCounterReader>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A fall that ends within this time was a fault of the meter. */
const GLITCH_MS = 10 * MINUTE_MS;
/** A counter that stays below its old value for longer is another meter. */
const NEW_METER_MS = DAY_MS;
/** An old count that returns within this time was never gone. */
const RETURN_MS = DAY_MS;
/** The part of a count by which noise lets it fall; a restart falls further. */
const NOISE = 0.1;
/** A reading that differs less is about the same count. */
const ABOUT = 0.01;
/** A counter does not go on at more than this many times the fastest that it was seen to count. */
const FASTER = 2;

/**
 * A home uses at most 30 kWh, and 30 m³ of gas or water, in an hour. There is no such limit for rain: a cloudburst is real,
 * and its last reading may be confirmed only weeks later.
 */
const MOST_PER_HOUR: ReadonlyMap<string | null, number> = new Map([
  ['kWh', 30],
  ['m3', 30],
]);

export function maxPerHourOf(unit: string | null): number {
  return MOST_PER_HOUR.get(unit) ?? Infinity;
}

type Reading = { readonly atMs: number; readonly value: number };

/** Readings below the last count that was certain. Those of another meter are more than can have been counted from 0. */
type Below = { readonly sinceMs: number; readonly least: number; readonly kind: 'noise' | 'restart' | 'other' };

/** The count before a restart. */
type Lost = Reading & {
  readonly sinceMs: number;
  readonly least: number;
  /** What was counted since, and how much of it are rises. */
  readonly counted: number;
  readonly risen: number;
};

/** The count before a rise that was impossible and confirmed, and what was counted since. */
type Jump = Reading & { readonly counted: number };

/**
 * A counter only rises, but meters restart, are replaced, and send nonsense:
 * - A fall by more than a tenth is a restart from 0 once a later reading rises from there, unless the old value is back
 *   before that or within ten minutes. What the reading says is what was counted.
 * - A jump from there back to the old value takes back what was counted since: of it counts what is above the old value. A
 *   jump is a rise that is impossible or, within a day, faster than the counter ever was.
 * - A smaller fall is noise, whatever the size: nothing counts until the old value is passed or, after a day, the meter is
 *   another one, and what that one counted meanwhile counts. So is a fall to more than can have been counted from 0.
 * - A rise that is faster than possible counts only once a second reading confirms it, and is taken back if within a day the
 *   old value returns, as after a reading in another unit.
 */
export function createCounterReader({ maxPerHour = Infinity }: { readonly maxPerHour?: number } = {}) {
  /** The reading that all earlier counts add up to. */
  let base: Reading | undefined;
  let hasGap = false;
  let below: Below | undefined;
  let suspect: Reading | undefined;
  let lost: Lost | undefined;
  let jump: Jump | undefined;
  const pace = createPace(maxPerHour);

  const accept = (reading: Reading, counted: number, about?: { readonly resets: 1; readonly isDoubted?: true }) => {
    const isInGap = (hasGap || about?.isDoubted === true) && counted > 0;
    const sinceMs = base?.atMs ?? reading.atMs;
    base = reading;
    hasGap = false;
    below = undefined;
    suspect = undefined;
    if (counted === 0 && about === undefined) return undefined;
    const [increase, inGap] = isInGap ? [0, counted] : [counted, 0];
    return { atMs: reading.atMs, sinceMs, increase, inGap, resets: about?.resets ?? 0 };
  };

  const readRise = (reading: Reading, last: Reading): Count | undefined => {
    if (lost !== undefined && isBack(pace, lost, { reading, last })) {
      const value = Math.max(reading.value, lost.value);
      const counted = value - lost.value - lost.counted;
      lost = undefined;
      return accept({ ...reading, value }, counted);
    }
    const rise = reading.value - last.value;
    if (!pace.isPossible(rise, last.atMs, reading.atMs)) {
      if (suspect === undefined || reading.value < suspect.value) {
        suspect = reading;
        return undefined;
      }
      jump ??= { ...last, counted: 0 };
    }
    if (jump === undefined) pace.note(rise, last.atMs, reading.atMs);
    else jump = { ...jump, counted: jump.counted + rise };
    if (lost !== undefined) lost = { ...lost, counted: lost.counted + rise, risen: lost.risen + rise };
    return accept(reading, rise);
  };

  const readFall = (reading: Reading, last: Reading): Count | undefined => {
    suspect = undefined;
    const { atMs, value } = reading;
    if (jump !== undefined && isBeforeJump(pace, jump, reading)) {
      const counted = value - jump.value - jump.counted;
      jump = undefined;
      return accept(reading, counted);
    }
    const kind = kindOf(pace, below, { reading, last });
    if (below?.kind !== kind) below = { sinceMs: atMs, least: value, kind };
    const { sinceMs } = below;
    const least = Math.min(below.least, value);
    below = { sinceMs, least, kind };
    const risen = value - least;
    if (kind !== 'restart') {
      if (atMs - sinceMs < NEW_METER_MS) return undefined;
      [lost, jump] = [undefined, undefined];
      return accept(reading, risen, { resets: 1, isDoubted: true });
    }
    if (risen === 0 || atMs - sinceMs < GLITCH_MS) return undefined;
    pace.note(risen, sinceMs, atMs);
    // The count before the last but one restart may come back too, and is the greater one.
    const isOlder = lost !== undefined && lost.value >= last.value;
    const before = isOlder && lost !== undefined ? lost : { ...last, sinceMs, least, counted: 0, risen: 0 };
    lost = { ...before, counted: before.counted + value, risen: before.risen + risen };
    jump = undefined;
    return accept(reading, value, { resets: 1 });
  };

  return {
    /** To be called with each sample in order. `undefined` if it counts nothing. */
    read: ({ atMs, value }: Sample): Count | undefined => {
      if (isGap(value)) {
        hasGap = base !== undefined;
        return undefined;
      }
      if (!isReading(value)) return undefined;
      const reading = { atMs, value };
      if (base === undefined) return accept(reading, 0);
      return value < base.value ? readFall(reading, base) : readRise(reading, base);
    },
  };
}

type Pace = ReturnType<typeof createPace>;

function createPace(maxPerHour: number) {
  /** In a millisecond, over ten minutes or longer: a step of a display is no pace. */
  let most = 0;
  const lengthOf = (sinceMs: number, atMs: number): number => Math.max(GLITCH_MS, atMs - sinceMs);
  return {
    isPossible: (amount: number, sinceMs: number, atMs: number): boolean =>
      maxPerHour === Infinity || amount <= (maxPerHour * (atMs - sinceMs)) / HOUR_MS,
    /** Not much faster than it was seen to count. */
    isUsual: (amount: number, sinceMs: number, atMs: number): boolean =>
      amount <= FASTER * most * lengthOf(sinceMs, atMs),
    note: (amount: number, sinceMs: number, atMs: number): void => {
      most = Math.max(most, amount / lengthOf(sinceMs, atMs));
    },
  };
}

/** A reading, and the last one that was certain. */
type Step = { readonly reading: Reading; readonly last: Reading };

/** Whether the count before a restart is there again. */
function isBack({ isPossible, isUsual }: Pace, before: Lost, { reading, last }: Step): boolean {
  const { atMs, value } = reading;
  const rise = value - last.value;
  const isThere = value >= before.value * (1 - ABOUT) && isPossible(value - before.value, before.atMs, atMs);
  if (!isThere || rise < (before.value - before.least) / 2) return false;
  if (!isPossible(rise, last.atMs, atMs)) return true;
  const above = value - before.value * (1 + ABOUT) - before.risen;
  const isNear = isUsual(above, last.atMs, atMs) && atMs - before.sinceMs <= RETURN_MS;
  return isNear && !isUsual(rise, last.atMs, atMs);
}

function isBeforeJump({ isPossible }: Pace, before: Jump, { atMs, value }: Reading): boolean {
  const isSoon = atMs - before.atMs <= RETURN_MS;
  return isSoon && value >= before.value && isPossible(value - before.value, before.atMs, atMs);
}

function kindOf({ isPossible }: Pace, below: Below | undefined, { reading, last }: Step): Below['kind'] {
  const { atMs, value } = reading;
  if (value >= last.value * (1 - NOISE)) return 'noise';
  if (below?.kind === 'other' && value >= below.least) return 'other';
  return isPossible(value, last.atMs, atMs) ? 'restart' : 'other';
}

/** A meter counts no negative amounts, and none so great that the next ones add nothing to it; a text is no reading. */
export function isReading(value: Sample['value']): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
