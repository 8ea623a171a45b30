import type { IncomingMessage } from 'node:http';
import { ConnectionFault, connectionFailed } from '#base/network/connection-failure.ts';
import type { HttpAnswer, HttpRequest, LanHttp, ServerSentEvent } from '#base/network/lan-ports.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createByteRoom } from './byte-room.ts';
import { type CallLimit, DEFAULT_TIMEOUT_MS, startCallLimit } from './call-limit.ts';
import type { DigestTurns } from './digest-turns.ts';
import { createEventDecoder } from './event-decoder.ts';
import type { Exchange, Head } from './exchange.ts';
import { readFault } from './read-fault.ts';

type LanHttpDeps = {
  readonly exchange: Exchange;
  readonly digest: DigestTurns;
  readonly startTimer: StartTimer;
  /** Aborts when the client closes. */
  readonly closing: AbortSignal;
};

export const DEFAULT_MAX_BYTES = 1024 * 1024;
/** Calls and streams at once. More is a fault of the caller, and would be memory without bound. */
const MAX_UNDER_WAY = 64;

/** HTTP to one instance's machines. `request` and `events` throw HubError CONNECTION_FAILED. */
export function createLanHttp({ exchange, digest, startTimer, closing }: LanHttpDeps): LanHttp {
  let underWay = 0;
  const begin = (request: HttpRequest, signal?: AbortSignal): CallLimit => {
    if (underWay >= MAX_UNDER_WAY) throw new ConnectionFault('busy', 'too many requests are under way');
    underWay += 1;
    const signals = [closing, request.signal, signal];
    const limit = startCallLimit(startTimer, request.timeoutMs ?? DEFAULT_TIMEOUT_MS, signals);
    return {
      ...limit,
      end: () => {
        underWay -= 1;
        limit.end();
      },
    };
  };
  const send = <Value>(
    request: HttpRequest,
    signal: AbortSignal,
    take: (head: Head) => Promise<Value>,
  ): Promise<Value> =>
    request.digest === undefined
      ? exchange.send(request, signal).then(take)
      : digest({ ...request, digest: request.digest }, signal, take);

  const request = async (asked: HttpRequest): Promise<HttpAnswer> => {
    const limit = begin(asked);
    let status: number | undefined;
    try {
      return await send(asked, limit.signal, (head) => {
        status = head.status;
        return readAnswer(head, asked.maxBytes ?? DEFAULT_MAX_BYTES);
      });
    } catch (cause) {
      throw faultFrom(limit.signal.aborted ? limit.signal.reason : cause, status);
    } finally {
      limit.end();
    }
  };
  async function* readEvents(
    asked: HttpRequest,
    signal: AbortSignal,
    onOpen?: () => void,
  ): AsyncGenerator<ServerSentEvent, void, void> {
    const limit = begin(asked, signal);
    let answer: IncomingMessage | undefined;
    try {
      const headers = { Accept: 'text/event-stream', 'Cache-Control': 'no-store', ...asked.headers };
      const head = await send({ ...asked, headers }, limit.signal, async (head) => head);
      limit.stopTimer();
      answer = head.answer;
      refuseOtherThanEvents(head);
      onOpen?.();
      const decode = createEventDecoder(asked.maxBytes ?? DEFAULT_MAX_BYTES);
      for await (const chunk of answer as AsyncIterable<Buffer>) yield* decode(chunk);
    } catch (cause) {
      if (isEnd(limit.signal)) return;
      throw limit.signal.aborted ? limit.signal.reason : cause;
    } finally {
      answer?.destroy();
      limit.end();
    }
  }
  return {
    request: (asked) => request(asked).catch(rethrow),
    events: async function* (asked, signal, onOpen) {
      try {
        yield* readEvents(asked, signal, onOpen);
      } catch (cause) {
        rethrow(cause);
      }
    },
  };
}

/** With the status of the answer whose body failed. */
function faultFrom(cause: unknown, status: number | undefined): ConnectionFault {
  const fault = readFault(cause);
  if (status === undefined) return fault;
  return new ConnectionFault(fault.reason, fault.message, { status, cause: fault.cause });
}

function rethrow(cause: unknown): never {
  throw connectionFailed(readFault(cause));
}

/** The caller ended the stream, or the client closed. */
function isEnd({ reason }: AbortSignal): boolean {
  return reason instanceof ConnectionFault && reason.reason === 'aborted';
}

async function readAnswer({ status, fingerprint, answer }: Head, maxBytes: number): Promise<HttpAnswer> {
  refuseCoded(answer);
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) {
    answer.destroy();
    throw new ConnectionFault('too_large', `the answer is larger than ${maxBytes} bytes`);
  }
  const room = createByteRoom(maxBytes, 'the answer');
  // Leaving the loop early destroys the answer, and with it the connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) room.add(chunk);
  return { status, headers: headersOf(answer), body: room.take(), fingerprint };
}

function refuseCoded(answer: IncomingMessage): void {
  const coding = answer.headers['content-encoding'] ?? 'identity';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  answer.destroy();
  throw new ConnectionFault('bad_answer', 'the answer is compressed, which was not asked for');
}

function refuseOtherThanEvents({ status, answer }: Head): void {
  refuseCoded(answer);
  const type = answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (status === 200 && type === 'text/event-stream') return;
  throw new ConnectionFault('bad_answer', `the answer (${status}) is no stream of events`, { status });
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const texts = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(texts) as Record<string, string>;
}
