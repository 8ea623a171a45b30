import { HubError } from '#base/hub-error.ts';
import { createOnceLog, type Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { PeerFault } from './peer-fault.ts';

type ConnectionRunDeps<Up> = {
  readonly ports: {
    readonly clock: Clock;
    readonly startTimer: StartTimer;
    readonly random: () => number;
    readonly log: Log;
  };
  readonly sink: Pick<DeviceSink, 'reportStatus' | 'reportLost'>;
  readonly signal: AbortSignal;
  /** Names the peer in each line of the log: `{ light: 'Shelf' }`. */
  readonly peer: Readonly<Record<string, string>>;
  /**
   * One connection, from its first byte to its end. To call `onUp` once it works, with what it does. Rejects with a PeerFault (anything else
   * is a bug and ends the run), resolves when the peer ends it, and leaves nothing behind once the signal has aborted.
   */
  readonly connect: (onUp: (up: Up) => void, signal: AbortSignal) => Promise<void>;
  /** The fault that an end without an error stands for. */
  readonly ended: () => PeerFault;
  /** Whether the peer sleeps most of the time: then its absence is no fault, and the hub looks for it often. */
  readonly isAsleep?: () => boolean;
  /** Called with what a connection does while it works, and with `null` at its end, before the next. */
  readonly setUp: (up: Up | null) => void;
  /** How its devices are while the peer is lost, if `onDown` does not report that; those of a peer that sleeps are asleep. */
  readonly lost?: Parameters<DeviceSink['reportLost']>;
  /** Called when the peer is lost for now, before that is reported of its devices. */
  readonly onDown?: (loss: PeerFault) => void;
};

const RETRY_DELAYS = { minMs: 1_000, maxMs: 60_000 };
const NO_ROOM_MS = 60_000;
/** A sleeper is awake for seconds. */
const SLEEPER_MS = 2_000;
/** A connection that ends sooner than this has not worked: a device may restart every second. */
const WORKING_MS = 10_000;

/** Keeps a connection until the signal aborts, and shows how it is. Each loss is logged once, as is each return. */
export async function runConnections<Up>(deps: ConnectionRunDeps<Up>): Promise<void> {
  const { sink, signal, peer } = deps;
  const { clock, startTimer, log, random } = deps.ports;
  const delays = createRetryDelays(RETRY_DELAYS, random);
  let isUp = false;
  const losses = createOnceLog(log);
  /** The time at which the present connection began to work. */
  let upSinceMs: number | undefined;
  const onUp = (up: Up): void => {
    deps.setUp(up);
    upSinceMs ??= clock.monotonicMs();
    if (isUp) return;
    isUp = true;
    losses.forget();
    log[deps.isAsleep?.() === true ? 'debug' : 'info']('connected', peer);
    sink.reportStatus('connected', null);
  };
  const lose = (loss: PeerFault): void => {
    deps.onDown?.(loss);
    if (deps.isAsleep?.() === true) sink.reportLost('asleep', 'asleep');
    else if (deps.lost !== undefined) sink.reportLost(...deps.lost);
  };
  while (!signal.aborted) {
    upSinceMs = undefined;
    const loss = await connectOnce(deps, onUp);
    deps.setUp(null);
    if (signal.aborted) return;
    const hasWorked = upSinceMs !== undefined && clock.monotonicMs() - upSinceMs >= WORKING_MS;
    if (hasWorked) delays.reset();
    const { code, message, cause, nature } = loss;
    const isLasting = nature === 'lasting';
    // A connection that was cut is opened again at once, and nobody needs to hear of it if that works.
    const isCut = nature === 'passing' && code !== 'BAD_ANSWER';
    if (hasWorked && isCut && deps.isAsleep?.() !== true) continue;
    isUp = false;
    if (deps.isAsleep?.() === true && !isLasting) {
      sink.reportStatus('connecting', null);
      lose(loss);
      await waitMs(SLEEPER_MS, startTimer, signal);
      continue;
    }
    // Once per loss: the reason may change with every try, and the status has it.
    losses.tell(message, { code, ...peer, cause });
    sink.reportStatus(isLasting ? 'needs_action' : 'error', { code, message });
    lose(loss);
    await waitMs(delays.nextMs(), startTimer, signal);
  }
}

/** The wait of a connection whose devices have no place in the home: it may have room for them later. */
export function waitForRoom(startTimer: StartTimer, signal: AbortSignal): Promise<void> {
  return waitMs(NO_ROOM_MS, startTimer, signal);
}

/** Opens a connection and follows it to its end. */
async function connectOnce<Up>(
  { signal, connect, ended }: ConnectionRunDeps<Up>,
  onUp: (up: Up) => void,
): Promise<PeerFault> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  try {
    await connect(onUp, ending.signal);
    return ended();
  } catch (cause) {
    if (!(cause instanceof PeerFault)) throw cause;
    return cause;
  } finally {
    signal.removeEventListener('abort', end);
    ending.abort();
  }
}

/** Holds the parts that work while there is a connection. Asking for them without one throws HubError. */
export function createUp<Up>(peer: string) {
  let up: Up | null = null;
  return {
    set: (next: Up | null): void => {
      up = next;
    },
    get: (): Up => {
      if (up === null) throw new HubError('INTEGRATION_DOWN', `The ${peer} is not connected.`);
      return up;
    },
  };
}
