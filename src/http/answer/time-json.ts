import * as z from 'zod/mini';
import { timeText } from '#base/time/time-text.ts';

/** RFC 3339 in UTC with milliseconds. */
export const timeSchema = z.iso.datetime({ precision: 3 });

/** A time as the API shows it. */
export function timeJson(ms: number): string;
export function timeJson(ms: number | null): string | null;
export function timeJson(ms: number | null): string | null {
  return ms === null ? null : timeText(ms);
}
