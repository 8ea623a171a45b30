import type { TimeZone } from '#base/time/time-zone.ts';
import { type Bucket, createBucketEdges } from '#core/history/bucket-edges.ts';
import { type Balance, balanceOf, flowsOf } from './balance.ts';
import type { HourAccount } from './hour-account.ts';
import type { Flow, StoredEnergySettings } from './settings.ts';

export const PERIODS = ['day', 'month', 'year'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** A civil day, month or year, and the smaller times into which it is cut. */
export type Period = {
  readonly name: PeriodName;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucket: Extract<Bucket, '1h' | '1d' | '1mo'>;
};

const BUCKET_OF = { day: '1h', month: '1d', year: '1mo' } as const;

/** The period that contains a civil date, given as the instant of UTC at which it would begin there. */
export function periodOf(name: PeriodName, dateMs: number, zone: TimeZone): Period {
  const date = new Date(dateMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const [from, to] = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    month: [Date.UTC(year, month), Date.UTC(year, month + 1)],
    year: [Date.UTC(year), Date.UTC(year + 1)],
  }[name] as [number, number];
  return { name, fromMs: zone.instantOf(from), toMs: zone.instantOf(to), bucket: BUCKET_OF[name] };
}

export type BalanceBucket = { readonly atMs: number; readonly toMs: number; readonly balance: Balance };

export type EnergyReport = {
  readonly flows: ReadonlySet<Flow>;
  /** Those that have begun. */
  readonly buckets: readonly BalanceBucket[];
  readonly total: Balance;
};

export type ReportDeps = {
  readonly hours: readonly HourAccount[];
  readonly settings: Pick<StoredEnergySettings, 'consumers' | 'consumerNumbers'>;
  readonly zone: TimeZone;
  readonly nowMs: number;
};

export function reportOf({ fromMs, toMs, bucket }: Period, { hours, settings, zone, nowMs }: ReportDeps): EnergyReport {
  const edges = createBucketEdges(bucket, zone);
  const flows = flowsOf(hours);
  const endMs = Math.min(toMs, nowMs);
  const buckets: BalanceBucket[] = [];
  let next = 0;
  for (let atMs = fromMs; atMs < endMs; atMs = edges.endOf(atMs)) {
    const untilMs = edges.endOf(atMs);
    const own: HourAccount[] = [];
    for (let hour = hours[next]; hour !== undefined && hour.atMs < untilMs; hour = hours[next]) {
      own.push(hour);
      next += 1;
    }
    const lengthMs = Math.min(untilMs, nowMs) - atMs;
    buckets.push({ atMs, toMs: untilMs, balance: balanceOf(own, { lengthMs, flows, settings }) });
  }
  const total = balanceOf(hours, { lengthMs: Math.max(0, endMs - fromMs), flows, settings });
  return { flows, buckets, total };
}
