import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { PeerFault } from './peer-fault.ts';

type ConnectionRunDeps = {
  readonly ports: {
    readonly clock: Clock;
    readonly startTimer: StartTimer;
    readonly random: () => number;
    readonly log: Log;
  };
  readonly sink: Pick<DeviceSink, 'reportStatus'>;
  readonly signal: AbortSignal;
  /** Names the peer in each line of the log: `{ light: 'Shelf' }`. */
  readonly peer: Readonly<Record<string, string>>;
  /**
   * One connection, from its first byte to its end. To call `onUp` once it works. Rejects with a PeerFault (anything else
   * is a bug and ends the run), resolves when the peer ends it, and leaves nothing behind once the signal has aborted.
   */
  readonly connect: (onUp: () => void, signal: AbortSignal) => Promise<void>;
  /** The fault that an end without an error stands for. */
  readonly ended: () => PeerFault;
  /** Whether the peer sleeps most of the time: then its absence is no fault, and the hub looks for it often. */
  readonly isAsleep?: () => boolean;
  /** Called with the end of each connection, before the next. */
  readonly onEnd: () => void;
  /** Called when the peer is lost for now: what is known of its devices may no longer be true. */
  readonly onDown: () => void;
};

const RETRY_DELAYS = { minMs: 1_000, maxMs: 60_000 };
/** A sleeper is awake for seconds. */
const SLEEPER_MS = 2_000;
/** A connection that ends sooner than this has not worked: a device may restart every second. */
const WORKING_MS = 10_000;

/** Keeps a connection until the signal aborts, and shows how it is. Each loss is logged once, as is each return. */
export async function runConnections(deps: ConnectionRunDeps): Promise<void> {
  const { sink, signal, peer } = deps;
  const { clock, startTimer, log, random } = deps.ports;
  const delays = createRetryDelays(RETRY_DELAYS, random);
  let isUp = false;
  let isLossLogged = false;
  /** The time at which the present connection began to work. */
  let upSinceMs: number | undefined;
  const onUp = (): void => {
    upSinceMs ??= clock.monotonicMs();
    if (isUp) return;
    isUp = true;
    isLossLogged = false;
    log[deps.isAsleep?.() === true ? 'debug' : 'info']('connected', peer);
    sink.reportStatus('connected', null);
  };
  while (!signal.aborted) {
    upSinceMs = undefined;
    const loss = await connectOnce(deps, onUp);
    deps.onEnd();
    if (signal.aborted) return;
    const hasWorked = upSinceMs !== undefined && clock.monotonicMs() - upSinceMs >= WORKING_MS;
    if (hasWorked) delays.reset();
    const { code, message, cause, nature } = loss;
    const isLasting = nature === 'lasting';
    // A connection that was cut is opened again at once, and nobody needs to hear of it if that works.
    if (hasWorked && !isLasting && deps.isAsleep?.() !== true) continue;
    isUp = false;
    if (deps.isAsleep?.() === true && !isLasting) {
      sink.reportStatus('connecting', null);
      deps.onDown();
      await waitMs(SLEEPER_MS, startTimer, signal);
      continue;
    }
    // Once per loss: the reason may change with every try, and the status has it.
    log[isLossLogged ? 'debug' : 'warn'](message, { code, ...peer, cause });
    isLossLogged = true;
    sink.reportStatus(isLasting ? 'needs_action' : 'error', { code, message });
    deps.onDown();
    await waitMs(delays.nextMs(), startTimer, signal);
  }
}

/** Opens a connection and follows it to its end. */
async function connectOnce({ signal, connect, ended }: ConnectionRunDeps, onUp: () => void): Promise<PeerFault> {
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
