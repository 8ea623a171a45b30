import { PROBLEMS, type ProblemCode } from '#base/hub-error.ts';
import type { AnswerHeader } from '#http/note/headers.ts';
import type { OperationNote } from '#http/note/note.ts';
import { takesKey, type Route } from '#http/routing/route.ts';

type Reference = { readonly $ref: string };

/** Failures that any request can meet. */
const ANY: readonly ProblemCode[] = [
  'MALFORMED_REQUEST',
  'INVALID_QUERY',
  'PROXIED_REQUEST',
  'ORIGIN_REFUSED',
  'REQUEST_TIMEOUT',
  'MISDIRECTED_REQUEST',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'RESTARTING',
];
const BODY: readonly ProblemCode[] = [
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
];
const TOKEN: readonly ProblemCode[] = ['UNAUTHORIZED', 'INVALID_TOKEN', 'NETWORK_REFUSED'];
const WRITE: readonly ProblemCode[] = ['STORAGE_FULL', 'STORAGE_UNAVAILABLE'];

/** The failures that a call can have, in the order of the published list. */
export function problemsOf(route: Route, note: OperationNote): readonly ProblemCode[] {
  const { access, method, path } = route;
  const codes = new Set<ProblemCode>([
    ...ANY,
    ...(path.startsWith('/api/v1/') && route.whileUnclaimed !== true ? (['HUB_UNCLAIMED'] as const) : []),
    ...(access === 'public' ? [] : TOKEN),
    ...(access === 'public' || access === 'any' ? [] : (['FORBIDDEN'] as const)),
    ...(path.includes(':') ? (['NOT_FOUND'] as const) : []),
    ...(note.requestHeaders?.includes('If-Match') === true ? (['PRECONDITION_FAILED'] as const) : []),
    ...(route.body === undefined ? [] : BODY),
    ...(method === 'GET' ? [] : WRITE),
    ...(method === 'GET' || access === 'public' ? [] : (['TOO_MANY_REQUESTS'] as const)),
    ...(takesKey(route) ? (['IDEMPOTENCY_KEY_REUSED', 'ANSWER_NOT_KEPT', 'OUTCOME_UNKNOWN'] as const) : []),
    ...(note.problems ?? []),
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}

/** References to the answers of these failures by status. */
export function problemAnswers(codes: readonly ProblemCode[]): Record<string, Reference> {
  const statuses = codes.map((code) => PROBLEMS[code][0]);
  return Object.fromEntries(
    [...statuses, 'default' as const].map((status) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(status)}` },
    ]),
  );
}

/** One answer for each status of these failures, and one for any other that a later version may have. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, unknown> {
  const all = Object.keys(PROBLEMS) as ProblemCode[];
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code][0]))].sort((left, right) => left - right);
  const specific = statuses.map((status): [string, unknown] => {
    const codes = all.filter((code) => PROBLEMS[code][0] === status);
    const list = codes.map((code) => `- \`${code}\`: ${PROBLEMS[code][1]}`).join('\n');
    return [nameOf(status), problemResponse(`A problem with status ${status}. Its code is one of:\n\n${list}`, status)];
  });
  return Object.fromEntries([...specific, [nameOf('default'), problemResponse('A problem.', 0)]]);
}

function nameOf(status: number | 'default'): string {
  return status === 'default' ? 'Problem' : `Problem${status}`;
}

const HEADERS_OF_STATUS: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Location'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function problemResponse(description: string, status: number): unknown {
  return {
    description,
    headers: headerReferences(['Cache-Control', 'X-Request-Id', ...(HEADERS_OF_STATUS[status] ?? [])]),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

export function headerReferences(names: readonly AnswerHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
