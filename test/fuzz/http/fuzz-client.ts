import { Agent, type IncomingMessage, request } from 'node:http';
import { decodeBody } from './answer-coding.ts';
import type { FuzzRequest } from './fuzz-request.ts';

export type FuzzAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Decoded, as its Content-Encoding says. */
  readonly body: string;
  /** Why the body cannot be decoded; absent if it can. */
  readonly garbled?: string | undefined;
};
export type FuzzClient = {
  /** `undefined` where no answer came in time. Rejects when none has come for so long that the hub must hang. */
  readonly send: (request: FuzzRequest) => Promise<FuzzAnswer | undefined>;
  readonly close: () => void;
};

/** Longer than any answer that ends by itself, even one that waits for a command's report. */
export const ANSWER_WITHIN_MS = 8_000;
/** A poll for events may wait for a minute; the fuzzer does not wait for its answer. */
const EVENTS_WITHIN_MS = 1_200;
/** So many without an answer, one after the other: the rest would wait for nothing. */
const MOST_LATE = 3;

/** One connection, kept open, from an address of its own: each may have 32. */
export function createFuzzClient(
  { address, answerWithinMs }: { readonly address: string; readonly answerWithinMs: number },
  localAddress: string,
): FuzzClient {
  const { hostname, port } = new URL(address);
  let late = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = async (asked: FuzzRequest): Promise<FuzzAnswer | 'stale' | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request({
        agent,
        hostname,
        port,
        localAddress,
        method: asked.method,
        path: asked.target,
        headers: { ...asked.headers, ...(asked.body === null ? {} : { 'Content-Length': asked.body.length }) },
      });
      const mayWait = asked.target.includes('/event');
      const deadline = setTimeout(
        () => {
          if (!mayWait) late += 1;
          sent.destroy();
        },
        mayWait ? EVENTS_WITHIN_MS : answerWithinMs,
      );
      let isAnswered = false;
      sent.once('error', () => {
        clearTimeout(deadline);
        // The hub closes idle connections; a request that it never saw is sent again.
        if (!isAnswered) resolve(sent.reusedSocket ? 'stale' : undefined);
      });
      sent.once('response', (response) => {
        isAnswered = true;
        late = 0;
        void readAnswer(response, asked.method)
          .then(resolve, reject)
          .finally(() => clearTimeout(deadline));
      });
      sent.end(asked.body ?? undefined);
    });
  return {
    send: async (asked) => {
      if (late >= MOST_LATE) throw new Error(`the hub has answered none of the last ${MOST_LATE} requests`);
      const answer = await once(asked);
      if (answer !== 'stale') return answer;
      const again = await once(asked);
      return again === 'stale' ? undefined : again;
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(response: IncomingMessage, method: string): Promise<FuzzAnswer> {
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const status = response.statusCode ?? 0;
  if (headers.get('content-type') === 'text/event-stream') {
    response.destroy();
    return { status, headers, body: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  // The fields of an answer to HEAD are about a body that is not sent.
  const coding = method === 'HEAD' || status === 304 ? null : headers.get('content-encoding');
  return { status, headers, ...decodeBody(Buffer.concat(chunks), coding) };
}
