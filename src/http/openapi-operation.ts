import type { z } from 'zod/mini';
import { headerReferences, problemAnswers, problemsOf } from './openapi-problems.ts';
import type { OperationNote } from './openapi-note.ts';
import { NOTES, TAGS } from './openapi-notes.ts';
import type { JsonSchema } from './openapi-schemas.ts';
import type { Route } from './route.ts';

type SchemaOf = (schema: z.core.$ZodType) => JsonSchema;

/** `/api/v1/device/:selector` → `/api/v1/device/{selector}`. */
export function openApiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** What the document says of one call. */
export function operationOf(route: Route, schemaOf: SchemaOf): JsonSchema {
  const note = NOTES[`${route.method} ${route.path}`] ?? {};
  const codes = problemsOf(route, note);
  const parameters = [...pathParameters(route), ...queryParameters(route, note, schemaOf), ...headerParameters(note)];
  const requestBody = requestBodyOf(route, note, schemaOf);
  return {
    operationId: route.id,
    tags: [tagOf(route.path)],
    summary: route.summary,
    ...describe(route, note),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...answersOf(route, note, schemaOf), ...problemAnswers(codes) },
    'x-problem-codes': codes,
  };
}

function tagOf(path: string): string {
  const segment = /^\/api\/v1\/([^/]+)|^\/(?!api)([^/]+)/.exec(path);
  const word = segment?.[1] ?? segment?.[2] ?? '';
  return TAGS.find(({ segments }) => (segments as readonly string[]).includes(word))?.name ?? word;
}

function describe(
  { access, place, sessionOnly }: Route,
  { description }: OperationNote,
): { readonly description?: string } {
  const rights =
    access === 'public' || access === 'any'
      ? []
      : access === 'session'
        ? ['Needs a login: API tokens are refused.']
        : [
            `Needs the right \`${access}\`${place === 'home' ? ', for the whole home' : ''}${sessionOnly === true ? ', and a login: API tokens are refused' : ''}.`,
          ];
  const text = [...(description === undefined ? [] : [description]), ...rights].join('\n\n');
  return text === '' ? {} : { description: text };
}

function securityOf({ access, path }: Route): readonly JsonSchema[] {
  // Health is the one call that tells more with a token and answers without one.
  if (access === 'public') return path === '/api/v1/health' ? [{}, { bearer: ['system:read'] }] : [];
  return [{ bearer: access === 'session' || access === 'any' ? [] : [access] }];
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  selector: 'Selector or id.',
  id: 'Id.',
  code: 'Code of the failure in kebab case, as in the `type` of a problem.',
};

function pathParameters({ path }: Route): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryParameters({ query }: Route, note: OperationNote, schemaOf: SchemaOf): JsonSchema[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(note.queryDescriptions?.[name] === undefined ? {} : { description: note.queryDescriptions[name] }),
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}

function headerParameters({ requestHeaders = [] }: OperationNote): JsonSchema[] {
  return requestHeaders.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function requestBodyOf(route: Route, note: OperationNote, schemaOf: SchemaOf): JsonSchema | undefined {
  const { body } = route;
  if (body === undefined) {
    if (note.upload === undefined) return undefined;
    return { required: true, content: Object.fromEntries(note.upload.map((type) => [type, {}])) };
  }
  const media = { schema: schemaOf(body.schema), ...exampleOf(note.bodyExample) };
  const types = ['application/json', ...(body.mediaTypes ?? [])];
  return {
    required: true,
    description: `At most ${body.maxBytes / 1024} KiB.`,
    content: Object.fromEntries(types.map((type) => [type, media])),
  };
}

function answersOf({ answers }: Route, note: OperationNote, schemaOf: SchemaOf): JsonSchema {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const content = {
        ...(schema === null
          ? {}
          : { 'application/json': { schema: schemaOf(schema), ...exampleOf(note.answerExample) } }),
        ...(status === '200' ? Object.fromEntries((note.answerTypes ?? []).map((type) => [type, {}])) : {}),
      };
      return [
        status,
        {
          description: STATUS_TEXT[status] ?? status,
          headers: headerReferences(['Cache-Control', 'X-Request-Id', ...(note.answerHeaders?.[Number(status)] ?? [])]),
          ...(Object.keys(content).length === 0 ? {} : { content }),
        },
      ];
    }),
  );
}

const STATUS_TEXT: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Accepted; the end is not known yet.',
  204: 'Done; nothing to show.',
  304: 'The client has it already.',
};

function exampleOf(example: unknown): { readonly example?: unknown } {
  return example === undefined ? {} : { example };
}
