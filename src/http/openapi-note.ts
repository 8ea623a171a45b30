import type { ProblemCode } from '#base/hub-error.ts';
import type { AnswerHeader, RequestHeader } from './openapi-headers.ts';

/** What the document says of a call beside its schemas. Kept away from the routes, which are loaded in every hub. */
export type OperationNote = {
  readonly description?: string;
  readonly requestHeaders?: readonly RequestHeader[];
  /** Of answers below 400, by status. */
  readonly answerHeaders?: Readonly<Record<number, readonly AnswerHeader[]>>;
  /** Failures beside those that follow from the route. */
  readonly problems?: readonly ProblemCode[];
  /** Media types of a body that is a file. */
  readonly upload?: readonly string[];
  /** Media types of an answer beside JSON; the only ones where the route declares no JSON. */
  readonly answerTypes?: readonly string[];
  readonly queryDescriptions?: Readonly<Record<string, string>>;
  readonly bodyExample?: unknown;
  readonly answerExample?: unknown;
};
