import type { BridgeCodes } from '#web/client/api.ts';

/** Two looks at the same window differ by the time that an answer takes, and by what the hub rounds. */
const SAME_MS = 2_000;

/** The codes that the page has last seen, and when they end by the clock of this browser. */
export type SeenCodes = { readonly codes: BridgeCodes; readonly closesMs: number };

/** Counts the hub's seconds from the moment at which the page has them. A later look does not make the time jump. */
export function seenAfter(last: SeenCodes | null, codes: BridgeCodes, nowMs: number): SeenCodes {
  if (last?.codes === codes) return last;
  const closesMs = nowMs + codes.remaining_s * 1000;
  const isSame = last?.codes.manual_code === codes.manual_code && Math.abs(closesMs - last.closesMs) < SAME_MS;
  return { codes, closesMs: isSame ? last.closesMs : closesMs };
}

/** `1234-567-8901`, as the apps show it. The long form has the numbers of maker and product in two groups more. */
export function codeGroups(code: string): string {
  const [, ...groups] = /^(\d{4})(\d{3})(\d{4})(?:(\d{5})(\d{5}))?$/.exec(code) ?? [];
  return groups.length === 0 ? code : groups.filter((group) => group !== undefined).join('-');
}
