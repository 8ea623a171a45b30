import { type DigestChallenge, digestAuthorization, readDigestChallenge } from '#base/network/digest.ts';
import type { Credentials, HttpRequest } from '#base/network/lan-ports.ts';
import type { Random } from '#base/random.ts';
import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import type { Exchange, Head } from './exchange.ts';
import { orAbort } from './find-addresses.ts';
import { readLanUrl } from './lan-url.ts';

type DigestRequest = HttpRequest & { readonly digest: Credentials };

/** Sends a request with digest authentication, and lets `take` read the answer before the next one is sent. */
export type DigestTurns = <Value>(
  request: DigestRequest,
  signal: AbortSignal,
  take: (head: Head) => Promise<Value>,
) => Promise<Value>;

/** A login is one user at one origin. */
type Login = {
  readonly inTurn: TurnQueue;
  /** The last challenge, which answers the next request before it is asked again. */
  challenge?: DigestChallenge;
  /** How often its nonce was answered. */
  count: number;
};

/** An instance speaks with one machine or few. */
const MAX_LOGINS = 32;
/** One without a nonce or with an old one, one with the nonce that came, one more if that was too old already. */
const MAX_TRIES = 3;

/**
 * Digest authentication (RFC 7616). Requests of a user to an origin go one after the other: the counter of a nonce must
 * grow, and a server whose nonces age would refuse those that come out of order.
 */
export function createDigestTurns(exchange: Pick<Exchange, 'send'>, random: Random): DigestTurns {
  const logins = new Map<string, Login>();
  const loginOf = ({ url, digest }: DigestRequest): Login => {
    const { host, port, isTls } = readLanUrl(url, ['http:', 'https:']);
    const key = JSON.stringify([host, port, isTls, digest.user]);
    const login = logins.get(key) ?? { inTurn: createTurnQueue(), count: 0 };
    // Moves it to the end, so that the one that was not used for the longest time is forgotten first.
    logins.delete(key);
    logins.set(key, login);
    for (const oldest of logins.keys()) {
      if (logins.size <= MAX_LOGINS) break;
      logins.delete(oldest);
    }
    return login;
  };
  const sendWith = (login: Login, request: DigestRequest, signal: AbortSignal): Promise<Head> => {
    if (login.challenge === undefined) return exchange.send(request, signal);
    login.count += 1;
    const { url } = readLanUrl(request.url, ['http:', 'https:']);
    const Authorization = digestAuthorization(login.challenge, request.digest, {
      method: request.method ?? 'GET',
      uri: `${url.pathname}${url.search}`,
      nc: login.count.toString(16).padStart(8, '0'),
      cnonce: random(16).toString('hex'),
    });
    return exchange.send({ ...request, headers: { ...request.headers, Authorization } }, signal);
  };
  const attempt = async (login: Login, request: DigestRequest, signal: AbortSignal): Promise<Head> => {
    for (let tries = 1; ; tries += 1) {
      const answered = login.challenge;
      const head = await sendWith(login, request, signal);
      if (head.status !== 401) return head;
      const challenge = readDigestChallenge(head.answer.headers['www-authenticate'] ?? '');
      if (challenge?.nonce !== answered?.nonce) login.count = 0;
      if (challenge === undefined) delete login.challenge;
      else login.challenge = challenge;
      // A new nonce is worth another try if it was the first one, if the old one aged, or if the peer forgot it.
      const isWorthwhile = challenge !== undefined && (tries === 1 || challenge.isStale);
      if (!isWorthwhile || tries === MAX_TRIES) return head;
      await skip(head);
    }
  };
  return (request, signal, take) => {
    const login = loginOf(request);
    const turn = login.inTurn(async () => {
      signal.throwIfAborted();
      return take(await attempt(login, request, signal));
    });
    return orAbort(turn, signal);
  };
}

const MAX_SKIPPED_BYTES = 64 * 1024;

/** Reads the refusal to its end, so that its connection can be used again. */
async function skip({ answer }: Head): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_SKIPPED_BYTES) break;
  }
}
