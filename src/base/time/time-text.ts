const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A time as RFC 3339 in UTC with milliseconds. Some times come from clocks of devices: one that RFC 3339 cannot express becomes
 * the nearest that it can, so that one device's wrong clock never breaks a list.
 */
export function timeText(ms: number): string {
  return new Date(Math.min(LAST_MS, Math.max(0, ms || 0))).toISOString();
}
