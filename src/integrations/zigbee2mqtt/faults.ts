import type { Log } from '#base/log.ts';

/** Counts malformed messages by their source, and logs the first of each source. */
export type Faults = ReturnType<typeof createFaults>;

/** Bounds memory and log against a sender that makes up names. */
const MAX_SOURCES = 1_000;

export function createFaults(log: Log) {
  const sources = new Map<string, number>();
  let total = 0;
  return {
    note: (source: string, refusal: string): void => {
      total += 1;
      const times = sources.get(source);
      if (times === undefined && sources.size >= MAX_SOURCES) return;
      sources.set(source, (times ?? 0) + 1);
      if (times === undefined)
        log.warn('a malformed message is ignored, and so will be later ones of this source', { source, refusal });
    },
    count: (): number => total,
  };
}
