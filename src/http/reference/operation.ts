import type { JsonSchema, SchemaOf } from '#http/note/described.ts';
import type { ProblemCode } from '#base/hub-error.ts';
import { headerReferences, problemAnswers, problemsOf } from './problem-responses.ts';
import { MEDIA_TYPES, type OperationNote } from '#http/note/note.ts';
import { mediaTypesOf } from '#http/routing/json-body.ts';
import { takesKey, type Route } from '#http/routing/route.ts';

type ApiTable = { readonly routes: readonly Route[]; readonly schemaOf: SchemaOf };

/** `/api/v1/device/:selector` → `/api/v1/device/{selector}`. */
export function openApiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Describes one call for the document. */
export function operationOf(route: Route, { routes, schemaOf }: ApiTable): JsonSchema {
  const note = noteOf(route);
  const codes = codesOf(route);
  const links = linksOf(route, note, routes);
  const parameters = [
    ...pathParameters(route, note),
    ...queryParameters(route, schemaOf),
    ...headerParameters(route, note),
  ];
  const requestBody = requestBodyOf(route, note, schemaOf);
  return {
    operationId: route.id,
    tags: [typeof route.tag === 'string' ? route.tag : route.tag.name],
    summary: route.summary,
    ...describe(route, note),
    security: securityOf(route, note),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...answersOf(route, note, { schemaOf, links }), ...problemAnswers(codes) },
    ...(note.callbacks === undefined ? {} : { callbacks: note.callbacks(schemaOf) }),
    ...(note.isInternal === true ? { 'x-internal': true } : {}),
    'x-problem-codes': codes,
  };
}

function noteOf({ note }: Route): OperationNote {
  return note?.() ?? {};
}

/** The failures that a call can have. */
export function codesOf(route: Route): readonly ProblemCode[] {
  return problemsOf(route, noteOf(route));
}

const REACH = { anywhere: '', home: ', for the whole home', provider: '; an API token has it for one provider' };

function describe(
  { access, place, sessionOnly }: Route,
  { description, isInternal }: OperationNote,
): { readonly description?: string } {
  const rights =
    access === 'public' || access === 'any'
      ? []
      : access === 'session'
        ? ['Needs a login: API tokens are refused.']
        : [
            `Needs the right \`${access}\`${REACH[place ?? 'anywhere']}${sessionOnly === true ? ', and a login: API tokens are refused' : ''}.`,
          ];
  const promise = isInternal === true ? ['Made for the page of the hub: it may change with it.'] : [];
  const text = [...(description === undefined ? [] : [description]), ...promise, ...rights].join('\n\n');
  return text === '' ? {} : { description: text };
}

function securityOf({ access, bySecret }: Route, { optionalRight }: OperationNote): readonly JsonSchema[] {
  if (access === 'public') return optionalRight === undefined ? [] : [{}, { bearer: [optionalRight] }];
  const bearer = { bearer: access === 'session' || access === 'any' ? [] : [access] };
  return bySecret === undefined ? [bearer] : [bearer, { hook: [] }];
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  selector: 'The readable `selector` or the `id`, as answers have them.',
  id: 'The `id` that the answers about it have.',
  digits: 'The six digits that the screen shows.',
  trigger: 'Id of the trigger of type `hook` in the automation.',
  key: 'The `key` that the answers about it have, such as `on` of a feature or `home` of a mode.',
  name: 'Name of the provider in its address.',
  external_id: 'Address of the device, as the script knows it.',
  code: 'Code of the failure in kebab case, as in the `type` of a problem.',
  version: 'Number of the version, as the list of versions has it.',
  fabric: 'Index of the fabric, as the list of those that the device belongs to has it.',
};

function pathParameters({ path }: Route, { wordedId }: OperationNote): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name],
    schema: pathSchema(name === 'id' && wordedId !== true ? 'uuid' : name),
  }));
}

function pathSchema(name: string): JsonSchema {
  if (name === 'version' || name === 'fabric') return { type: 'integer', minimum: 1 };
  return name === 'uuid' ? { type: 'string', format: 'uuid' } : { type: 'string', minLength: 1 };
}

