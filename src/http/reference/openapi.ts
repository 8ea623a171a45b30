import type { z } from 'zod/mini';
import { COMPONENTS } from './components.ts';
import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.ts';
import { FIELD_NOTES } from './field-notes.ts';
import { LIMITS } from './limits.ts';
import { INTRODUCTION, TAGS } from './notes.ts';
import { codesOf, openApiPath, operationOf } from './operation.ts';
import { problemResponses } from './problem-responses.ts';
import { convertSchemas, type JsonSchema } from './schemas.ts';
import type { Route } from '#http/routing/route.ts';

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
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: withFieldNotes(table.components),
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

function withFieldNotes(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties } = schema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
      const fields = Object.entries(properties ?? {}).map(([field, inner]) => [
        field,
        { ...inner, ...describedAs(`${name}.${field}`) },
      ]);
      const noted = properties === undefined ? {} : { properties: Object.fromEntries(fields) as JsonSchema };
      return [name, { ...schema, ...noted, ...describedAs(name) }];
    }),
  );
}

function describedAs(name: string): { readonly description?: string } {
  const description = FIELD_NOTES[name];
  return description === undefined ? {} : { description };
}
