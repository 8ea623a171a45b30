import type { StartTimer } from '#base/time/timer.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { CivilRule, Due, Input, TimerId } from '#core/automation-run/engine.ts';

type DueInput = Extract<Input, { kind: 'due' | 'civil_due' }>;
type CivilDue = Extract<Due, { civil: CivilRule }>;

/** The timers of all automations over one of the machine's. Nothing runs while none is armed. */
export type EngineTimers = ReturnType<typeof createEngineTimers>;

type EngineTimersDeps = {
  readonly startTimer: StartTimer;
  readonly hubMs: () => number;
  /** The best guess while the clock is not set. */
  readonly wallMs: () => number;
  readonly civil: Pick<CivilTime, 'next' | 'last'>;
  readonly onDue: () => void;
};

/** Longer waits are cut: the machine may sleep meanwhile, and Node counts no more than 24 days. */
const LONGEST_MS = 3_600_000;
/** So many more than are armed may be in the heap before those that were disarmed are taken out. */
const SLACK = 256;

type Armed = { readonly timer: TimerId; readonly atMs: number; readonly wallMs: number | null; readonly due: Due };

export function createEngineTimers({ startTimer, hubMs, wallMs, civil, onDue }: EngineTimersDeps) {
  const armed = new Map<TimerId, Armed>();
  let heap: Armed[] = [];
  let running: { readonly atMs: number; readonly stop: () => void } | undefined;
  let isStopped = false;

  const put = (one: Armed): void => {
    armed.set(one.timer, one);
    if (one.atMs === Infinity) return;
    if (heap.length > 2 * armed.size + SLACK) {
      // A sorted list is a heap.
      heap = [...armed.values()].filter(({ atMs }) => atMs !== Infinity).toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
    } else push(heap, one);
  };
  const plan = (timer: TimerId, due: CivilDue): Armed => {
    const nowMs = wallMs();
    const missedMs = due.afterWallMs < nowMs ? civil.last(due.civil, due.afterWallMs, nowMs) : undefined;
    const nextMs = missedMs ?? civil.next(due.civil, Math.max(due.afterWallMs, nowMs));
    if (nextMs === undefined) return { timer, atMs: Infinity, wallMs: null, due };
    return { timer, atMs: hubMs() + Math.max(0, nextMs - nowMs), wallMs: nextMs, due };
  };
  const first = (): Armed | undefined => {
    for (;;) {
      const [top] = heap;
      if (top === undefined || armed.get(top.timer) === top) return top;
      pop(heap);
    }
  };
  const stopRunning = (): void => {
    running?.stop();
    running = undefined;
  };

  return {
    arm: (timer: TimerId, due: Due): void =>
      put('hubMs' in due ? { timer, atMs: due.hubMs, wallMs: null, due } : plan(timer, due)),
    disarm: (timer: TimerId): void => void armed.delete(timer),
    /** The first that is due, those of one moment in the order of their names; it is not armed any more. */
    take: (): DueInput | undefined => {
      for (;;) {
        const top = first();
        if (top === undefined || top.atMs > hubMs()) return undefined;
        pop(heap);
        armed.delete(top.timer);
        const { timer, due } = top;
        if ('hubMs' in due) return { kind: 'due', timer };
        // The wall clock may have moved since it was planned, by little or much.
        const again = plan(timer, due);
        const nowMs = wallMs();
        if (again.wallMs !== null && again.wallMs <= nowMs) {
          return { kind: 'civil_due', timer, wallMs: again.wallMs, lateMs: nowMs - again.wallMs };
        }
        put(again.atMs > hubMs() ? again : { ...again, atMs: hubMs() + 1 });
      }
    },
    /** To call when the hub's clock was corrected: what is due next may be due by the same time, but not as long from now. */
    noteClockSet: stopRunning,
    /** Works out anew when the times of the clock are that this concerns. */
    replan: (isConcerned: (rule: CivilRule) => boolean): void => {
      for (const { timer, due } of armed.values()) if ('civil' in due && isConcerned(due.civil)) put(plan(timer, due));
    },
    /** On the wall clock; `undefined` for a timer that is not armed or never due. */
    wallMsOf: (timer: TimerId): number | undefined => armed.get(timer)?.wallMs ?? undefined,
    /** Sets the machine's timer for what is due next. To call once there is nothing more to do now. */
    schedule: (): void => {
      const atMs = first()?.atMs;
      if (isStopped || atMs === undefined) return stopRunning();
      if (running?.atMs === atMs) return;
      stopRunning();
      const waitMs = Math.max(1, Math.min(LONGEST_MS, atMs - hubMs()));
      const stop = startTimer(waitMs, () => {
        running = undefined;
        onDue();
      });
      running = { atMs, stop };
    },
    stop: (): void => {
      isStopped = true;
      stopRunning();
    },
  };
}

function isBefore(left: Armed, right: Armed): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.timer < right.timer);
}

function push(heap: Armed[], one: Armed): void {
  let at = heap.length;
  heap.push(one);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || !isBefore(one, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = one;
}

function pop(heap: Armed[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const [one, other] = [heap[left], heap[left + 1]];
    if (one === undefined) break;
    const [child, place] = other !== undefined && isBefore(other, one) ? [other, left + 1] : [one, left];
    if (!isBefore(child, last)) break;
    heap[at] = child;
    at = place;
  }
  heap[at] = last;
}
