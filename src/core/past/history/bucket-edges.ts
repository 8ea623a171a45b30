import type { TimeZone } from '#base/time/time-zone.ts';

export const BUCKETS = ['1m', '5m', '15m', '1h', '1d', '1w', '1mo'] as const;
export type Bucket = (typeof BUCKETS)[number];

const MINUTE_MS = 60_000;
const WIDTHS_MS = { '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '15m': 15 * MINUTE_MS, '1h': 60 * MINUTE_MS };
const DAY_MS = 86_400_000;

/** The edges of buckets in local time. A day has 23, 24 or 25 hours; where the clock jumps a bucket may be shorter. */
export type BucketEdges = {
  /** The beginning of the bucket that contains this instant. */
  readonly startOf: (atMs: number) => number;
  /** The end of the bucket that begins here, which is the beginning of the next one. */
  readonly endOf: (startMs: number) => number;
};

export function createBucketEdges(bucket: Bucket, zone: TimeZone): BucketEdges {
  return rememberLast(
    bucket === '1d' || bucket === '1w' || bucket === '1mo' ? dateEdges(bucket, zone) : timeEdges(bucket, zone),
  );
}

/** Instants come in order, most of them in the bucket of the one before. */
function rememberLast({ startOf, endOf }: BucketEdges): BucketEdges {
  let lastMs = Number.NaN;
  let lastEndMs = Number.NaN;
  return {
    startOf: (atMs) => {
      if (atMs >= lastMs && atMs < lastEndMs) return lastMs;
      lastMs = startOf(atMs);
      lastEndMs = endOf(lastMs);
      return lastMs;
    },
    endOf: (startMs) => (startMs === lastMs ? lastEndMs : endOf(startMs)),
  };
}

function timeEdges(bucket: keyof typeof WIDTHS_MS, zone: TimeZone): BucketEdges {
  const widthMs = WIDTHS_MS[bucket];
  const floor = (atMs: number): number => {
    const offset = zone.offsetMs(atMs);
    return Math.floor((atMs + offset) / widthMs) * widthMs - offset;
  };
  const startOf = (atMs: number): number => {
    const start = floor(atMs);
    // A change of the offset begins a bucket: the clock of Lord Howe jumps by half an hour.
    return zone.changeWithin(start, atMs) ?? start;
  };
  return {
    startOf,
    endOf: (startMs) => {
      const end = floor(startMs) + widthMs;
      return zone.changeWithin(startMs, end) ?? end;
    },
  };
}

function dateEdges(bucket: '1d' | '1w' | '1mo', zone: TimeZone): BucketEdges {
  const stepped = (localMidnightMs: number): Date => {
    const date = new Date(localMidnightMs);
    if (bucket === '1mo') date.setUTCMonth(date.getUTCMonth() + 1, 1);
    else date.setUTCDate(date.getUTCDate() + (bucket === '1w' ? 7 : 1));
    return date;
  };
  const localStart = (atMs: number): number => {
    const date = new Date(Math.floor((atMs + zone.offsetMs(atMs)) / DAY_MS) * DAY_MS);
    if (bucket === '1mo') date.setUTCDate(1);
    // Weeks begin on Monday (ISO 8601).
    if (bucket === '1w') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    return date.getTime();
  };
  return {
    startOf: (atMs) => zone.instantOf(localStart(atMs)),
    endOf: (startMs) => zone.instantOf(stepped(localStart(startMs)).getTime()),
  };
}
