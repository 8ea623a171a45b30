import { HubError } from '#base/hub-error.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { PeerRefusal } from '#integrations/peer/peer-fault.ts';
import { type Challenge, proofOf, readChallenge, readFrame, type RpcFrame } from './rpc-message.ts';
import { deviceFault } from './device-fault.ts';

/** Asks a device over one connection. Throws PeerRefusal if the device says no, PeerFault if it says nothing. */
export type Call = (method: string, params?: JsonObject) => Promise<JsonValue>;

type RpcDeps = {
  /** Throws HubError once the connection has ended. */
  readonly send: (text: string) => void;
  readonly password: string | null;
  readonly onNews: (method: string, params: JsonObject) => void;
  /** Called for a message that is none of a Shelly device. */
  readonly onUnreadable: () => void;
  readonly startTimer: StartTimer;
};

export type Rpc = {
  readonly call: Call;
  readonly onMessage: (text: string) => void;
  /** Whether the device asked for the password and took its proof. */
  readonly hasProved: () => boolean;
  /** Fails what waits and what comes. */
  readonly end: (error: Error) => void;
};

const ANSWER_MS = 8_000;
const UNAUTHORIZED = 401;
/** The device sends what is new on a connection only to one that has named itself. */
const OWN_NAME = 'hearthd';

type Answer = Exclude<RpcFrame, { type: 'news' }>;

/** One request at a time: with a password each needs a higher count than the one before. */
export function createRpc({ send, password, onNews, onUnreadable, startTimer }: RpcDeps): Rpc {
  const inTurn = createTurnQueue();
  let lastId = 0;
  let waiting: { readonly id: number; readonly settle: (answer: Answer | Error) => void } | undefined;
  let ended: Error | undefined;
  let challenge: Challenge | undefined;
  let proofs = 0;

  const ask = (frame: JsonObject): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      lastId += 1;
      const stopTimer = startTimer(ANSWER_MS, () => waiting?.settle(deviceFault('DEVICE_SILENT')));
      waiting = {
        id: lastId,
        settle: (answer) => {
          stopTimer();
          waiting = undefined;
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        },
      };
      try {
        send(JSON.stringify({ id: lastId, src: OWN_NAME, ...frame, ...proof() }));
      } catch (cause) {
        if (!(cause instanceof HubError)) throw cause;
        waiting.settle(deviceFault('DEVICE_UNREACHABLE', cause));
      }
    });
  const proof = (): JsonObject => {
    if (challenge === undefined || password === null) return {};
    proofs += 1;
    return { auth: proofOf(password, challenge, proofs) };
  };
  const askProving = async (frame: JsonObject): Promise<Answer> => {
    const hadChallenge = challenge !== undefined;
    const first = await ask(frame);
    if (first.type !== 'error' || first.code !== UNAUTHORIZED) return first;
    if (password === null) throw deviceFault('PASSWORD_NEEDED');
    challenge = readChallenge(first.message);
    proofs = 0;
    if (challenge === undefined) throw deviceFault('BAD_ANSWER');
    const second = await ask(frame);
    if (second.type !== 'error' || second.code !== UNAUTHORIZED) return second;
    // The challenge before was old, or this one is already: a wrong password fails without an older one, too.
    challenge = undefined;
    throw deviceFault(hadChallenge ? 'DEVICE_SILENT' : 'PASSWORD_REFUSED');
  };
  return {
    call: (method, params) =>
      inTurn(async () => {
        const answer = await askProving(params === undefined ? { method } : { method, params });
        if (answer.type === 'error')
          throw new PeerRefusal(`The device refused ${method} (${answer.code})`, answer.code);
        return answer.result;
      }),
    onMessage: (text) => {
      const frame = readFrame(text);
      if (frame === undefined) onUnreadable();
      else if (frame.type === 'news') onNews(frame.method, frame.params);
      else if (frame.id === waiting?.id) waiting.settle(frame);
    },
    hasProved: () => challenge !== undefined,
    end: (error) => {
      ended ??= error;
      waiting?.settle(ended);
    },
  };
}
