import { HubError } from '#base/hub-error.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';

/** Each kind of request has its own limit, and commands go before readings. */
export type Lane = 'group' | 'light' | 'read';

/** The turns in which requests go to a bridge, so that it is never asked more than it can take. */
export type RequestTurns = {
  /** Runs the task in its turn. Rejects HubError OVERLOADED if too many wait, and with what `endAll` gives. */
  readonly run: <Result>(lane: Lane, task: () => Promise<Result>) => Promise<Result>;
  /** Starts nothing for this long: the bridge asked for it. */
  readonly pause: (forMs: number) => void;
  /** Rejects all that wait with this error, and leaves no timer. */
  readonly endAll: (error: Error) => void;
};

const LANES: readonly Lane[] = ['group', 'light', 'read'];
/** Starts in any second. More, and the bridge drops commands or answers 429. */
const PER_SECOND: Readonly<Record<Lane, number>> = { group: 1, light: 10, read: 10 };
/** A request that has to wait longer than 8 s would be given up by its caller before it is sent. */
const MOST_WAITING: Readonly<Record<Lane, number>> = { group: 8, light: 80, read: 20 };
const MOST_AT_ONCE = 3;
const WINDOW_MS = 1_000;

type Waiting = { readonly start: () => void; readonly refuse: (error: Error) => void };

export function createRequestTurns({ clock, startTimer }: { clock: Clock; startTimer: StartTimer }): RequestTurns {
  const waiting: Record<Lane, Waiting[]> = { group: [], light: [], read: [] };
  /** Monotonic times of the last starts of each lane, oldest first. */
  const starts: Record<Lane, number[]> = { group: [], light: [], read: [] };
  let running = 0;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let stopTimer = (): void => undefined;

  const readyAtMs = (lane: Lane): number => {
    const oldest = starts[lane].length < PER_SECOND[lane] ? undefined : starts[lane][0];
    return Math.max(pausedUntilMs, oldest === undefined ? pausedUntilMs : oldest + WINDOW_MS);
  };
  const startNext = (): void => {
    stopTimer();
    stopTimer = () => undefined;
    const nowMs = clock.monotonicMs();
    for (const lane of LANES) {
      while (running < MOST_AT_ONCE && waiting[lane].length > 0 && readyAtMs(lane) <= nowMs) {
        running += 1;
        starts[lane].push(nowMs);
        if (starts[lane].length > PER_SECOND[lane]) starts[lane].shift();
        waiting[lane].shift()?.start();
      }
    }
    const next = LANES.filter((lane) => waiting[lane].length > 0).map(readyAtMs);
    // With all places taken, the end of a request goes on instead.
    if (next.length === 0 || running >= MOST_AT_ONCE) return;
    stopTimer = startTimer(Math.max(1, Math.ceil(Math.min(...next) - nowMs)), startNext);
  };
  const end = (): void => {
    running -= 1;
    startNext();
  };

  return {
    run: <Result>(lane: Lane, task: () => Promise<Result>) => {
      if (waiting[lane].length >= MOST_WAITING[lane]) {
        return Promise.reject(
          new HubError('OVERLOADED', 'More commands wait for the bridge than it takes in 8 seconds.'),
        );
      }
      return new Promise<Result>((resolve, reject) => {
        // Its place is given back too where the task throws before it has a promise.
        const begin = async (): Promise<Result> => task();
        const start = (): void => void begin().then(resolve, reject).finally(end);
        waiting[lane].push({ start, refuse: reject });
        startNext();
      });
    },
    pause: (forMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + forMs);
    },
    endAll: (error) => {
      stopTimer();
      stopTimer = () => undefined;
      for (const lane of LANES) for (const { refuse } of waiting[lane].splice(0)) refuse(error);
    },
  };
}
