import type { HubSnapshotData } from './api.ts';
import { HubProblem, problemFrom } from './hub-problem.ts';
import type { SignIn } from './sign-in.ts';

export type HubEvent = { readonly id?: string | undefined; readonly type: string; readonly data: unknown };
/** The whole home at one moment: what a list that is kept up to date begins with, also after a gap. */
export type Snapshot = Pick<HubSnapshotData, 'cursor' | 'rooms' | 'devices'>;

export type EventListener = {
  readonly onEvent: (event: HubEvent) => void;
  /** Replaces everything known: at the beginning without a cursor, and whenever events were lost. */
  readonly onSnapshot: (snapshot: Snapshot) => void;
  /** `false` while there is no connection; it reconnects by itself. */
  readonly onConnection?: (isConnected: boolean) => void;
  /** Comes at least every 15 s with the hub's own time, and moves the position as an event does. */
  readonly onHeartbeat?: (event: HubEvent) => void;
  /** The end: the hub refuses this client until a new login. */
  readonly onRefused: (problem: HubProblem) => void;
};

export type FollowOptions = {
  readonly types?: readonly string[];
  readonly device?: readonly string[];
  readonly room?: readonly string[];
  /** `Event-Cursor` of a list: goes on from there instead of beginning with a snapshot. */
  readonly cursor?: string;
};

/** The connection failed or ended: connect again. */
class Disconnected extends Error {}

/** The hub sends something at least every 15 s: after this long without a byte the connection is dead. */
const SILENCE_MS = 18_000;
/** The first heartbeat comes at once. */
const FIRST_BYTE_MS = 8_000;
const MIN_WAIT_MS = 500;
/** A person is looking at the page: it must notice soon that the hub is back. */
const MAX_WAIT_MS = 8_000;

/** Follows events over any number of connections. Returns how to stop; the listener is not called afterwards. */
export function followEvents(
  signIn: Pick<SignIn, 'send'>,
  listener: EventListener,
  options: FollowOptions,
): () => void {
  const stopped = new AbortController();
  const takeFrame = createFrameTaker(listener, options.cursor);
  let waitMs = MIN_WAIT_MS;

  const connect = async (): Promise<void> => {
    const silence = createSilenceWatch(stopped.signal);
    try {
      const cursor = takeFrame.cursor();
      const answer = await orDisconnected(
        signIn.send(`/api/v1/event${queryOf(options, cursor)}`, {
          headers: { Accept: 'text/event-stream', ...(cursor === undefined ? {} : { 'Last-Event-ID': cursor }) },
          signal: silence.signal,
        }),
      );
      if (!answer.ok) throw await orDisconnected(problemFrom(answer));
      if (stopped.signal.aborted) return;
      listener.onConnection?.(true);
      takeFrame.begin();
      for await (const frame of framesOf(answer, silence.heard)) {
        // A frame before this one may have stopped it.
        if (stopped.signal.aborted) return;
        waitMs = MIN_WAIT_MS;
        takeFrame.take(frame);
      }
    } finally {
      silence.end();
    }
  };
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      let askedMs = 0;
      try {
        await connect();
      } catch (cause) {
        if (stopped.signal.aborted) return;
        if (cause instanceof HubProblem) {
          if (isFinal(cause)) return listener.onRefused(cause);
          askedMs = (cause.retryAfterS ?? 0) * 1000;
        } else if (!(cause instanceof Disconnected)) {
          throw cause;
        }
      }
      if (stopped.signal.aborted) return;
      listener.onConnection?.(false);
      await pause(Math.max(askedMs, waitMs * (0.5 + Math.random() / 2)), stopped.signal);
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    }
  };
  void run();
  return () => stopped.abort();
}

/** A busy hub recovers; a client without permission will not get it by waiting. */
function isFinal({ status }: HubProblem): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429;
}

function queryOf({ types, device, room }: FollowOptions, cursor: string | undefined): string {
  const parts = Object.entries({ types, device, room }).flatMap(([name, values]) =>
    values === undefined ? [] : [`${name}=${values.map(encodeURIComponent).join(',')}`],
  );
  if (cursor === undefined) parts.push('snapshot=1');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

async function* framesOf(answer: Response, heard: () => void): AsyncGenerator<Frame> {
  const readFrames = createFrameReader();
  const decoder = new TextDecoder();
  // Not every browser can iterate over a body.
  const reader = answer.body?.getReader();
  for (;;) {
    const piece = reader === undefined ? undefined : await orDisconnected(reader.read());
    if (piece === undefined || piece.done) return;
    heard();
    const bytes: Uint8Array = piece.value;
    yield* readFrames(decoder.decode(bytes, { stream: true }));
  }
}

async function orDisconnected<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (cause) {
    if (cause instanceof HubProblem) throw cause;
    throw new Disconnected('the connection failed', { cause });
  }
}

/** Keeps the position, and holds back a snapshot until all of its parts are there. */
function createFrameTaker(listener: EventListener, start: string | undefined) {
  let cursor = start;
  let parts: HubSnapshotData[] = [];
  return {
    cursor: () => cursor,
    begin: () => {
      parts = [];
    },
    take: ({ id, type, data }: Frame): void => {
      if (id !== undefined) cursor = id;
      const value = JSON.parse(data) as unknown;
      if (type === 'hub.heartbeat') return listener.onHeartbeat?.({ id, type, data: value });
      if (type !== 'hub.snapshot') return listener.onEvent({ id, type, data: value });
      const part = value as HubSnapshotData;
      parts.push(part);
      if (!part.last) return;
      const rooms = parts.flatMap((one) => one.rooms);
      const devices = parts.flatMap((one) => one.devices);
      parts = [];
      listener.onSnapshot({ cursor: part.cursor, rooms, devices });
    },
  };
}

/** A signal that aborts with another one, or after too long a silence. */
function createSilenceWatch(stopped: AbortSignal) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer = setTimeout(abort, FIRST_BYTE_MS);
  stopped.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    heard: (): void => {
      clearTimeout(timer);
      timer = setTimeout(abort, SILENCE_MS);
    },
    end: (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', abort);
      // The connection is not read any further.
      controller.abort();
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** One server-sent event; `id` is absent if the frame does not move the position. */
type Frame = { readonly id: string | undefined; readonly type: string; readonly data: string };

/** Takes the text of an event stream in any pieces, and returns the frames that are complete. */
export function createFrameReader(): (text: string) => readonly Frame[] {
  let rest = '';
  let id: string | undefined;
  let type = '';
  let data: string[] = [];

  const readLine = (line: string): Frame | undefined => {
    if (line === '') {
      const frame = data.length === 0 ? undefined : { id, type: type === '' ? 'message' : type, data: data.join('\n') };
      id = undefined;
      type = '';
      data = [];
      return frame;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
    else if (field === 'id') id = value;
    return undefined;
  };
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    return lines.map((line) => readLine(line.replace(/\r$/, ''))).filter((frame) => frame !== undefined);
  };
}
