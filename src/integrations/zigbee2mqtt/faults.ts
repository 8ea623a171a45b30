import type { Log } from '#base/log.ts';

/** What came malformed, counted by where it came from and logged once for each. */
export type Faults = {
  readonly note: (source: string, refusal: string) => void;
  readonly count: () => number;
};

/** A sender that makes up names must not fill the memory or the log. */
const MAX_SOURCES = 1_000;

export function createFaults(log: Log): Faults {
  const sources = new Map<string, number>();
  let total = 0;
  return {
    note: (source, refusal) => {
      total += 1;
      const times = sources.get(source);
      if (times === undefined && sources.size >= MAX_SOURCES) return;
      sources.set(source, (times ?? 0) + 1);
      if (times === undefined) log.warn('a malformed message is ignored, as will be all like it', { source, refusal });
    },
    count: () => total,
  };
}
