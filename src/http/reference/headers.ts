import type { JsonSchema } from './schemas.ts';

export type HeaderNote = {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
};

const text: JsonSchema = { type: 'string' };

/** Fields that a request may have beside Authorization. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'The same key with the same body from the same session gives the same command, which is not sent twice; with another body 409 `IDEMPOTENCY_KEY_REUSED`.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'If-Match': {
    description: 'The `ETag` or `"<revision>"` that the change is based on; another revision is refused with 412.',
    schema: text,
  },
  'If-None-Match': {
    description: 'The `ETag` of what the client has already: unchanged, the answer is 304 without a body.',
    schema: text,
    example: '"4711-k3f9-12"',
  },
  'Last-Event-ID': {
    description: 'Cursor of the last event that the client has seen; every one after it follows.',
    schema: text,
    example: 'k3f9-1042',
  },
  Prefer: {
    description: 'Seconds to wait for the end of the command (0 to 10, 2 without it), as in RFC 7240.',
    schema: text,
    example: 'wait=3',
  },
} satisfies Record<string, HeaderNote>;

/** Fields that an answer may have beside those that each one has. */
export const ANSWER_HEADERS = {
  'Cache-Control': {
    description: '`no-store`, or `no-cache` where there is an `ETag`.',
    schema: text,
    example: 'no-store',
  },
  'Content-Encoding': {
    description: 'How the answer is compressed, where that was asked for.',
    schema: text,
    example: 'br',
  },
  'Content-Disposition': { description: 'The name to save the file under.', schema: text },
  ETag: {
    description: 'Strong tag of this representation; it differs by query, rights and encoding.',
    schema: text,
    example: '"4711-k3f9-12"',
  },
  'Event-Cursor': {
    description:
      'Position in the event stream that this answer reflects: list, then follow `GET /api/v1/event` from here, without a gap.',
    schema: text,
    example: 'k3f9-1042',
  },
  Link: {
    description: 'Where the next page is, while there is one (RFC 8288).',
    schema: text,
    example: '</api/v1/device?limit=100&cursor=WyJ…>; rel="next"',
  },
  Location: { description: 'Where what was made is to be found.', schema: text },
  'Preference-Applied': { description: 'The wait that was used.', schema: text, example: 'wait=3' },
  'Retry-After': { description: 'Seconds after which a retry makes sense.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'How to sign in, and what was wrong with the token (RFC 6750 section 3).',
    schema: text,
    example: 'Bearer realm="hearthd", error="invalid_token"',
  },
  'X-Request-Id': { description: 'Names this request in the log of the hub.', schema: text },
  'X-Total-Count': { description: 'How many there are on all pages.', schema: { type: 'integer', minimum: 0 } },
} satisfies Record<string, HeaderNote>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;
