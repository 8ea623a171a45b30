import type { EnergyAmount, EnergyAnswer } from '#web/client/api.ts';

export type ConsumerRow = {
  readonly series: string;
  /** `null` for the name of its device. */
  readonly name: string | null;
  readonly amount: EnergyAmount | null;
  /** The place of the consumer through whose meter it runs, among the rows. */
  readonly parent: ConsumerRow | null;
};

/** Sums up what was counted, in gaps too; `null` where nothing is known. */
export function totalOf(amount: EnergyAmount | null): number | null {
  return amount === null ? null : amount.amount + amount.in_gap;
}

/** The consumers, those that used most first, each followed by those that run through its meter. */
export function consumerRows({ consumers, total }: Pick<EnergyAnswer, 'consumers' | 'total'>): readonly ConsumerRow[] {
  const all = consumers.map((one, index) => ({ ...one, amount: total.consumers[index] ?? null }));
  const known = new Set(all.map(({ series }) => series));
  const byUse = [...all].sort((left, right) => (totalOf(right.amount) ?? -1) - (totalOf(left.amount) ?? -1));
  const rowsWithin = (parent: ConsumerRow | null): readonly ConsumerRow[] =>
    byUse
      .filter(({ within }) => (within !== null && known.has(within) ? within : null) === (parent?.series ?? null))
      .flatMap(({ series, name, amount }) => {
        const row: ConsumerRow = { series, name, amount, parent };
        return [row, ...rowsWithin(row)];
      });
  return rowsWithin(null);
}

/** The length of the bar of the greatest consumer: with it, all others are in proportion. */
export function greatestUse(rows: readonly ConsumerRow[], untracked: number | null): number {
  return Math.max(0, untracked ?? 0, ...rows.map(({ amount }) => totalOf(amount) ?? 0));
}
