import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { codeOf } from '#base/errno.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { type DeliveryError, readWebhookUrl, socketHostOf, type Webhook } from '#core/webhook/webhook.ts';
import { PostFailure } from './post-failure.ts';
import type { FindAddress } from './receiver-address.ts';

export type PostRequest = Pick<Webhook, 'url' | 'mayReachHub'> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};
/** `error` is `null` if the receiver accepted the body; `status` is `null` if no answer came. */
export type PostResult = { readonly status: number | null; readonly error: DeliveryError | null };
/** Never rejects: a failure is part of the result. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<PostResult>;

export type PostDeps = { readonly findAddress: FindAddress; readonly startTimer: StartTimer };

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends one JSON body to a receiver in the LAN: one connection, no redirect followed, ten seconds for all of it. */
export function createPost({ findAddress, startTimer }: PostDeps): Post {
  return async (request, signal) => {
    const ended = new AbortController();
    const cancel = startTimer(TIMEOUT_MS, () => ended.abort(new PostFailure('timeout', 'no answer within 10 s')));
    const leave = (): void => ended.abort(new PostFailure('connection_failed', 'the hub broke off'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    try {
      const url = readWebhookUrl(request.url);
      if (url === undefined) throw new PostFailure('invalid_url', 'the URL cannot be called');
      const address = await orAbort(findAddress(socketHostOf(url), request), ended.signal);
      return resultOf(await send(request, { url, address }, ended.signal));
    } catch (cause) {
      return { status: null, error: errorOf(cause) };
    } finally {
      cancel();
      signal.removeEventListener('abort', leave);
    }
  };
}

/** Sends the request and resolves with the status of the answer; ignores its body. */
function send(
  { headers, body }: PostRequest,
  { url, address }: { url: URL; address: string },
  signal: AbortSignal,
): Promise<number> {
  const host = socketHostOf(url);
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const outgoing: ClientRequest = (isSecure ? requestHttps : requestHttp)({
      method: 'POST',
      host: address,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, Host: url.host, 'Content-Length': String(body.length) },
      // The certificate must be for the name in the URL, not for the address.
      servername: isIP(host) === 0 ? host : '',
      agent: false,
    });
    const abort = (): void => void outgoing.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    let status: number | undefined;
    // The status counts from the first line of the answer, even if the rest of it fails.
    const settle = (cause: Error): void => (status === undefined ? reject(cause) : resolve(status));
    outgoing.on('error', settle);
    outgoing.once('response', (answer) => {
      status = answer.statusCode;
      answer.on('error', settle);
      dropBody(answer);
    });
    outgoing.once('close', () => {
      signal.removeEventListener('abort', abort);
      // A receiver that changes the protocol ends the connection without an answer.
      settle(new PostFailure('connection_failed', 'the connection ended without an answer'));
    });
    outgoing.end(body);
  });
}

function dropBody(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) answer.destroy();
  });
}

function resultOf(status: number): PostResult {
  if (status >= 200 && status < 300) return { status, error: null };
  const error: DeliveryError =
    status >= 300 && status < 400
      ? { code: 'redirect_refused', message: 'the receiver answered with a redirect, which is not followed' }
      : { code: 'bad_status', message: `the receiver answered ${status}` };
  return { status, error };
}

function errorOf(cause: unknown): DeliveryError {
  if (cause instanceof PostFailure) return { code: cause.code, message: cause.message };
  const code = codeOf(cause) ?? 'unknown';
  return { code: 'connection_failed', message: `the connection failed: ${code}` };
}

/** A look-up cannot be cancelled, so an abort only ends the wait for it. */
function orAbort<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
