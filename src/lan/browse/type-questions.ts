import type { DnsName } from '#lan/mdns/dns-message.ts';

/** When the network is asked for services of one type on one interface (RFC 6762 section 5.2). */
export type TypeQuestions = {
  readonly name: DnsName;
  /** Whether to ask now; `isDue` if a pointer that the hub has will end soon. */
  readonly isDue: (nowMs: number, isDue: boolean) => boolean;
  readonly nextMs: () => number;
};

/** So that hosts that all start after a power cut do not ask in the same moment. */
const FIRST_MS = { min: 20, spread: 100 };
const AGAIN_MS = { first: 1_000, most: 3_600_000 };

/** At first within 120 ms, then after 1 s, 2 s, 4 s and so on up to an hour; never twice within a second. */
export function createTypeQuestions(name: DnsName, startMs: number, random: () => number): TypeQuestions {
  let askedMs = Number.NEGATIVE_INFINITY;
  let pauseMs = AGAIN_MS.first;
  let nextMs = startMs + FIRST_MS.min + random() * FIRST_MS.spread;
  return {
    name,
    nextMs: () => nextMs,
    isDue: (nowMs, isDue) => {
      const isPlanned = nowMs >= nextMs;
      if (!isPlanned && (!isDue || nowMs - askedMs < AGAIN_MS.first)) return false;
      askedMs = nowMs;
      if (!isPlanned) return true;
      nextMs = nowMs + pauseMs;
      pauseMs = Math.min(pauseMs * 2, AGAIN_MS.most);
      return true;
    },
  };
}
