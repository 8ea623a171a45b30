import type { IncomingMessage } from 'node:http';
import type { HubError } from '#base/hub-error.ts';
import type { Random } from '#base/random.ts';

/** The guards check the request as it came over the wire, before anything is normalised. */
export type RequestFacts = {
  readonly method: string;
  /** Path and query as sent, but for the spellings of `plainTarget`. */
  readonly target: string;
  /** `1.0` or `1.1`. */
  readonly httpVersion: string;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  /** By lower-case name; of a repeated `Host`, `Origin` or `Authorization` the first. */
  readonly header: (name: string) => string | undefined;
  /** Socket address: never taken from a header. */
  readonly peer: string;
};

/** Returns why a request is refused, or nothing. Never throws, never waits. */
export type Guard = (facts: RequestFacts) => HubError | undefined;

export function factsFromIncoming(incoming: IncomingMessage): RequestFacts {
  const { headers } = incoming;
  return {
    method: incoming.method ?? '',
    target: plainTarget(incoming.url ?? ''),
    httpVersion: incoming.httpVersion,
    rawHeaders: incoming.rawHeaders,
    header: (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : value?.[0];
    },
    peer: incoming.socket.remoteAddress ?? '',
  };
}

/** The calls that a stranger makes with the specification alone, whose address of the hub may end with a slash. */
const FIRST_CALLS = ['/api/v1/login', '/api/v1/device', '/api/v1/access_token'];
const PLAIN_PATHS: ReadonlyMap<string, string> = new Map(
  FIRST_CALLS.flatMap((path) => [`${path}/`, `/${path}`, `/${path}/`].map((spelling) => [spelling, path])),
);

/** Takes a final slash, and one of two at the beginning, from the paths of these calls alone. */
export function plainTarget(target: string): string {
  const path = pathOfTarget(target);
  const plain = PLAIN_PATHS.get(path);
  return plain === undefined ? target : plain + target.slice(path.length);
}

/** The facts of a request that did not come through a socket, as in tests of the routes. */
export function factsFromRequest(request: Request): RequestFacts {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: plainTarget(url.pathname + url.search),
    httpVersion: '1.1',
    rawHeaders: [...request.headers].flat(),
    header: (name) => request.headers.get(name) ?? undefined,
    peer: '127.0.0.1',
  };
}

/** Every value that was sent under a name, in order. */
export function headerValues(facts: Pick<RequestFacts, 'rawHeaders'>, name: string): readonly string[] {
  const { rawHeaders } = facts;
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** The target without its query, still percent-encoded. */
export function pathOfTarget(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/** The rule says what a page of another origin may read, by the origin guard's rules. */
export type CorsRule = {
  /** Fields for the answer to this request; none without an allowed `Origin`. */
  readonly answerHeaders: (facts: RequestFacts) => Readonly<Record<string, string>>;
  /** Fields that grant a preflight; `undefined` where the request is no preflight. */
  readonly preflightHeaders: (facts: RequestFacts) => Readonly<Record<string, string>> | undefined;
};

const ID_BYTES = 12;
const DRAWN_AT_ONCE = 256;

/**
 * Ids of 96 random bits in 16 letters. Asking the kernel for each was half of what the hub adds to a request, so the
 * bytes of many ids are drawn at once.
 */
export function createRequestIds(random: Random): () => string {
  let drawn: Buffer = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === drawn.length) {
      drawn = random(ID_BYTES * DRAWN_AT_ONCE);
      used = 0;
    }
    used += ID_BYTES;
    return drawn.toString('base64url', used - ID_BYTES, used);
  };
}
