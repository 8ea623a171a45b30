import type * as z from 'zod/mini';
import type { AuditEvent, AuditType } from '#auth/audit/audit-entry.ts';
import type { Caller, Need } from '#auth/caller.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Note, Tag } from '#http/note/note.ts';

type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export type RouteBody<Body> = {
  readonly schema: z.ZodMiniType<Body>;
  /** Bytes; counted as received. */
  readonly maxBytes: number;
  /** Members of all its objects; absent for the usual 1,000. */
  readonly maxMembers?: number;
  /** Objects and lists within each other; absent for the usual 16. */
  readonly maxDepth?: number;
  /** Media types beside `application/json`, such as merge-patch for PATCH. */
  readonly mediaTypes?: readonly string[];
  /** A request without a body, or with `null` as its body, counts as one with `{}`. */
  readonly isOptional?: true;
  /** What a request without a body stands for, by its header fields. */
  readonly whenEmpty?: (header: (name: string) => string | undefined) => object;
  /** Takes the same members as a form too, as OAuth sends them: this one call only, because pages send forms unasked. */
  readonly form?: true;
  /** Takes every JSON media type (WHATWG MIME Sniffing section 4.6), as the specification's calls do. */
  readonly anyJson?: true;
};

/** One method on one path: all that the router and the OpenAPI document need to know about it. */
export type Route<Query = unknown, Body = unknown> = {
  /** The name in generated clients, as `listDevices`: a verb and a noun, unique, never changed. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Hono pattern, as `/api/v1/device/:selector`. */
  readonly path: string;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  /** Its group there. */
  readonly tag: Tag;
  /** What the document says of it beyond its summary and schemas. */
  readonly note?: Note;
  /**
   * `public` answers without a token; `any` needs a live token, `session` that of a person who logged in, for calls that
   * no script may make; a scope needs that right.
   */
  readonly access: 'public' | Need;
  /** Beside the right it needs a person who logged in, because its effect would outlive an API token. */
  readonly sessionOnly?: true;
  /**
   * `home`: the call is about the whole home, and refused to API tokens that are limited to rooms or devices.
   * `provider`: it is about the provider in the path (`:name`), and refused to API tokens of any other.
   */
  readonly place?: 'home' | 'provider';
  /** Counts as one of the caller's commands; other calls that change something count as writes. */
  readonly ration?: 'command';
  /**
   * The call makes something: a repeat with its `Idempotency-Key` gets the same `answer`, or only the `place` of what
   * was made, because the answer shows a secret or is a file. Absent: the `answer`, of a POST that answers 201.
   */
  readonly once?: 'answer' | 'place';
  /** Lets programs without an account call it, with a secret in a header of its own. */
  readonly bySecret?: SecretWay;
  /** Answers before the hub has an owner, too. */
  readonly whileUnclaimed?: true;
  /** Absent: any query parameter is refused. */
  readonly query?: z.ZodMiniType<Query>;
  /** Absent: no body is read. */
  readonly body?: RouteBody<Body>;
  /** Schema of each answer below 400 by status; `null` for one without a JSON body. */
  readonly answers: Readonly<Record<number, z.ZodMiniType | null>>;
  /** The audit entry of a successful call; every call that changes something has one, or the reason why not. */
  readonly audit?: RouteAudit<Query, Body>;
  readonly handle: (request: RouteRequest<Query, Body>) => RouteAnswer | Promise<RouteAnswer>;
};

/** A request without an Authorization header, but with this one, needs no token. Its handler gets no caller. */
type SecretWay = {
  /** Lower-case. */
  readonly header: string;
  /** Asked before the body is read. Throws the refusal. */
  readonly admit: (asked: Pick<RouteRequest<unknown, unknown>, 'params' | 'header' | 'peer'>) => void;
};

/** With a type, the answer's `auditDetail` is the detail. The function returns `undefined` if nothing was changed. */
export type RouteAudit<Query = unknown, Body = unknown> =
  | AuditType
  | ((request: RouteRequest<Query, Body>, answer: RouteAnswer) => Noted | undefined)
  | { readonly unaudited: string };
type Noted = Pick<AuditEvent, 'type' | 'userId' | 'sessionId' | 'detail'>;

export type RouteRequest<Query, Body> = {
  /** As of the call of the handler; `undefined` on public routes only, where no token is read. */
  readonly caller: Caller | undefined;
  /**
   * The caller as of now; throws the refusal that a request would get now. Call it again after each wait, right before
   * anything is written or sent. Not for public routes.
   */
  readonly authorize: () => Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Only the head of the answer is sent (RFC 9110 section 9.3.2). */
  readonly isHead: boolean;
  /** Request header by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Socket address of the peer. */
  readonly peer: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The raw body as it arrives, without a limit of size or time: for routes without `body` that take a file. */
  readonly stream: () => AsyncIterable<Uint8Array> | null;
  /** Aborts when the client goes away; created on the first call. */
  readonly signal: () => AbortSignal;
};

/** Enough for every body of the API except a file. */
const MAX_BODY_BYTES = 64 * 1024;

export function jsonBody<Body>(schema: z.ZodMiniType<Body>, maxBytes = MAX_BODY_BYTES): RouteBody<Body> {
  return { schema, maxBytes };
}

/** The body of a PATCH, as plain JSON or as a merge patch (RFC 7396). */
export function mergePatchBody<Body>(schema: z.ZodMiniType<Body>, maxBytes = MAX_BODY_BYTES): RouteBody<Body> {
  return { schema, maxBytes, mediaTypes: ['application/merge-patch+json'] };
}

/** Whether a repeat with the same `Idempotency-Key` makes nothing again. Commands take the key in a way of their own. */
export function takesKey({ method, access, answers, once }: Route): boolean {
  return method === 'POST' && access !== 'public' && (201 in answers || once !== undefined);
}

/** Keeps a route's own types while the table of all routes forgets them. */
export function defineRoute<Query, Body>(route: Route<Query, Body>): Route {
  return route as unknown as Route;
}
