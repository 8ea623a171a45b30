import type { EnergyAmount, EnergyAnswer, EnergyBalance, EnergyBucket } from '#web/client/api.ts';

export const amount = (value: number, changes: Partial<EnergyAmount> = {}): EnergyAmount => ({
  amount: value,
  in_gap: 0,
  known: 1,
  estimated: false,
  ...changes,
});

export function balance(changes: Partial<EnergyBalance> = {}): EnergyBalance {
  const nothing = { import: null, export: null, solar: null, charge: null, discharge: null, gas: null, water: null };
  const home = { home: null, untracked: null, mismatch: null, self_use: null, autarky: null };
  return { ...nothing, ...home, consumers: [], cost: [], known: 1, ...changes };
}

/** A day of Berlin, as instants: the clocks go back in the night of the first, and forward in that of the second. */
export const LONG_DAY = { date: '2025-10-26', fromMs: Date.parse('2025-10-25T22:00Z'), hours: 25 };
export const SHORT_DAY = { date: '2026-03-29', fromMs: Date.parse('2026-03-28T23:00Z'), hours: 23 };

const HOUR_MS = 3_600_000;

/** A day of Berlin in hours, one for each of these balances. */
export function dayAnswer(
  day: { readonly date: string; readonly fromMs: number; readonly hours: number },
  balances: readonly EnergyBalance[],
  changes: Partial<EnergyAnswer> = {},
): EnergyAnswer {
  const at = (hour: number): string => new Date(day.fromMs + hour * HOUR_MS).toISOString();
  return {
    period: 'day',
    date: day.date,
    from: at(0),
    to: at(day.hours),
    time_zone: 'Europe/Berlin',
    resolution: '1h',
    settled_until: null,
    flows: [],
    consumers: [],
    buckets: balances.map((one, hour): EnergyBucket => ({ at: at(hour), to: at(hour + 1), ...one })),
    total: balance(),
    ...changes,
  };
}