function queryParameters({ query }: Route, schemaOf: SchemaOf): JsonSchema[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}

function headerParameters(route: Route, { requestHeaders = [] }: OperationNote): JsonSchema[] {
  return [...requestHeaders, ...(takesKey(route) ? ['Idempotency-Key'] : [])].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}

function requestBodyOf(route: Route, note: OperationNote, schemaOf: SchemaOf): JsonSchema | undefined {
  const { body } = route;
  if (body === undefined) {
    if (note.upload === undefined) return undefined;
    return { required: true, content: Object.fromEntries(note.upload.map(mediaOf)) };
  }
  const media = { schema: schemaOf(body.schema), ...exampleOf(note.bodyExample) };
  return {
    required: body.isOptional !== true && body.whenEmpty === undefined,
    description: `At most ${body.maxBytes / 1024} KiB.`,
    content: Object.fromEntries(mediaTypesOf(body).map((type) => [type, media])),
  };
}

function mediaOf(type: keyof typeof MEDIA_TYPES): readonly [string, JsonSchema] {
  return [type, { schema: MEDIA_TYPES[type] }];
}

/** Links to the calls on what this call makes, by the id or the digits in its answer. */
function linksOf({ method, path }: Route, { keptAt }: OperationNote, routes: readonly Route[]): JsonSchema {
  if (method !== 'POST') return {};
  // A call with a second parameter is about something that the answer does not name.
  const calls = routes.filter(
    (other) => other.path.startsWith(`${keptAt ?? path}/:`) && isAboutOne(other.path, keptAt ?? path),
  );
  const entries = calls.map((call) => {
    const [, name = ''] = /:(\w+)/.exec(call.path) ?? [];
    const member = name === 'digits' ? 'code' : 'id';
    return [call.id, { operationId: call.id, parameters: { [name]: `$response.body#/${member}` } }];
  });
  return entries.length === 0 ? {} : { links: Object.fromEntries(entries) as JsonSchema };
}

function isAboutOne(path: string, collection: string): boolean {
  return !path.slice(collection.length + 2).includes('/:');
}

type AnswerTable = { readonly schemaOf: SchemaOf; readonly links: JsonSchema };

function answersOf({ answers }: Route, note: OperationNote, { schemaOf, links }: AnswerTable): JsonSchema {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const content = {
        ...(schema === null
          ? {}
          : {
              'application/json': {
                schema: schemaOf(schema),
                ...exampleOf(note.answerExample),
                ...(status === '200' ? answerWith(note, schemaOf) : {}),
              },
            }),
        ...(status === '200' ? otherAnswers(note, schema === null) : {}),
      };
      return [
        status,
        {
          description: STATUS_TEXT[status] ?? status,
          headers: headerReferences(['Cache-Control', 'X-Request-Id', ...(note.answerHeaders?.[Number(status)] ?? [])]),
          ...(Object.keys(content).length === 0 ? {} : { content, ...links }),
        },
      ];
    }),
  );
}

function answerWith({ answerWith: schemas }: OperationNote, schemaOf: SchemaOf): JsonSchema {
  if (schemas === undefined) return {};
  const others = Object.entries(schemas).map(([query, schema]) => [query, { schema: schemaOf(schema) }]);
  return { 'x-answer-with': Object.fromEntries(others) as JsonSchema };
}

/** The example is that of the JSON, if there is JSON. */
function otherAnswers({ answerTypes = [], answerExample }: OperationNote, isExample: boolean): JsonSchema {
  const example = exampleOf(isExample ? answerExample : undefined);
  return Object.fromEntries(answerTypes.map((type) => [type, { schema: MEDIA_TYPES[type], ...example }]));
}

const STATUS_TEXT: Readonly<Record<string, string>> = {
  101: 'From here on the connection is a WebSocket.',
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The outcome is not known yet.',
  204: 'Done. The answer has no body.',
  304: 'Not changed since the client read it.',
};

function exampleOf(example: unknown): { readonly example?: unknown } {
  return example === undefined ? {} : { example };
}
