import type * as z from 'zod/mini';
import type { JsonSchema, SchemaOf } from './described.ts';
import type { Scope } from '#auth/scope.ts';
import type { ProblemCode } from '#base/hub-error.ts';
import type { AnswerHeader, RequestHeader } from './headers.ts';

/** The schema of a body that is not JSON of this API. */
export const MEDIA_TYPES = {
  'application/octet-stream': { type: 'string', format: 'binary' },
  'application/td+json': { type: 'object' },
  'application/vnd.sqlite3': { type: 'string', format: 'binary' },
  'application/ndjson': { type: 'string', description: 'A JSON object in each line.' },
  'application/x-ndjson': { type: 'string', description: 'A JSON object in each line.' },
  'text/csv': { type: 'string' },
  'text/plain': { type: 'string' },
  'text/event-stream': { type: 'string', description: 'Each frame is an `Event`.' },
} as const;
type MediaType = keyof typeof MEDIA_TYPES;

/** The requests that the hub sends because of a call, by name and address. */
export type CallbackNote = (schemaOf: SchemaOf) => JsonSchema;

/** Groups of calls in the order in which they are shown. A noun may bring one of its own. */
const TAGS = [
  {
    name: 'Account',
    description: 'Logging in, tokens, sessions and accounts.',
  },
  { name: 'Device', description: 'The devices of the home.' },
  { name: 'History', description: 'What the devices were in the past.' },
  { name: 'Energy', description: 'What the home used, and what that cost.' },
  { name: 'Command', description: 'Commands to devices.' },
  { name: 'Scene', description: 'Named states of several devices.' },
  { name: 'Automation', description: 'What the home does by itself.' },
  { name: 'Event', description: 'Events, as they happen.' },
  { name: 'Webhook', description: 'Receivers at home that get events.' },
  { name: 'Exporter', description: 'Receivers at home that get every sample of the history.' },
  { name: 'Delivery', description: 'What the hub sends to those receivers.' },
  { name: 'Notification', description: 'What people should know, and how it reaches them.' },
  { name: 'Calendar', description: 'Days that differ from others, such as holidays.' },
  { name: 'Presence', description: 'Who is at home.' },
  { name: 'Integration', description: 'The ways to reach devices.' },
  { name: 'Provider', description: 'Scripts that are integrations.' },
  {
    name: 'Hub',
    description: 'The hub itself: its identity, health, machine, backups and audit log.',
  },
  {
    name: 'Reference',
    description: 'The words and failures of the API, and this document.',
  },
] as const;

type SharedTag = (typeof TAGS)[number]['name'];
/** A group that has the calls of one noun alone. `after`: what it follows, with the groups of earlier routes between. */
type OwnTag = { readonly name: string; readonly description: string; readonly after: SharedTag };
export type Tag = SharedTag | OwnTag;

/** All groups of these routes, in the order in which they are shown. */
export function tagsOf(routes: readonly { readonly tag: Tag }[]): readonly Omit<OwnTag, 'after'>[] {
  const own = new Set(routes.flatMap(({ tag }) => (typeof tag === 'string' ? [] : tag)));
  return TAGS.flatMap((tag) => [tag, ...[...own].flatMap(({ after, ...rest }) => (after === tag.name ? rest : []))]);
}

/**
 * The note of a route. A function: its text becomes objects only when a client reads the document, not at each start of
 * the hub.
 */
export type Note = () => OperationNote;

/** The document says this of a call in addition to its route and schemas. */
export type OperationNote = {
  readonly description?: string;
  /** It serves the page of the hub alone and may change with it: other clients get no promise. */
  readonly isInternal?: true;
  readonly requestHeaders?: readonly RequestHeader[];
  /** The headers of answers below 400, by status. */
  readonly answerHeaders?: Readonly<Record<number, readonly AnswerHeader[]>>;
  /** Failures in addition to those that follow from the route. */
  readonly problems?: readonly ProblemCode[];
  /** Media types of a body that is a file. */
  readonly upload?: readonly MediaType[];
  /** Media types of an answer in addition to JSON, or instead of it if the route declares no JSON. */
  readonly answerTypes?: readonly MediaType[];
  /** Path of the collection that keeps what the call makes, if that is not its own path. */
  readonly keptAt?: string;
  /** The `:id` in its path is a word or a date, not a UUID. */
  readonly wordedId?: true;
  /** It answers without a token, and shows more to a caller with this right. */
  readonly optionalRight?: Scope;
  /** The schema of its JSON with this in the query (`view=values`). A type for both would spoil the usual one. */
  readonly answerWith?: Readonly<Record<string, z.core.$ZodType>>;
  readonly callbacks?: CallbackNote;
  readonly bodyExample?: unknown;
  readonly answerExample?: unknown;
};

/** Header fields of calls on resources with an `ETag` and a position in the event stream. */
export const READ_HEADERS = {
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag', 'Event-Cursor'], 304: ['ETag', 'Event-Cursor'] },
} as const;
export const LIST_HEADERS = {
  ...READ_HEADERS,
  answerHeaders: { ...READ_HEADERS.answerHeaders, 200: ['ETag', 'Event-Cursor', 'X-Total-Count'] },
} as const;
/** The same without a position in the stream: no event tells of each change. */
export const TAG_HEADERS = {
  read: { requestHeaders: ['If-None-Match'], answerHeaders: { 200: ['ETag'], 304: ['ETag'] } },
  made: { answerHeaders: { 201: ['ETag', 'Location'] } },
  change: { requestHeaders: ['If-Match'], answerHeaders: { 200: ['ETag'] } },
  remove: { requestHeaders: ['If-Match'] },
} as const;
export const CHANGE_HEADERS = {
  requestHeaders: ['If-Match'],
  answerHeaders: { 200: ['ETag', 'Event-Cursor'] },
} as const;
