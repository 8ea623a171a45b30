import type { JsonSchema } from './described.ts';

type HeaderNote = {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
};

const text: JsonSchema = { type: 'string' };

/** Header fields that a request may have, besides Authorization. */
export const REQUEST_HEADERS = {
  'Hearthd-Wall': {
    description: 'The `secret` that the screen got when it asked.',
    schema: { type: 'string', pattern: '^[\\w-]{1,100}$' },
  },
  'Idempotency-Key': {
    description:
      'Makes a retry safe: the same key with the same request from the same session or API token makes nothing twice. The repeat gets the first answer; with another body or address it gets 409 `IDEMPOTENCY_KEY_REUSED`. Commands keep the key until the hub restarts (for a retry over that, `set` a value instead of `toggle`), calls that make something keep it for a day. These answer 409 `ANSWER_NOT_KEPT` with the `Location` of what was made, if the first answer showed a secret or a code, was a file or longer than 128 KiB, or the rights of the caller have changed; and 409 `OUTCOME_UNKNOWN`, if the hub ended or failed (5xx) in the middle: look whether it is there. A refused request (4xx, `OVERLOADED`) frees its key; `dry_run` uses none.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'If-Match': {
    description:
      'The `ETag` or `"<revision>"` on which the change is based. If the revision is another one now, the answer is 412.',
    schema: text,
  },
  'If-None-Match': {
    description: 'The `ETag` of what the client has. If nothing has changed, the answer is 304 without a body.',
    schema: text,
    example: '"4711-k3f9-12"',
  },
  'Last-Event-ID': {
    description: 'Cursor of the last event that the client has; the hub sends every event after it.',
    schema: text,
    example: 'k3f9-1042',
  },
  Prefer: {
    description: 'Seconds to wait for the end of the command (0 to 10, by default 2), as in RFC 7240.',
    schema: text,
    example: 'wait=3',
  },
} satisfies Record<string, HeaderNote>;

/** Header fields that an answer may have. */
export const ANSWER_HEADERS = {
  'Cache-Control': {
    description: '`no-store`, or `no-cache` if the answer has an `ETag`.',
    schema: text,
    example: 'no-store',
  },
  'Content-Encoding': {
    description: 'How the answer is compressed, if the client accepts that.',
    schema: text,
    example: 'br',
  },
  'Content-Disposition': { description: 'The file name for the download.', schema: text },
  ETag: {
    description: 'Strong tag of this representation. It depends on query, rights and encoding.',
    schema: text,
    example: '"4711-k3f9-12"',
  },
  'Event-Cursor': {
    description:
      'Position in the event stream that this answer reflects: follow `GET /api/v1/event` from here to miss nothing.',
    schema: text,
    example: 'k3f9-1042',
  },
  Link: {
    description: 'The next page, if there is one (RFC 8288).',
    schema: text,
    example: '</api/v1/device?limit=100&cursor=WyJ…>; rel="next"',
  },
  Location: { description: 'The address of what the call made.', schema: text },
  'Preference-Applied': { description: 'The wait that the hub used.', schema: text, example: 'wait=3' },
  'Retry-After': { description: 'Seconds after which a retry makes sense.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what was wrong with the token (RFC 6750 section 3).',
    schema: text,
    example: 'Bearer realm="hearthd", error="invalid_token"',
  },
  'X-Request-Id': { description: 'Identifies this request in the log of the hub.', schema: text },
  'X-Total-Count': { description: 'The number of items on all pages.', schema: { type: 'integer', minimum: 0 } },
} satisfies Record<string, HeaderNote>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;
