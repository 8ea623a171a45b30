import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createWorkTurns } from '#base/time/work-turns.ts';
import { serverFault, serverRefusal } from './server-fault.ts';
import { parseJsonInSlices } from './json-slices.ts';
import { type Frame, frameFrom, readFrame } from './zwave-message.ts';

/** Asks the server. Throws PeerRefusal if it says no, PeerFault if it says nothing. */
export type Call = (command: string, args?: JsonObject) => Promise<JsonObject>;

export type Talk = {
  readonly call: Call;
  readonly version: Promise<Version>;
  readonly onMessage: (text: string) => void;
  /** Fails what waits and what comes. */
  readonly end: (error: Error) => void;
};

export type Version = Extract<Frame, { type: 'version' }>;

type Deps = Pick<Runtime, 'startTimer' | 'monotonicMs'> & {
  readonly send: (text: string) => void;
  readonly onEvent: (event: JsonObject) => void;
  /** Called for a message that is none of such a server, with what was thrown where a bug makes it so. */
  readonly onUnreadable: (cause?: unknown) => void;
  /** Called when more waits to be read than a server has to say. */
  readonly onTooMuch: () => void;
};

const HELLO_MS = 5_000;
/** The driver tries a node that does not answer three times, and other commands may come first. A sleeper takes hours. */
const ANSWER_MS = 60_000;
const MOST_WAITING = 256;
/** A longer message is parsed in slices: the state of all nodes, with its megabytes. */
const LONG = 256 * 1024;
const MOST_UNREAD = 24 * 1024 * 1024;

type Waiting = { readonly resolve: (result: JsonObject) => void; readonly reject: (error: Error) => void };

export function createTalk(deps: Deps): Talk {
  const { send, onEvent, onUnreadable, startTimer } = deps;
  const waiting = new Map<string, Waiting>();
  let lastId = 0;
  let ended: Error | undefined;
  let settleVersion: { resolve: (version: Version) => void; reject: (error: Error) => void } | undefined;
  const version = new Promise<Version>((resolve, reject) => {
    settleVersion = { resolve, reject };
  });
  // Nobody may be waiting for it when the connection ends.
  version.catch(() => undefined);
  const stopHello = startTimer(HELLO_MS, () => settleVersion?.reject(serverFault('BAD_ANSWER')));
  const onFrame = (frame: Frame | undefined): void => {
    if (frame === undefined) return onUnreadable();
    if (frame.type === 'event') return onEvent(frame.event);
    if (frame.type === 'version') {
      stopHello();
      return settleVersion?.resolve(frame);
    }
    const asked = waiting.get(frame.id);
    if (frame.type === 'result') asked?.resolve(frame.result);
    else asked?.reject(serverRefusal(frame.code));
  };
  return {
    version,
    call: async (command, args = {}) => {
      if (ended !== undefined) throw ended;
      if (waiting.size >= MOST_WAITING) throw new HubError('COMMAND_FAILED', 'Too many commands wait for the server.');
      lastId += 1;
      const messageId = String(lastId);
      let stopTimer = (): void => undefined;
      try {
        return await new Promise<JsonObject>((resolve, reject) => {
          waiting.set(messageId, { resolve, reject });
          stopTimer = startTimer(ANSWER_MS, () => reject(serverFault('SERVER_SILENT')));
          send(JSON.stringify({ messageId, command, ...args }));
        });
      } finally {
        stopTimer();
        waiting.delete(messageId);
      }
    },
    onMessage: createReader({ ...deps, isOver: () => ended !== undefined, onFrame }),
    end: (error) => {
      ended ??= error;
      stopHello();
      settleVersion?.reject(ended);
      for (const { reject } of waiting.values()) reject(ended);
    },
  };
}

type ReaderDeps = Pick<Deps, 'startTimer' | 'monotonicMs' | 'onUnreadable' | 'onTooMuch'> & {
  readonly isOver: () => boolean;
  readonly onFrame: (frame: Frame | undefined) => void;
};

/** Reads messages in their order: what comes while a long one is parsed waits for it. */
function createReader(deps: ReaderDeps): (text: string) => void {
  const { monotonicMs, onTooMuch, isOver, onFrame } = deps;
  const turns = createWorkTurns({ ...deps, onFailure: deps.onUnreadable, onLoss: onTooMuch });
  let unreadLength = 0;
  const read = async (text: string): Promise<void> => {
    const json = await parseJsonInSlices(text, monotonicMs);
    unreadLength -= text.length;
    if (!isOver()) onFrame(frameFrom(json));
  };
  return (text) => {
    if (isOver()) return undefined;
    unreadLength += text.length;
    if (unreadLength > MOST_UNREAD) return onTooMuch();
    const readShort = (): void => {
      unreadLength -= text.length;
      if (!isOver()) onFrame(readFrame(text));
    };
    turns.add([text.length > LONG ? () => read(text) : readShort]);
    return undefined;
  };
}
