import { fieldError, HubError } from '#base/hub-error.ts';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Hub time of a moment that is given as a time or as a time before now. Throws INVALID_QUERY. */
export function readMoment(text: string, name: 'from' | 'to' | 'at', nowMs: number): number {
  const atMs = momentMs(text, nowMs);
  if (atMs !== undefined) return atMs;
  throw new HubError('INVALID_QUERY', 'A query parameter is not valid.', {
    errors: [fieldError(`?${name}`, 'INVALID_FORMAT', MOMENT_FORM)],
  });
}

export const MOMENT_FORM = 'must be a time as 2026-11-22T10:00:00Z or -24h';

/** `undefined` of a text that is no moment. */
export function momentMs(text: string, nowMs: number): number | undefined {
  const ago = /^-(\d{1,6})([smhd])$/.exec(text);
  if (ago !== null) return nowMs - Number(ago[1]) * UNITS_MS[ago[2] as keyof typeof UNITS_MS];
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i.test(text);
  const atMs = isDate ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? atMs : undefined;
}
