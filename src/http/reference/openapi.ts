import { clientSchemas } from '#core/automation/document/client-schemas.ts';
import { ANSWER_HEADERS, REQUEST_HEADERS } from '#http/note/headers.ts';
import { tagsOf } from '#http/note/note.ts';
import { codesOf, openApiPath, operationOf } from './operation.ts';
import { problemResponses } from './problem-responses.ts';
import { type CallSchemas, convertSchemas } from './schemas.ts';
import { type JsonSchema, namedSchemas, SCHEMAS } from '#http/note/described.ts';
import type { Route } from '#http/routing/route.ts';

const INTRODUCTION = `The API of a home hub. It can be reached only from the local network, over plain HTTP.

Log in with \`POST /api/v1/login\` and send the access token with every call as \`Authorization: Bearer …\`. It is valid
for 24 hours; for 30 days, \`POST /api/v1/access_token\` gives a new one for the refresh token. A script that runs for
years uses an API token (\`POST /api/v1/api_token\`) instead.

- Names of fields are \`snake_case\`, ids are lower-case UUIDs. A \`selector\` is a stable, readable name; every call takes it in place of the id.
- Times are RFC 3339 in UTC with milliseconds; durations carry their unit in the name.
- Every answer that is not a success is \`application/problem+json\` (RFC 9457) with a \`code\` from a published list.
- Clients must ignore fields and enum members that they do not know. The hub refuses unknown body fields (422) and query parameters (400), except in the bodies of \`/login\` and \`/access_token\`.
- A parameter that is a list takes commas (\`types=a,b\`), or its name again (\`types=a&types=b\`, \`types[]=a&types[]=b\`).
- Every GET call also answers HEAD. Every answer has an \`X-Request-Id\`. Do not store answers below \`/api\`; those with an \`ETag\` may be stored and revalidated.
- Version 1 only grows: no path, method, field, type, status or code goes away or becomes narrower.`;

export type OpenApiDocument = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema;
} & JsonSchema;

/** The OpenAPI 3.1 document of these routes, made from the schemas that check their requests. */
export function createOpenApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const language = clientSchemas((name) => SCHEMAS + name);
  const table = convertSchemas(namedSchemas(), schemasOf(routes), Object.fromEntries(language));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = (paths[openApiPath(route.path)] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, { routes, schemaOf: table.schemaOf });
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'hearthd',
      version,
      summary: 'Local home hub: one HTTP API for the devices and people of a home',
      description: INTRODUCTION,
      contact: { name: 'The hearthd authors', email: 'hearthd@example.org' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The hub that serves this document.' }],
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: table.components,
      responses: problemResponses(routes.flatMap(codesOf)),
      headers: ANSWER_HEADERS,
      parameters: Object.fromEntries(
        Object.entries(REQUEST_HEADERS).map(([name, note]) => [name, { name, in: 'header', ...note }]),
      ),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token or an API token, only in the header Authorization.',
        },
        hook: {
          type: 'apiKey',
          in: 'header',
          name: 'Hearthd-Hook',
          description: 'The secret of one hook of one automation, for programs without an account.',
        },
      },
    },
  };
}

type Operations = Readonly<Record<string, JsonSchema>>;
const REFERENCE = '#/components/';

/** The calls of one group, and only the components that they need. */
export function partOfDocument(document: OpenApiDocument, tag: string): OpenApiDocument {
  const isOfTag = (operation: JsonSchema): boolean => (operation['tags'] as readonly string[]).includes(tag);
  const calls = Object.entries(document.paths).flatMap(([path, methods]): [string, Operations][] => {
    const kept = Object.entries(methods).filter(([, operation]) => isOfTag(operation));
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
  });
  const ids = new Set(calls.flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId)));
  // A link leads to a call, which may be of another group.
  const paths = JSON.parse(JSON.stringify(Object.fromEntries(calls)), (name, value: unknown) =>
    name === 'links' ? linksWithin(value as Operations, ids) : value,
  ) as OpenApiDocument['paths'];
  const { securitySchemes, ...components } = document.components as Readonly<Record<string, Operations>>;
  const needed = neededFrom(paths, components);
  const parts = Object.entries(components).map(([section, all]) => [
    section,
    Object.fromEntries(Object.entries(all).filter(([name]) => needed.has(`${REFERENCE}${section}/${name}`))),
  ]);
  return {
    ...document,
    tags: (document['tags'] as readonly JsonSchema[]).filter(({ name }) => name === tag),
    paths,
    components: { ...(Object.fromEntries(parts) as OpenApiDocument['components']), securitySchemes },
  };
}

function linksWithin(links: Operations, ids: ReadonlySet<unknown>): Operations | undefined {
  const kept = Object.entries(links).filter(([, { operationId }]) => ids.has(operationId));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The references in a value, and those in what they refer to. */
function neededFrom(value: unknown, components: Readonly<Record<string, Operations>>): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    if (typeof part === 'string' && part.startsWith(REFERENCE) && !found.has(part)) {
      found.add(part);
      const [section = '', name = ''] = part.slice(REFERENCE.length).split('/');
      look(components[section]?.[name]);
    } else if (typeof part === 'object' && part !== null) Object.values(part).forEach(look);
  };
  look(value);
  return found;
}

function schemasOf(routes: readonly Route[]): CallSchemas {
  return {
    bodies: routes.flatMap(({ query, body }) => [query ?? [], body?.schema ?? []].flat()),
    answers: routes.flatMap(({ answers, note }) => [
      ...Object.values(answers).filter((schema) => schema !== null),
      ...Object.values(note?.().answerWith ?? {}),
    ]),
  };
}
