import { formatLocale } from './formats.ts';

const UNITS = { kWh: 'kWh', m3: 'm³', W: 'W', kW: 'kW' } as const;

/** `0.412 kWh`, `12.3 kWh`, `1,204 kWh`: the digits that a person needs. */
export function amountWords(amount: number, unit: keyof typeof UNITS): string {
  const size = Math.abs(amount);
  const digits = size === 0 ? 0 : size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0;
  const number = new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: digits }).format(amount);
  return `${number}\u00a0${UNITS[unit]}`;
}

/** `85 W`, `1.2 kW`. */
export function powerWords(watts: number): string {
  return Math.abs(watts) < 1_000 ? amountWords(Math.round(watts), 'W') : amountWords(watts / 1_000, 'kW');
}

export function moneyWords(amount: number, currency: string): string {
  return new Intl.NumberFormat(formatLocale(), { style: 'currency', currency }).format(amount);
}

/** A price has more digits than what is paid. */
export function priceWords(price: number, currency: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 5 };
  return new Intl.NumberFormat(formatLocale(), { style: 'currency', currency, ...digits }).format(price);
}

/** `€` for EUR; the code itself where nobody has a sign for it. */
export function symbolWords(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return currency;
  const format = new Intl.NumberFormat(formatLocale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** In whole percent, but never 100 for less than all, nor 0 for more than nothing. */
export function shareWords(share: number): string {
  const whole = Math.round(share * 100) / 100;
  const shown = share < 1 && share > 0 ? Math.min(0.99, Math.max(0.01, whole)) : whole;
  return new Intl.NumberFormat(formatLocale(), { style: 'percent' }).format(shown);
}
