import type { ProblemCode } from '#base/hub-error.ts';
import type { JsonSchema, SchemaTable } from './schemas.ts';
import type { AnswerHeader, RequestHeader } from './headers.ts';

/** What is in a body that is not JSON of this API. */
export const MEDIA_TYPES = {
  'application/octet-stream': { type: 'string', format: 'binary' },
  'application/td+json': { type: 'object' },
  'application/vnd.sqlite3': { type: 'string', format: 'binary' },
  'text/event-stream': { type: 'string', description: 'Each frame is an `Event`.' },
} as const;
export type MediaType = keyof typeof MEDIA_TYPES;

/** What the hub asks of others because of a call, by name and by address. */
export type CallbackNote = (schemaOf: SchemaTable['schemaOf']) => JsonSchema;

/** What the document says of a call beside its schemas. Kept away from the routes, which are loaded in every hub. */
export type OperationNote = {
  readonly description?: string;
  readonly requestHeaders?: readonly RequestHeader[];
  /** Of answers below 400, by status. */
  readonly answerHeaders?: Readonly<Record<number, readonly AnswerHeader[]>>;
  /** Failures beside those that follow from the route. */
  readonly problems?: readonly ProblemCode[];
  /** Media types of a body that is a file. */
  readonly upload?: readonly MediaType[];
  /** Media types of an answer beside JSON; the only ones where the route declares no JSON. */
  readonly answerTypes?: readonly MediaType[];
  /** Path of the collection in which what it makes is to be found, where that is not its own. */
  readonly keptAt?: string;
  readonly callbacks?: CallbackNote;
  readonly queryDescriptions?: Readonly<Record<string, string>>;
  readonly bodyExample?: unknown;
  readonly answerExample?: unknown;
};
