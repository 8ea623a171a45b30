import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';

/** Asks the network whether a name is free (RFC 6762 section 8.1). */
export type NameProbe = ReturnType<typeof createNameProbe>;

type NameProbeDeps = Pick<Runtime, 'random' | 'startTimer'> & {
  readonly send: () => void;
  readonly onFree: () => void;
  readonly onTaken: (holder: string) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

const PROBES = 3;
const PROBE_EVERY_MS = 250;
/** The holder of a name answers each question for it; a single packet, which any host can send, takes no name away. */
const STABLE_AFTER = 3;
/** In so many rounds, a holder that answers once a second is heard three times; after them the name is free. */
const ROUNDS = 4;
const ROUND_AGAIN_MS = 1_000;
/** So many conflicts in so short a time are no accident: the hub slows down (RFC 6762 section 8.1). */
const MANY = { conflicts: 15, withinMs: 10_000, waitMs: 5_000, untilQuietForMs: 60_000 };
const MAX_HOLDERS = 64;

type Attempt = { round: number; isListening: boolean; heard: Set<string>; times: Map<string, number> };

export function createNameProbe({ send, onFree, onTaken, random, startTimer, clock }: NameProbeDeps) {
  let attempt: Attempt | undefined;
  let stopTimer = (): void => undefined;
  let conflictsMs: readonly number[] = [];
  let slowUntilMs = Number.NEGATIVE_INFINITY;

  const after = (waitMs: number, step: () => void): void => {
    stopTimer();
    stopTimer = startTimer(waitMs, step);
  };
  const stop = (): void => {
    stopTimer();
    attempt = undefined;
  };
  const pauseMs = (usualMs: number): number => (clock.monotonicMs() < slowUntilMs ? MANY.waitMs : usualMs);
  const countConflict = (): void => {
    const nowMs = clock.monotonicMs();
    conflictsMs = [...conflictsMs, nowMs].slice(-MANY.conflicts);
    const [oldestMs = nowMs] = conflictsMs;
    const isMany = conflictsMs.length === MANY.conflicts && nowMs - oldestMs < MANY.withinMs;
    if (isMany || nowMs < slowUntilMs) slowUntilMs = nowMs + MANY.untilQuietForMs;
  };
  const ask = (current: Attempt, waitMs: number): void => {
    current.isListening = false;
    after(waitMs + random() * PROBE_EVERY_MS, () => probe(current, PROBES));
  };
  const probe = (current: Attempt, left: number): void => {
    current.heard.clear();
    if (left === 0) return endRound(current);
    current.isListening = true;
    after(PROBE_EVERY_MS, () => probe(current, left - 1));
    send();
  };
  const endRound = (current: Attempt): void => {
    if (current.times.size > 0 && current.round < ROUNDS) {
      current.round += 1;
      return ask(current, pauseMs(ROUND_AGAIN_MS));
    }
    stop();
    onFree();
  };
  return {
    stop,
    /** Begins again; waits first if there were many conflicts. */
    start: (): void => {
      attempt = { round: 1, isListening: false, heard: new Set(), times: new Map() };
      ask(attempt, pauseMs(0));
    },
    /** A host objected. That counts once for each probe, and not at all while no probe is out. */
    contest: (holder: string): void => {
      if (attempt === undefined || !attempt.isListening || attempt.heard.has(holder)) return;
      const { heard, times } = attempt;
      if (!times.has(holder) && times.size >= MAX_HOLDERS) return;
      heard.add(holder);
      times.set(holder, (times.get(holder) ?? 0) + 1);
      countConflict();
      if (times.get(holder) !== STABLE_AFTER) return;
      stop();
      onTaken(holder);
    },
    /** Another host asks for the name at the same time and goes first. */
    giveWay: (): void => {
      // The host that went first has the name by then and says so; one that keeps asking for ever has not.
      if (attempt === undefined || !attempt.isListening || attempt.round >= ROUNDS) return;
      attempt.round += 1;
      ask(attempt, ROUND_AGAIN_MS);
    },
  };
}
