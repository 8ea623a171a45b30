import type { Cause } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { seriesOf } from '#core/past/history/recorder.ts';
import { isGap, type SampleValue, timelineOf } from '#core/past/history/sample.ts';
import { readTimeline, type TimelineLine, type TimelineSource } from './timeline-reader.ts';

type LastChange = {
  readonly atMs: number;
  readonly value: SampleValue;
  /** `null`: nobody commanded it, as far as `isSeen`. */
  readonly cause: Cause | null;
  readonly by: Issuer | null;
  /** Whether the hub was there and kept every cause at that time: else no cause is no evidence. */
  readonly isSeen: boolean;
};

type Store = Pick<HistoryStore, 'readSlice' | 'findBefore'>;
type Asked = { readonly device: DeviceId; readonly key: string; readonly kind: 'state' | 'event' };

/** A device whose lines were left out says so with the next line that is kept. */
const SKIPS_TOLD_MS = 3_600_000;
const FEW = 8;
const NEAR_MS = 2_000;

/** The last recorded change of a feature before a moment; `undefined` where none is kept. */
export async function findLastChange(
  store: Store,
  { device, key, kind }: Asked,
  beforeMs: number,
): Promise<LastChange | undefined> {
  const series = seriesOf({ id: device }, key);
  const stored: TimelineSource = { type: 'stored', series: timelineOf(device), device };
  const { lines } = await readTimeline(store, {
    sources: [stored, { type: kind, key, series, device }],
    fromMs: 0,
    toMs: beforeMs,
    after: null,
    limit: FEW,
    isWanted: ({ entry }) =>
      (entry.type === 'feature.changed' || entry.type === 'feature.occurred') && entry.key === key,
  });
  const [line] = lines;
  if (line === undefined) return undefined;
  const { atMs, entry } = line;
  if (entry.type === 'feature.occurred') return { atMs, value: entry.action, cause: null, by: null, isSeen: true };
  if (entry.type !== 'feature.changed') return undefined;
  const { value } = entry;
  const { cause, by } = entry.cause === null ? (causeNear(lines, atMs) ?? entry) : entry;
  const isSeen = cause !== null || (await wasSeen(store, { series, stored, atMs }));
  return { atMs, value, cause, by, isSeen };
}

/** A value on its way, as of a lamp that dims, is a sample without a cause right beside the line that has it. */
function causeNear(lines: readonly TimelineLine[], atMs: number): Pick<LastChange, 'cause' | 'by'> | undefined {
  for (const { atMs: otherMs, entry } of lines) {
    if (atMs - otherMs > NEAR_MS) return undefined;
    if (entry.type === 'feature.changed' && entry.cause !== null) return entry;
  }
  return undefined;
}

async function wasSeen(
  store: Store,
  { series, stored, atMs }: { readonly series: string; readonly stored: TimelineSource; readonly atMs: number },
): Promise<boolean> {
  const before = await store.findBefore(series, atMs);
  if (before !== null && isGap(before.value)) return false;
  const { lines } = await readTimeline(store, {
    sources: [stored],
    fromMs: atMs,
    toMs: atMs + SKIPS_TOLD_MS,
    after: null,
    limit: 1,
    isWanted: ({ entry }) => entry.type === 'lines.skipped',
  });
  return lines.length === 0;
}
