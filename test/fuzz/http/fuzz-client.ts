import { Agent, type IncomingMessage, request } from 'node:http';
import type { FuzzRequest } from './fuzz-request.ts';

export type FuzzAnswer = { readonly status: number; readonly headers: Headers; readonly body: string };
export type FuzzClient = {
  /** `undefined` where no answer came in time. */
  readonly send: (request: FuzzRequest) => Promise<FuzzAnswer | undefined>;
  readonly close: () => void;
};

/** Longer than any answer that ends by itself, even one that waits for a command's report. */
const ANSWER_WITHIN_MS = 8_000;
/** A poll for events may wait for a minute; the fuzzer does not wait for its answer. */
const EVENTS_WITHIN_MS = 1_200;

/** One connection, kept open, from an address of its own: each may have 32. */
export function createFuzzClient(address: string, localAddress: string): FuzzClient {
  const { hostname, port } = new URL(address);
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
      const withinMs = asked.target.includes('/event') ? EVENTS_WITHIN_MS : ANSWER_WITHIN_MS;
      const deadline = setTimeout(() => sent.destroy(), withinMs);
      let isAnswered = false;
      sent.once('error', () => {
        clearTimeout(deadline);
        // The hub closes idle connections; a request that it never saw is sent again.
        if (!isAnswered) resolve(sent.reusedSocket ? 'stale' : undefined);
      });
      sent.once('response', (response) => {
        isAnswered = true;
        void readAnswer(response)
          .then(resolve, reject)
          .finally(() => clearTimeout(deadline));
      });
      sent.end(asked.body ?? undefined);
    });
  return {
    send: async (asked) => {
      const answer = await once(asked);
      if (answer !== 'stale') return answer;
      const again = await once(asked);
      return again === 'stale' ? undefined : again;
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(response: IncomingMessage): Promise<FuzzAnswer> {
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
  return { status, headers, body: Buffer.concat(chunks).toString() };
}
