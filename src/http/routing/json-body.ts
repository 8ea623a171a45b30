import * as z from 'zod/mini';
import { HubError, validationFailed } from '#base/hub-error.ts';
import { parseJson } from '#base/json.ts';
import { fieldErrorsFrom } from './field-errors.ts';
import type { RequestFacts } from '#http/edge/request-facts.ts';
import type { RouteBody } from './route.ts';

const MAX_DEPTH = 16;
/** Most calls can use no more, and each costs a hundred times its bytes. */
const MAX_MEMBERS = 1_000;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const MEDIA_TYPE = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*((?:;[^;]*)*)$/;
const FORM = 'application/x-www-form-urlencoded';
const ANY_JSON = /^text\/json$|\+json$/;
/** Each string of a JSON text, with the colon after it if it is a member name. One without an end is read once too. */
const STRINGS = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"(\s*:)?|\\?$)/g;

const invalid = (message: string, cause?: unknown): HubError => new HubError('INVALID_JSON', message, { cause });

/** Lists the media types that a body may have; the first is the usual one. */
export function mediaTypesOf({ mediaTypes = [], form }: RouteBody<unknown>): readonly string[] {
  return ['application/json', ...mediaTypes, ...(form === true ? [FORM] : [])];
}

/** Asked after `refuseBodyFields`, which lets forms pass where a call takes them. */
export function isForm(header: RequestFacts['header']): boolean {
  return MEDIA_TYPE.exec(header('content-type') ?? '')?.[1]?.toLowerCase() === FORM;
}

/** A form as JSON text with the same members, so that the rules of JSON hold for it: each name once, none forbidden. */
export function formAsJson(bytes: Uint8Array): Uint8Array {
  const members = [...new URLSearchParams(decodeText(bytes))].map((pair) => pair.map((text) => JSON.stringify(text)));
  return Buffer.from(`{${members.map((pair) => pair.join(':')).join(',')}}`);
}

/** Refuses by the header fields, before a byte of the body is read. */
export function refuseBodyFields(body: RouteBody<unknown>, header: RequestFacts['header']): HubError | undefined {
  const accepted = mediaTypesOf(body);
  const unsupported = (message: string): HubError => new HubError('UNSUPPORTED_MEDIA_TYPE', message);
  const match = MEDIA_TYPE.exec(header('content-type') ?? '');
  const mediaType = match?.[1]?.toLowerCase() ?? '';
  const isTaken = accepted.includes(mediaType) || (body.anyJson === true && ANY_JSON.test(mediaType));
  if (!isTaken) {
    return unsupported(`The content type must be ${accepted.join(' or ')}.`);
  }
  const charset = charsetOf(match?.[2] ?? '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return unsupported('The charset must be utf-8.');
  }
  const encoding = header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return unsupported('The body must not have a content encoding.');
  }
  if (Number(header('content-length') ?? 0) > body.maxBytes) return tooLarge(body.maxBytes);
  return undefined;
}

/** From the parameters of a media type, in lower case. No regular expression: one over many spaces would backtrack. */
function charsetOf(parameters: string): string | undefined {
  for (const parameter of parameters.split(';')) {
    const equals = parameter.indexOf('=');
    if (parameter.slice(0, Math.max(0, equals)).trim().toLowerCase() !== 'charset') continue;
    const value = parameter.slice(equals + 1).trim();
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    return (isQuoted ? value.slice(1, -1) : value).toLowerCase();
  }
  return undefined;
}

export function tooLarge(maxBytes: number): HubError {
  return new HubError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}

/** The body after its schema checked it. */
export function decodeBody<Body>(schema: z.ZodMiniType<Body>, bytes: Uint8Array, limits: JsonLimits = {}): Body {
  const value = decodeJson(bytes, limits);
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw validationFailed(fieldErrorsFrom(result.error.issues, value));
}

/** JSON by RFC 8259 and I-JSON (RFC 7493): UTF-8 without BOM, each member name once, finite numbers. */
export function decodeJson(
  bytes: Uint8Array,
  { maxMembers = MAX_MEMBERS, maxDepth = MAX_DEPTH }: JsonLimits = {},
): unknown {
  const text = decodeText(bytes);
  const value = parseJson(text);
  // Without the parser's message as the cause: it quotes the body, which may hold a password.
  if (value === undefined) throw invalid('The body is not valid JSON.');
  const memberCount = countMembers(value, { depth: 1, before: 0, maxMembers, maxDepth });
  let nameCount = 0;
  for (const match of text.matchAll(STRINGS)) if (match[1] !== undefined) nameCount += 1;
  // The parser keeps the last of two members with one name, other readers the first.
  if (nameCount !== memberCount) throw invalid('An object has two members with the same name.');
  return value;
}

function decodeText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalid('The body is not UTF-8.', cause);
  }
  if (text.startsWith('\uFEFF')) throw invalid('The body starts with a byte order mark.');
  return text;
}

type JsonLimits = Pick<RouteBody<unknown>, 'maxMembers' | 'maxDepth'>;
type Counting = {
  readonly depth: number;
  readonly before: number;
  readonly maxMembers: number;
  readonly maxDepth: number;
};

/** Counts the object members of the whole tree, added to those before it; throws for values that are not allowed. */
function countMembers(value: unknown, { depth, before, maxMembers, maxDepth }: Counting): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalid('A number is too large.');
  if (typeof value !== 'object' || value === null) return before;
  if (depth > maxDepth) throw invalid(`The body nests deeper than ${maxDepth}.`);
  let count = before;
  if (Array.isArray(value)) {
    for (const item of value) count = countMembers(item, { depth: depth + 1, before: count, maxMembers, maxDepth });
    return count;
  }
  const names = Object.keys(value);
  count += names.length;
  if (count > maxMembers) throw invalid(`The body has more than ${maxMembers} members.`);
  for (const name of names) {
    if (FORBIDDEN_KEYS.has(name)) throw invalid(`A member may not be named ${name}.`);
    const member = (value as Record<string, unknown>)[name];
    count = countMembers(member, { depth: depth + 1, before: count, maxMembers, maxDepth });
  }
  return count;
}
