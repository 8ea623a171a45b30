import { type ConnectionReason, faultOf } from '#base/network/connection-failure.ts';
import type { LanHttp } from '#base/network/lan-ports.ts';
import { type DeliveryError, type DeliveryErrorCode, readWebhookUrl, type Webhook } from '#core/webhook/webhook.ts';

type PostRequest = Pick<Webhook, 'url' | 'mayReachHub'> & {
  /** POST if absent. */
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `null` with GET. */
  readonly body: Buffer | null;
};
/** `error` is `null` if the receiver accepted the body; `status` is `null` if no answer came. */
type PostResult = { readonly status: number | null; readonly error: DeliveryError | null };
/** Never rejects for a failure, which is part of the result. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<PostResult>;

export type PostDeps = {
  /** HTTP to the LAN, and to the hub itself only for a receiver that may be there. */
  readonly httpFor: (receiver: Pick<Webhook, 'mayReachHub'>) => Pick<LanHttp, 'request'>;
};

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const CODES: Readonly<Partial<Record<ConnectionReason, DeliveryErrorCode>>> = {
  invalid_request: 'invalid_url',
  name_not_found: 'name_not_found',
  address_refused: 'address_refused',
  timeout: 'timeout',
};

/** Sends one JSON body to a receiver in the LAN: no redirect followed, ten seconds for all of it. */
export function createPost({ httpFor }: PostDeps): Post {
  return async ({ method = 'POST', headers, body, ...receiver }, signal) => {
    const url = readWebhookUrl(receiver.url);
    if (url === undefined) return failed('invalid_url', 'the URL cannot be called');
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
    try {
      const request = { method, url: url.href, headers, ...(body === null ? {} : { body }), signal, ...limits };
      return resultOf((await httpFor(receiver).request(request)).status);
    } catch (cause) {
      const fault = faultOf(cause);
      if (fault === undefined) throw cause;
      // The status counts from the head of the answer, even if the rest of it fails.
      if (fault.status !== null) return resultOf(fault.status);
      return failed(CODES[fault.reason] ?? 'connection_failed', fault.message);
    }
  };
}

function failed(code: DeliveryErrorCode, message: string): PostResult {
  return { status: null, error: { code, message } };
}

function resultOf(status: number): PostResult {
  if (status >= 200 && status < 300) return { status, error: null };
  const error: DeliveryError =
    status >= 300 && status < 400
      ? { code: 'redirect_refused', message: 'the receiver answered with a redirect, which is not followed' }
      : {
          code: 'bad_status',
          message: `the receiver answered ${status}`,
          reason: { id: 'bad_status', with: { status } },
        };
  return { status, error };
}
