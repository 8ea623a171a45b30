import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { LanWebSocket } from '#base/network/lan-ports.ts';
import { repeat } from '#base/time/repeat.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { Reporting } from './reporting.ts';
import { lightFault, type Wire } from './wire.ts';
import { isBusyAnswer, readStatus } from './wled-message.ts';

/** Sends a change to the light, and resolves once the light has answered. Throws PeerFault. */
export type SendChange = (change: JsonObject) => Promise<void>;

type SessionDeps = {
  readonly wire: Wire;
  readonly reporting: Reporting;
  /** The MAC address of the light as of the set-up. */
  readonly mac: string | null;
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
  const { wire, reporting, mac, signal } = deps;
  const status = await wire.readStatus(signal);
  if (mac !== null && status.info.mac !== mac) throw lightFault('OTHER_LIGHT');
  if (!(await reporting.begin(status, signal))) return waitMs(POLL_MS * POLLS, deps.startTimer, signal);
  for (;;) {
    const socket = createSocketSession(deps);
    try {
      const open = await wire.openSocket(socket.onMessage, signal);
      return await socket.follow(open);
    } catch (cause) {
      socket.stop();
      // Its sockets are taken, or it has none. It may still answer requests.
      if (!(cause instanceof PeerFault) || socket.wasOpen() || signal.aborted) throw cause;
    }
    await poll(deps);
    if (signal.aborted) return;
  }
}

/** Reads the light again and again. */
async function poll({ wire, reporting, mac, onUp, startTimer, signal }: SessionDeps): Promise<void> {
  onUp(async (change) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return reporting.take(await wire.change(change, signal));
      } catch (cause) {
        if (!(cause instanceof PeerFault) || cause.code !== 'LIGHT_BUSY' || tries === BUSY_TRIES) throw cause;
      }
      await waitMs(BUSY_MS, startTimer, signal);
    }
  });
  for (let polls = 0, failures = 0; polls < POLLS && !signal.aborted; polls += 1) {
    try {
      const status = await wire.readStatus(signal);
      if (mac !== null && status.info.mac !== mac) throw lightFault('OTHER_LIGHT');
      reporting.take(status);
      failures = 0;
    } catch (cause) {
      failures += 1;
      // One that is busy now and then is not lost.
      if (!(cause instanceof PeerFault) || cause.code !== 'LIGHT_BUSY' || failures === BUSY_TRIES) throw cause;
    }
    await waitMs(POLL_MS, startTimer, signal);
  }
}

/** Follows the pushes of one socket. */
function createSocketSession(deps: SessionDeps) {
  const { onUp, startTimer, signal } = deps;
  let stopAsking: (() => void) | undefined;
  let heard = 0;
  let open: LanWebSocket | undefined;
  let failure: PeerFault | undefined;

  const end = (error: PeerFault): void => {
    failure ??= error;
    open?.close();
  };
  const pushes = createPushes(deps, end);
  /** False if it cannot be sent; a socket that has ended says so by itself. */
  const put = (change: JsonObject): boolean => {
    try {
      open?.send(JSON.stringify({ ...change, v: true }));
      return true;
    } catch (cause) {
      if (!(cause instanceof HubError)) throw cause;
      end(lightFault('LIGHT_UNREACHABLE', cause));
      return false;
    }
  };
  const sender = createSender({ put, end, startTimer, signal });
  const stop = (): void => {
    pushes.stop();
    sender.stop();
    stopAsking?.();
  };
  return {
    onMessage: (text: string): void => {
      if (signal.aborted || failure !== undefined) return;
      heard += 1;
      sender.hear(isBusyAnswer(text));
      // Answers without a state say only that something was taken.
      if (text.includes('"state"')) pushes.take(text);
    },
    stop,
    wasOpen: () => open !== undefined,
    follow: async (socket: LanWebSocket): Promise<void> => {
      open = socket;
      let heardBefore = heard;
      stopAsking = repeat(startTimer, ASK_MS, () => {
        if (heard === heardBefore) return end(lightFault('LIGHT_SILENT'));
        heardBefore = heard;
        put({});
      });
      onUp(sender.send);
      await socket.ended;
      stop();
      if (!signal.aborted) throw failure ?? lightFault('LIGHT_UNREACHABLE');
    },
  };
}

/** Reads the newest push, at most one in a moment. */
function createPushes({ reporting, mac, onUnreadable, startTimer }: SessionDeps, end: (error: PeerFault) => void) {
  let newest: string | undefined;
  let stopGathering: (() => void) | undefined;
  const takeNewest = (): void => {
    stopGathering = undefined;
    if (newest === undefined) return;
    const status = readStatus(newest);
    newest = undefined;
    stopGathering = startTimer(GATHER_MS, takeNewest);
    if (status === undefined) onUnreadable();
    else if (mac !== null && status.info.mac !== mac) end(lightFault('OTHER_LIGHT'));
    else reporting.take(status);
  };
  return {
    take: (text: string): void => {
      newest = text;
      if (stopGathering === undefined) takeNewest();
    },
    stop: (): void => stopGathering?.(),
  };
}

type SenderDeps = Pick<SessionDeps, 'startTimer' | 'signal'> & {
  readonly put: (change: JsonObject) => boolean;
  readonly end: (error: PeerFault) => void;
};

/** Sends a change and waits for what the light says next. */
function createSender({ put, end, startTimer, signal }: SenderDeps) {
  type Answer = 'answered' | 'busy' | 'silent' | 'ended';
  let onAnswer: ((answer: Answer) => void) | undefined;
  let stopCheck: (() => void) | undefined;
  const askFor = (change: JsonObject): Promise<Answer> =>
    new Promise((resolve) => {
      const stopTimer = startTimer(ANSWER_MS, () => onAnswer?.('silent'));
      onAnswer = (answer) => {
        stopTimer();
        onAnswer = undefined;
        resolve(answer);
      };
      if (!put(change)) onAnswer('ended');
    });
  const send: SendChange = async (change) => {
    for (let tries = 1; ; tries += 1) {
      const answer = signal.aborted ? 'ended' : await askFor(change);
      if (answer === 'answered') break;
      if (answer === 'silent') end(lightFault('LIGHT_SILENT'));
      if (answer !== 'busy') throw lightFault(answer === 'silent' ? 'LIGHT_SILENT' : 'LIGHT_UNREACHABLE');
      if (tries === BUSY_TRIES) throw lightFault('LIGHT_BUSY');
      await waitMs(BUSY_MS, startTimer, signal);
    }
    if (signal.aborted) return;
    stopCheck?.();
    stopCheck = startTimer(CHECK_MS, () => void put({}));
  };
  return {
    send,
    hear: (isBusy: boolean): void => onAnswer?.(isBusy ? 'busy' : 'answered'),
    stop: (): void => {
      stopCheck?.();
      onAnswer?.('ended');
    },
  };
}
