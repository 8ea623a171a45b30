import type { BucketEdges } from '#core/past/history/bucket-edges.ts';
import type { EnergyStore, SettledRange } from './energy-store.ts';
import type { HourAccount } from './hour-account.ts';
import type { StoredEnergySettings } from './settings.ts';

export type EnergyDeletion = {
  /** Every hour that begins between them, and the one in which the first of them lies. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The series of the consumers whose amounts are deleted; `null` for the whole hours. */
  readonly isConsumer: ((series: string) => boolean) | null;
  /** Deletes nothing, and counts what would be deleted. */
  readonly isTrial?: boolean;
};

/** A little less than what the store loads in one go. */
const PAGE_MS = 31 * 86_400_000;

/** Deletes from settled hours, and resolves with how many of them had something to delete. */
export async function deleteHours(
  { store, authorize }: { readonly store: DeletionStore; readonly authorize?: (() => void) | undefined },
  { fromMs, toMs, isConsumer, isTrial = false }: EnergyDeletion,
  { range, edges, settings: { consumerNumbers } }: Settled,
): Promise<number> {
  if (range === null) return 0;
  const endMs = Math.min(toMs, range.toMs);
  const numbers =
    isConsumer && Object.entries(consumerNumbers).flatMap(([series, number]) => (isConsumer(series) ? number : []));
  let count = 0;
  for (let atMs = Math.max(edges.startOf(fromMs), range.fromMs); atMs < endMs; atMs += PAGE_MS) {
    const hours = await store.loadEnergyHours(atMs, Math.min(endMs, atMs + PAGE_MS));
    const found = hours.filter((hour) => hasAmounts(hour, numbers));
    count += found.length;
    if (isTrial || found.length === 0) continue;
    authorize?.();
    await store.saveEmptiedHours(found.map((hour) => withoutAmounts(hour, numbers)));
  }
  return count;
}

type Settled = {
  readonly range: SettledRange | null;
  readonly edges: BucketEdges;
  readonly settings: Pick<StoredEnergySettings, 'consumerNumbers'>;
};
type DeletionStore = Pick<EnergyStore, 'loadEnergyHours' | 'saveEmptiedHours'>;

function hasAmounts({ flows, consumers }: HourAccount, numbers: readonly number[] | null): boolean {
  if (numbers !== null) return numbers.some((number) => consumers.has(number));
  return consumers.size > 0 || Object.keys(flows).length > 0;
}

/** The hour without these consumers, or without anything: it stays, so that it is not settled as a new one. */
function withoutAmounts(hour: HourAccount, numbers: readonly number[] | null): HourAccount {
  const { atMs, endMs, deleted = [] } = hour;
  if (numbers === null || deleted === 'all') return { atMs, endMs, flows: {}, consumers: new Map(), deleted: 'all' };
  const kept = [...hour.consumers].filter(([number]) => !numbers.includes(number));
  return { ...hour, consumers: new Map(kept), deleted: [...new Set([...deleted, ...numbers])] };
}

/** An hour that is settled once more: what a person deleted of the old one does not come back. */
export function withDeleted(hour: HourAccount, old: HourAccount | undefined): HourAccount {
  if (old?.deleted === undefined) return hour;
  return withoutAmounts(hour, old.deleted === 'all' ? null : old.deleted);
}
