import type { z } from 'zod/mini';
import { COMPONENTS } from './components.ts';
import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.ts';
import { LIMITS } from './limits.ts';
import { TAGS } from './note.ts';
import { codesOf, openApiPath, operationOf } from './operation.ts';
import { problemResponses } from './problem-responses.ts';
import { convertSchemas, type JsonSchema } from './schemas.ts';
import type { Route } from '#http/routing/route.ts';

const INTRODUCTION = `The API of a home hub on the local network. It is reachable from there alone, over plain HTTP.

Log in with \`POST /api/v1/login\` and send the access token with every call as \`Authorization: Bearer …\`. It is valid
for 24 hours; \`POST /api/v1/access_token\` gives a new one for the refresh token, for 30 days. A script that runs for
years uses an API token (\`POST /api/v1/api_token\`) in its place.

- Names of fields are \`snake_case\`, ids lower-case UUIDs. A \`selector\` is a stable, readable name and is taken wherever an id is.
- Times are RFC 3339 in UTC with milliseconds; durations carry their unit in the name.
- Every answer that is not a success is \`application/problem+json\` (RFC 9457) with a \`code\` from a published list.
- Clients ignore fields and enum members that they do not know. The hub refuses body fields (422) and query parameters (400) that it does not know, but for the bodies of \`/login\` and \`/access_token\`.
- Every GET answers HEAD too. Every answer has an \`X-Request-Id\`; what is below \`/api\` is not to be stored, or is revalidated where there is an \`ETag\`.
- Version 1 only grows: no path, method, field, type, status or code is removed or narrowed.`;

export type OpenApiDocument = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema;
} & JsonSchema;

/** The OpenAPI 3.1 document of these routes, made from the very schemas that check requests. */
export function createOpenApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const table = convertSchemas({ named: COMPONENTS, unnamed: schemasOf(routes), limits: LIMITS });
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
    servers: [{ url: '/', description: 'The hub that this document came from.' }],
    tags: TAGS,
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
          description: 'The access token or an API token, in the header Authorization and nowhere else.',
        },
      },
    },
  };
}

function schemasOf(routes: readonly Route[]): readonly z.core.$ZodType[] {
  return routes.flatMap(({ query, body, answers }) => [
    ...(query === undefined ? [] : [query]),
    ...(body === undefined ? [] : [body.schema]),
    ...Object.values(answers).filter((schema) => schema !== null),
  ]);
}
