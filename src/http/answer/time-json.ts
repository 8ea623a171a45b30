import { z } from 'zod/mini';

/** RFC 3339 in UTC with milliseconds. */
export const timeSchema = z.iso.datetime({ precision: 3 });

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A time as the API shows it. Some times come from clocks of devices: one that RFC 3339 cannot express becomes the
 * nearest that it can, so that one device's wrong clock never breaks a list.
 */
export function timeJson(ms: number): string;
export function timeJson(ms: number | null): string | null;
export function timeJson(ms: number | null): string | null {
  if (ms === null) return null;
  return new Date(Math.min(LAST_MS, Math.max(0, ms || 0))).toISOString();
}
