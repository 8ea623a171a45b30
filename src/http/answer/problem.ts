import * as z from 'zod/mini';
import { FIELD_ERROR_CODES, HubError, PROBLEMS } from '#base/hub-error.ts';
import type { FieldError, ProblemCode } from '#base/hub-error.ts';
import { described, named } from '#http/note/described.ts';
import type { Wording } from '#words/texts.ts';
import { reasonSchema } from './reason-json.ts';

/** A body with thousands of bad fields must neither return thousands of errors nor cost as much. */
export const MAX_FIELD_ERRORS = 32;

export const fieldErrorSchema = named(
  'FieldError',
  z.object({
    pointer: described('JSON pointer into the body, or `?name` for a query parameter.', z.string()),
    code: z.enum(FIELD_ERROR_CODES),
    message: described('What would be right, in English.', z.string()),
    reason: described(
      'What the message says. Later versions may say it with a more exact id, so a client treats one that it does not know by the `code`, whose own id (`INVALID_VALUE`, `invalid_value`) stands here where there is no other.',
      reasonSchema,
    ),
  }),
);

/** RFC 9457 body of every failure. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Path of the request, without its query. */
  readonly instance: string;
  readonly code: ProblemCode;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  /** The limit that `detail` names. */
  readonly reason?: Wording;
};

export type ProblemAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const RETRY_AFTER_S = 5;

/** `HUB_UNCLAIMED` → `/problems/hub-unclaimed`. */
export function problemType(code: ProblemCode): string {
  return `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
}

/** The answer to a failure; `path` is the request's path as sent, `/` if none could be read. */
export function problemAnswer(error: HubError, path: string, requestId: string): ProblemAnswer {
  const [status, title] = PROBLEMS[error.code];
  const { errors, retryAfterS, headers, reason } = error.options;
  const problem: Problem = {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    instance: path,
    code: error.code,
    request_id: requestId,
    ...(errors === undefined ? {} : { errors: errors.slice(0, MAX_FIELD_ERRORS) }),
    ...(reason && { reason }),
  };
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Origin',
      // RFC 9110 section 15.5.2: each 401 names a way to sign in.
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="hearthd"' } : {}),
      ...retryAfter(status, retryAfterS),
      ...headers,
    },
    body: JSON.stringify(problem),
  };
}

function retryAfter(status: number, seconds: number | undefined): Record<string, string> {
  if (seconds === undefined && status !== 429 && status !== 503) return {};
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds ?? RETRY_AFTER_S))) };
}

/** A fault of the hub: the client learns nothing but that there is one. */
export function internalError(cause: unknown): HubError {
  return new HubError('INTERNAL_ERROR', 'The hub could not answer because of an internal fault.', { cause });
}
