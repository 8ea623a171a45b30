import type { Wording } from '#words/texts.ts';

/**
 * The closed, published list of failures that an answer to a client may name, with their HTTP status and title.
 * Codes are never removed or renamed within v1.
 */
export const PROBLEMS = {
  MALFORMED_REQUEST: [400, 'The request is malformed'],
  INVALID_JSON: [400, 'The body is not valid JSON'],
  INVALID_QUERY: [400, 'A query parameter is unknown or not valid'],
  HTTP_VERSION_NOT_SUPPORTED: [505, 'Only HTTP/1.1 is supported'],
  HEADERS_TOO_LARGE: [431, 'The request header is too large'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  MISDIRECTED_REQUEST: [421, 'This host name is not one of the hub'],
  PROXIED_REQUEST: [403, 'Requests through a proxy are refused'],
  ORIGIN_REFUSED: [403, 'Pages from this origin may not use the hub'],
  NOT_FOUND: [404, 'Not found'],
  METHOD_NOT_ALLOWED: [405, 'This method is not allowed here'],
  UNAUTHORIZED: [401, 'An access token is needed'],
  INVALID_TOKEN: [401, 'The access token is not valid'],
  FORBIDDEN: [403, 'Not allowed'],
  NETWORK_REFUSED: [403, 'This token may not be used from this address'],
  UPGRADE_REQUIRED: [426, 'Only a WebSocket is served here'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'This media type is not supported'],
  PAYLOAD_TOO_LARGE: [413, 'The body is too large'],
  VALIDATION_FAILED: [422, 'A field is not valid'],
  PRECONDITION_FAILED: [412, 'The resource was changed meanwhile'],
  HUB_UNCLAIMED: [409, 'The hub has no owner yet'],
  ALREADY_CLAIMED: [409, 'The hub has an owner already'],
  INVALID_CLAIM_CODE: [422, 'The claim code is wrong'],
  INVALID_CREDENTIALS: [401, 'E-mail or password is wrong'],
  INVALID_REFRESH_TOKEN: [401, 'The refresh token is not valid'],
  WRONG_PASSWORD: [422, 'The current password is wrong'],
  WEAK_PASSWORD: [422, 'This password is too easy to guess'],
  EMAIL_TAKEN: [409, 'Another account has this e-mail address'],
  LIMIT_REACHED: [409, 'There are as many as there may be'],
  LAST_OWNER: [409, 'The hub needs at least one owner'],
  NAME_TAKEN: [409, 'This name is in use'],
  ROOM_NOT_FOUND: [422, 'There is no such room'],
  CLOCK_NOT_SET: [409, 'The clock is not set yet'],
  CLOCK_SYNCED: [409, 'A time server sets the clock'],
  HISTORY_RANGE: [400, 'There is no such range of time'],
  NOT_SUPPORTED: [409, 'The integration cannot do this'],
  DEVICE_OFFLINE: [409, 'The device is offline'],
  SIMULATION_TOO_LARGE: [422, 'The simulation is too large'],
  HISTORY_NOT_KEPT: [409, 'The history of that time is not kept'],
  SCENE_EMPTY: [422, 'A scene needs values'],
  SENSITIVE_NOT_NAMED: [422, 'Something sensitive must be allowed by name'],
  SENSITIVE_NEEDS_CONDITION: [422, 'What opens the home needs a condition'],
  RIGHTS_MISSING: [403, 'A step needs a right that you do not have'],
  AUTOMATION_NOT_READY: [409, 'The automation cannot run now'],
  NOTHING_TO_UNDO: [409, 'There is nothing to undo'],
  COMMAND_FAILED: [502, 'The device refused'],
  CONNECTION_FAILED: [502, 'The connection failed'],
  IDEMPOTENCY_KEY_REUSED: [409, 'This key was used for another request'],
  ANSWER_NOT_KEPT: [409, 'This was done, and its answer is not kept'],
  OUTCOME_UNKNOWN: [409, 'It is not known whether this was done'],
  INVALID_BACKUP: [422, 'This file is not a usable backup'],
  INVALID_IMPORT: [422, 'This cannot be imported'],
  SETTING_FIXED: [409, 'This setting is fixed by the configuration'],
  SETUP_NOT_WAITING: [409, 'The set-up waits for no answer'],
  TOO_MANY_REQUESTS: [429, 'Too many requests'],
  INTEGRATION_DOWN: [503, 'The integration is not connected'],
  OVERLOADED: [503, 'The hub is busy'],
  STORAGE_FULL: [507, 'The disk is full'],
  STORAGE_UNAVAILABLE: [503, 'The disk does not take writes'],
  RESTARTING: [503, 'The hub is restarting'],
  INTERNAL_ERROR: [500, 'The hub has a fault'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One field has a fault; `pointer` is a JSON pointer into the body (RFC 6901) or `?name` for a query parameter. */
export type FieldError = {
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly message: string;
  /** What the message says, for readers of any language. Where it has no id of its own, it has that of the code. */
  readonly reason: Wording;
};
export const FIELD_ERROR_CODES = [
  'REQUIRED',
  'UNKNOWN',
  'WRONG_TYPE',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'READ_ONLY',
] as const;
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

type HubErrorOptions = {
  readonly errors?: readonly FieldError[];
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterS?: number;
  /** The limit that the message names. */
  readonly reason?: Wording;
  /** Further answer headers that belong to this failure (`Allow`, `WWW-Authenticate`). */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** `pointer` as in `FieldError`. A message without an id of its own has that of the code: `INVALID_VALUE`, `invalid_value`. */
export function fieldError(
  pointer: string,
  code: FieldErrorCode,
  ...[message, reason]: readonly [message: string, reason?: Wording]
): FieldError {
  return { pointer, code, message, reason: reason ?? { id: code.toLowerCase(), with: {} } };
}

/** A failure that the caller may see. `message` is the sentence for people and never holds a secret, path or SQL. */
export class HubError extends Error {
  readonly code: ProblemCode;
  readonly options: HubErrorOptions;

  constructor(code: ProblemCode, message: string, options: HubErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HubError';
    this.code = code;
    this.options = options;
  }
}

/** The refusal of a body for its fields; the message is for people, each error names its field. */
export function validationFailed(
  errors: readonly FieldError[],
  message = 'The body has fields that are not valid.',
): HubError {
  return new HubError('VALIDATION_FAILED', message, { errors });
}

/** Returns what was looked up; throws HubError NOT_FOUND where it is not there, with the noun for people. */
export function requireThing<Thing>(thing: Thing | undefined, noun: string): Thing {
  if (thing === undefined) throw new HubError('NOT_FOUND', `There is no such ${noun}.`);
  return thing;
}
