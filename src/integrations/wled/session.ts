import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { LanWebSocket } from '#base/network/lan-ports.ts';
import { repeat } from '#base/time/repeat.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { type ConnectionLife, createConnectionLife } from '#integrations/peer/connection-life.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { Reporting } from './reporting.ts';
import { lightFault, type Wire } from './wire.ts';
import { isBusyAnswer } from './wled-message.ts';
import { waitForRoom } from '#integrations/peer/connection-run.ts';

/** Sends a change to the light, and resolves once the light has answered. Throws PeerFault. */
export type SendChange = (change: JsonObject) => Promise<void>;

type SessionDeps = {
  readonly wire: Wire;
  readonly reporting: Reporting;
  /** Called once the light is read: it can be commanded from now on. */
  readonly onUp: (send: SendChange) => void;
  /** Called for a message that is none of a light's. */
  readonly onUnreadable: () => void;
  readonly startTimer: StartTimer;
  /** Aborts when the session is to end. */
  readonly signal: AbortSignal;
};

/** A light that says nothing may be lost: asked this often, it must have said something since. */
const ASK_MS = 15_000;
/** Each push has the whole state, so of many in a moment the newest counts. */
const GATHER_MS = 50;
const ANSWER_MS = 3_000;
/** A change that takes effect later than its answer is seen by then. */
const CHECK_MS = 1_500;
const BUSY_MS = 500;
const BUSY_TRIES = 3;
const POLL_MS = 5_000;
/** How many readings without a socket come before the light is asked for one again. */
const POLLS = 12;

/** One connection to the light. Resolves when it ends; rejects with PeerFault. Leaves nothing behind. */
export async function runSession(deps: SessionDeps): Promise<void> {
  const { wire, reporting, startTimer, signal } = deps;
  const status = await wire.readStatus(signal);
  if (!(await reporting.begin(status, signal))) return waitForRoom(startTimer, signal);
  while (!signal.aborted && !(await followSocket(deps))) await poll(deps);
}

/** Follows the pushes of a socket. False if its sockets are taken, or it has none: it may still answer requests. */
async function followSocket({
  wire,
  reporting,
  onUp,
  onUnreadable,
  startTimer,
  signal,
}: SessionDeps): Promise<boolean> {
  const life = createConnectionLife(signal, (cause) => cause as Error);
  let socket: LanWebSocket | undefined;
  let heard = 0;
  const takeStatus = (text: string): void => {
    try {
      reporting.take(wire.statusIn(text));
    } catch (cause) {
      if (!(cause instanceof PeerFault) || cause.nature === 'lasting') throw cause;
      onUnreadable();
    }
  };
  const pushes = createNewest(startTimer, (text) => life.during(() => takeStatus(text)));
  const put = (change: JsonObject): void => {
    try {
      socket?.send(JSON.stringify({ ...change, v: true }));
    } catch (cause) {
      life.end(cause instanceof HubError ? lightFault('LIGHT_UNREACHABLE', cause) : cause);
    }
  };
  const sender = createSender({ put, life, startTimer });
  const onMessage = (text: string): void => {
    if (life.isOver()) return;
    heard += 1;
    sender.hear(isBusyAnswer(text));
    // Answers without a state say only that something was taken.
    if (text.includes('"state"')) pushes.take(text);
  };
  let stopAsking = (): void => undefined;
  try {
    socket = await wire.openSocket(onMessage, life.signal);
    void socket.ended.then(() => life.end(lightFault('LIGHT_UNREACHABLE')));
    let heardBefore = heard;
    stopAsking = repeat(startTimer, ASK_MS, () => {
      if (heard === heardBefore) return life.end(lightFault('LIGHT_SILENT'));
      heardBefore = heard;
      put({});
    });
    onUp(sender.send);
    await life.ended;
    return true;
  } catch (cause) {
    if (!(cause instanceof PeerFault) || socket !== undefined || signal.aborted) throw cause;
    return false;
  } finally {
    life.end(lightFault('LIGHT_UNREACHABLE'));
    stopAsking();
    pushes.stop();
    sender.stop();
    await socket?.ended;
  }
}

async function poll(deps: SessionDeps): Promise<void> {
  const { wire, reporting, onUp, startTimer, signal } = deps;
  onUp(async (change) => reporting.take(await unlessBusy(() => wire.change(change, signal), BUSY_MS, deps)));
  for (let polls = 0; polls < POLLS && !signal.aborted; polls += 1) {
    // One that is busy now and then is not lost.
    reporting.take(await unlessBusy(() => wire.readStatus(signal), POLL_MS, deps));
    await waitMs(POLL_MS, startTimer, signal);
  }
}

/** Tries again while the light is busy, a few times. */
async function unlessBusy<Answer>(
  ask: () => Promise<Answer>,
  pauseMs: number,
  { startTimer, signal }: Pick<SessionDeps, 'startTimer' | 'signal'>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof PeerFault) || cause.nature !== 'busy' || tries === BUSY_TRIES) throw cause;
    }
    await waitMs(pauseMs, startTimer, signal);
  }
}

/** Hands on the newest text, at most one in a moment. */
function createNewest(startTimer: StartTimer, take: (text: string) => void) {
  let newest: string | undefined;
  let stopGathering: (() => void) | undefined;
  const takeNewest = (): void => {
    stopGathering = undefined;
    if (newest === undefined) return;
    const text = newest;
    newest = undefined;
    stopGathering = startTimer(GATHER_MS, takeNewest);
    take(text);
  };
  return {
    take: (text: string): void => {
      newest = text;
      if (stopGathering === undefined) takeNewest();
    },
    stop: (): void => stopGathering?.(),
  };
}

type SenderDeps = {
  readonly put: (change: JsonObject) => void;
  readonly life: ConnectionLife;
  readonly startTimer: StartTimer;
};

function createSender({ put, life, startTimer }: SenderDeps) {
  const { signal } = life;
  let onAnswer: ((fault?: PeerFault) => void) | undefined;
  let stopCheck: (() => void) | undefined;
  const ask = (change: JsonObject): Promise<void> =>
    new Promise((resolve, reject) => {
      const stopTimer = startTimer(ANSWER_MS, () => {
        const fault = lightFault('LIGHT_SILENT');
        onAnswer?.(fault);
        life.end(fault);
      });
      onAnswer = (fault) => {
        stopTimer();
        onAnswer = undefined;
        if (fault === undefined) resolve();
        else reject(fault);
      };
      put(change);
      if (life.isOver()) onAnswer(lightFault('LIGHT_UNREACHABLE'));
    });
  return {
    send: async (change: JsonObject): Promise<void> => {
      await unlessBusy(() => ask(change), BUSY_MS, { startTimer, signal });
      if (life.isOver()) return;
      stopCheck?.();
      stopCheck = startTimer(CHECK_MS, () => put({}));
    },
    hear: (isBusy: boolean): void => onAnswer?.(isBusy ? lightFault('LIGHT_BUSY') : undefined),
    stop: (): void => {
      stopCheck?.();
      onAnswer?.(lightFault('LIGHT_UNREACHABLE'));
    },
  };
}
