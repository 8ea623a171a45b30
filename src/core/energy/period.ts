import type { TimeZone } from '#base/time/time-zone.ts';
import { type Bucket, createBucketEdges } from '#core/past/history/bucket-edges.ts';
import { type Balance, balanceOf, flowsOf } from './balance.ts';
import { type HourAccount, sumOfAccounts } from './hour-account.ts';
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

type BalanceBucket = { readonly atMs: number; readonly toMs: number; readonly balance: Balance };

export type EnergyReport = {
  readonly flows: ReadonlySet<Flow>;
  /** The buckets that have begun. */
  readonly buckets: readonly BalanceBucket[];
  readonly total: Balance;
};

type ReportDeps = {
  /** In order, each in one bucket. */
  readonly accounts: readonly HourAccount[];
  readonly settings: Pick<StoredEnergySettings, 'consumers' | 'consumerNumbers'>;
  readonly zone: TimeZone;
  readonly nowMs: number;
};

export function reportOf(
  { fromMs, toMs, bucket }: Period,
  { accounts, settings, zone, nowMs }: ReportDeps,
): EnergyReport {
  const edges = createBucketEdges(bucket, zone);
  const flows = flowsOf(accounts);
  const endMs = Math.min(toMs, nowMs);
  const buckets: BalanceBucket[] = [];
  const sums: HourAccount[] = [];
  let next = 0;
  for (let atMs = fromMs; atMs < endMs; atMs = edges.endOf(atMs)) {
    const untilMs = edges.endOf(atMs);
    const own: HourAccount[] = [];
    for (let one = accounts[next]; one !== undefined && one.atMs < untilMs; one = accounts[next]) {
      own.push(one);
      next += 1;
    }
    const sum = sumOfAccounts(own);
    if (sum !== null) sums.push(sum);
    const lengthMs = Math.min(untilMs, nowMs) - atMs;
    buckets.push({ atMs, toMs: untilMs, balance: balanceOf(sum, { lengthMs, flows, settings }) });
  }
  const lengthMs = Math.max(0, endMs - fromMs);
  const total = balanceOf(sumOfAccounts(sums), { lengthMs, flows, settings });
  return { flows, buckets, total };
}
