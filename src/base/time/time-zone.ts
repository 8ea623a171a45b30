/** The local time of one IANA time zone, over any instants. Times are in ms since 1970. */
export type TimeZone = {
  readonly name: string;
  /** Local time minus UTC at this instant. */
  readonly offsetMs: (atMs: number) => number;
  /** The last instant after `fromMs` and not after `toMs` at which the offset changed; `undefined` if it did not. */
  readonly changeWithin: (fromMs: number, toMs: number) => number | undefined;
  /** The first instant whose local time is this one or, where a jump leaves it out, the first after it. */
  readonly instantOf: (localMs: number) => number;
};

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
/** Days whose offsets are kept: some 40 years. */
const MAX_DAYS = 15_000;

/** Throws RangeError for a name that this machine does not know. */
export function createTimeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  });
  const atMidnight = new Map<number, number>();

  const lookUp = (atMs: number): number => {
    const wholeMs = Math.floor(atMs / SECOND_MS) * SECOND_MS;
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of format.formatToParts(wholeMs)) parts[type] = value;
    const numberOf = (part: Intl.DateTimeFormatPartTypes): number => Number(parts[part] ?? 0);
    const year = parts.era?.startsWith('B') === true ? 1 - numberOf('year') : numberOf('year');
    const local = new Date(0);
    local.setUTCFullYear(year, numberOf('month') - 1, numberOf('day'));
    local.setUTCHours(numberOf('hour'), numberOf('minute'), numberOf('second'));
    return local.getTime() - wholeMs;
  };
  /** Looking up costs some microseconds, so the offset at each midnight of UTC is kept. */
  const offsetAtMidnight = (day: number): number => {
    let offset = atMidnight.get(day);
    if (offset === undefined) {
      offset = lookUp(day * DAY_MS);
      if (atMidnight.size >= MAX_DAYS) atMidnight.clear();
      atMidnight.set(day, offset);
    }
    return offset;
  };
  const changes = new Map<number, number>();
  /** No zone changes its offset twice within a day. */
  const changeOfDay = (day: number): number | undefined => {
    const before = offsetAtMidnight(day);
    if (offsetAtMidnight(day + 1) === before) return undefined;
    const change = changes.get(day) ?? searchChange(day, before);
    changes.set(day, change);
    return change;
  };
  const searchChange = (day: number, before: number): number => {
    let lowS = (day * DAY_MS) / SECOND_MS;
    let highS = ((day + 1) * DAY_MS) / SECOND_MS;
    while (highS - lowS > 1) {
      const middleS = Math.floor((lowS + highS) / 2);
      if (lookUp(middleS * SECOND_MS) === before) lowS = middleS;
      else highS = middleS;
    }
    return highS * SECOND_MS;
  };
  const offsetMs = (atMs: number): number => {
    const day = Math.floor(atMs / DAY_MS);
    const change = changeOfDay(day);
    return change !== undefined && atMs >= change ? offsetAtMidnight(day + 1) : offsetAtMidnight(day);
  };
  const changeWithin = (fromMs: number, toMs: number): number | undefined => {
    for (let day = Math.floor(toMs / DAY_MS); day >= Math.floor(fromMs / DAY_MS); day -= 1) {
      const change = changeOfDay(day);
      if (change !== undefined && change > fromMs && change <= toMs) return change;
    }
    return undefined;
  };
  return {
    name,
    offsetMs,
    changeWithin,
    instantOf: (localMs) => {
      const before = offsetMs(localMs - DAY_MS);
      const after = offsetMs(localMs + DAY_MS);
      // The greater offset gives the earlier of two equal local times.
      for (const offset of [Math.max(before, after), Math.min(before, after)]) {
        if (offsetMs(localMs - offset) === offset) return localMs - offset;
      }
      return changeWithin(localMs - DAY_MS - before, localMs + DAY_MS - before) ?? localMs - after;
    },
  };
}

/** Whether this machine knows an IANA time zone of this name. Offsets such as `+01:00` are none: they know no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}
