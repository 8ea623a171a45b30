import { type Range } from '#web/history/stretches.ts';
import { type Span, spanOf, SPANS } from '#web/history/time-axis.ts';

/** The address says what the page of the history shows. */
export type HistoryAddress = {
  /** Features by `device selector/key`. */
  readonly series: readonly string[];
  /** As the API takes it: `-24h`, or a time. */
  readonly from: string;
  /** `null`: up to now, and on with the time. */
  readonly to: string | null;
  readonly view: 'chart' | 'table';
};

/** More lines than these nobody tells apart. */
export const MOST_SERIES = 8;

const USUAL_FROM = SPANS.day.ago;
const AGO = /^-(\d{1,6})([smhd])$/;
const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads the query of an address, which anybody may have written: what is not valid is as if it were absent. */
export function readAddress(query: string): HistoryAddress {
  const params = new URLSearchParams(query);
  const series = (params.get('f') ?? '').split(',').filter((name) => /^[^/\s]+\/[^/\s]+$/.test(name));
  const from = params.get('from') ?? '';
  const to = params.get('to');
  const isRange = to !== null && Date.parse(from) < Date.parse(to);
  const isLive = lengthOf(from) > 0 && to === null;
  return {
    series: [...new Set(series)].slice(0, MOST_SERIES),
    from: isRange ? new Date(from).toISOString() : isLive ? from : USUAL_FROM,
    to: isRange ? new Date(to).toISOString() : null,
    view: params.get('view') === 'table' ? 'table' : 'chart',
  };
}

export function addressOf({ series, from, to, view }: HistoryAddress): string {
  const parts = [
    series.length === 0 ? '' : `f=${series.map((name) => encodeURIComponent(name).replaceAll('%2F', '/')).join(',')}`,
    `from=${from}`,
    to === null ? '' : `to=${to}`,
    view === 'table' ? 'view=table' : '',
  ];
  return `/history?${parts.filter((part) => part !== '').join('&')}`;
}

/** The choice that is pressed. A night is known by its length only: other ranges as long are shown as one. */
export function spanInAddress({ from, to }: Pick<HistoryAddress, 'from' | 'to'>): Span {
  return spanOf(to === null ? { fromMs: 0, toMs: lengthOf(from) } : rangeOf(from, to));
}

/** Up to now, or the night before a moment. */
export function withSpan(address: HistoryAddress, span: Span, night: Range): HistoryAddress {
  if (span !== 'night') return { ...address, from: SPANS[span].ago, to: null };
  return { ...address, ...timesOf(night) };
}

type Move = {
  readonly range: Range;
  readonly nightBefore: (atMs: number) => Range;
  readonly step: -1 | 1;
  readonly nowMs: number;
};

/** The range as long as this one before it or after it; `null` if that has not begun yet. */
export function moved(address: HistoryAddress, { range, nightBefore, step, nowMs }: Move): HistoryAddress | null {
  if (step === 1 && address.to === null) return null;
  const span = spanInAddress(address);
  const isNight = address.to !== null && span === 'night';
  const lengthMs = range.toMs - range.fromMs;
  // Two hours after the beginning of the night of the next or last day, also where the clocks change.
  const next = isNight
    ? nightBefore(range.fromMs + step * SPANS.day.lengthMs + NIGHT_SLACK_MS)
    : { fromMs: range.fromMs + step * lengthMs, toMs: range.toMs + step * lengthMs };
  if (next.fromMs >= nowMs) return null;
  // Back at the present, it goes on with the time.
  if (step === 1 && !isNight && next.toMs >= nowMs) return { ...address, from: SPANS[span].ago, to: null };
  return { ...address, ...timesOf(next) };
}

const NIGHT_SLACK_MS = 7_200_000;

function lengthOf(from: string): number {
  const [, count = '', unit = ''] = AGO.exec(from) ?? [];
  return Number(count) * (UNITS_MS[unit] ?? 0);
}

function rangeOf(from: string, to: string): Range {
  return { fromMs: Date.parse(from), toMs: Date.parse(to) };
}

function timesOf({ fromMs, toMs }: Range): { readonly from: string; readonly to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
