import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';

/** 0 and 100 percent are these numbers on the wire; 0 percent may be the larger one. */
export type PercentRange = { readonly empty: number; readonly full: number };

/** Throws TemplateFault for a range of nothing. */
export function rangeOf(empty: number, full: number): PercentRange {
  const range = { empty: Math.round(empty), full: Math.round(full) };
  if (range.empty === range.full) throw syntaxFault('its range has no width');
  return range;
}

/** Downwards to whole percents, as in Home Assistant. `undefined` for what is no number. */
export function percentIn({ empty, full }: PercentRange, value: number): number | undefined {
  const percent = Math.floor(((value - empty) * 100) / (full - empty));
  return Number.isFinite(percent) ? percent : undefined;
}

export function valueAt({ empty, full }: PercentRange, percent: number): number {
  return (percent * (full - empty)) / 100 + empty;
}
