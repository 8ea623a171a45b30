import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as z from 'zod/mini';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '#base/hub-error.ts';
import { eventTypes } from '#http/event/filter.ts';
import { createOpenApiDocument, type OpenApiDocument } from '#http/reference/openapi.ts';
import type { Note } from '#http/note/note.ts';
import { openApiPath } from '#http/reference/operation.ts';
import { CONTRACT_PATH, type Operation } from '#test/support/daemon/contract-check.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';
import { API_TYPES_PATH, apiTypes } from '#test/support/page/api-types.ts';
import { RULE_FORMS_PATH, ruleForms } from '#test/support/page/client/rule-forms.ts';
import { VOCABULARY_PATH, vocabulary } from '#test/support/page/client/vocabulary.ts';

const HTTP = join(import.meta.dirname, '../../src/http');

let hub: HubApp;
let document: OpenApiDocument;
beforeAll(async () => {
  hub = await openHubApp();
  document = createOpenApiDocument(hub.routes, '0.1.0');
});

type Link = { operationId: string; parameters: Record<string, string> };

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const operations = (): { name: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: operation as unknown as Operation,
    })),
  );

/** Every object in the document with the place where it stands. */
function* walk(value: unknown, at = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>];
  for (const [key, item] of Object.entries(value)) {
    yield* walk(item, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

describe('the OpenAPI document', () => {
  test('is the committed one; `npm run openapi` renews that', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(CONTRACT_PATH);
  });

  test('is what the committed types of the page are made from; `npm run openapi` renews those too', async () => {
    await expect(apiTypes(document)).toMatchFileSnapshot(API_TYPES_PATH);
  });

  test('is valid by the schema of OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  test('has every route of the router, and nothing else', () => {
    const routes = hub.routes.map(({ method, path }) => nameOf({ method, path: openApiPath(path) }));
    expect(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(routes.toSorted());
  });

  test('has no word in the place of a selector that could be one', () => {
    const steps = hub.routes.map(({ path }) => path.split('/'));
    const places = new Set(
      steps.flatMap((all) => all.flatMap((step, at) => (step === ':selector' ? [all.slice(0, at).join('/')] : []))),
    );
    const words = steps.flatMap((all) => all.filter((_, at) => places.has(all.slice(0, at).join('/'))));
    expect(words.filter((word) => word !== ':selector' && !word.includes('_'))).toEqual([]);
  });

  test('A1: asks for a token wherever the router does, with the same right', () => {
    const asked = operations().map(({ name, operation }) => [name, operation.security]);
    const wanted = hub.routes.map(({ method, path, access, bySecret }) => {
      // Health alone answers without a token and tells more with one.
      const open = path === '/api/v1/health' ? [{}, { bearer: ['system:read'] }] : [];
      const right = access === 'session' || access === 'any' ? [] : [access];
      const ways = [{ bearer: right }, ...(bySecret === undefined ? [] : [{ hook: [] }])];
      return [nameOf({ method, path: openApiPath(path) }), access === 'public' ? open : ways];
    });
    expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(wanted));
  });

  test('gives each operation a name of its own and a known group', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
    const groups = new Set((document['tags'] as { name: string }[]).map(({ name }) => name));
    expect(operations().flatMap(({ operation }) => operation.tags.filter((tag) => !groups.has(tag)))).toEqual([]);
  });

  test('refers only to what exists, and uses every component', () => {
    const places = new Set([...walk(document)].map(([at]) => at));
    const targets = [...walk(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref.slice(1)] : []));
    expect(targets.filter((target) => !places.has(target))).toEqual([]);
    const unused = [...places].filter(
      (at) => /^\/components\/(schemas|parameters|headers|responses)\/[^/]+$/.test(at) && !targets.includes(at),
    );
    expect(unused).toEqual([]);
  });

  test('uses the same verbs for reading, listing and changing everywhere', () => {
    const verbs: Readonly<Record<string, RegExp>> = {
      GET: /^(get|list|download|export|follow)[A-Z]/,
      PATCH: /^update[A-Z]/,
      DELETE: /^(remove|end|revoke|close)[A-Z]/,
      POST: /^(acknowledge|activate|allow|answer|capture|change|check|command|create|disable|enable|ignore|import|instantiate|open|recalculate|refresh|refuse|replace|replay|report|reset|restore|resume|revert|setUp|sign|start|stop|test|undo|validate)[A-Z]|^(login|logout)$/,
      PUT: /^set[A-Z]/,
    };
    const odd = hub.routes.filter(({ method, id, answers }) => {
      const isList = method === 'GET' && answers[200] instanceof z.ZodMiniArray;
      return !(isList ? /^list[A-Z]\w*s$|^listAuditEntries$/ : verbs[method])?.test(id);
    });
    expect(odd.map(nameOf)).toEqual([]);
  });

  test('publishes the whole list of codes', () => {
    expect(document.components.schemas['ProblemCode']?.['x-extensible-enum']).toEqual(Object.keys(PROBLEMS));
  });

  test('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    let count = 0;
    for (const [at, { schema, example }] of walk(document.paths)) {
      if (schema === undefined || example === undefined) continue;
      count += 1;
      const pointer = at.split('/').map(encodeURIComponent).join('/');
      const validate = ajv.compile({ $ref: `document#/paths${pointer}/schema` });
      expect([at, validate(example), ajv.errorsText(validate.errors)]).toEqual([at, true, 'No errors']);
    }
    expect(count).toBeGreaterThan(30);
  });

  test('has a schema for every body of every media type', () => {
    const media = [...walk(document)].flatMap(([at, { content }]) =>
      /\/(requestBody|responses\/[^/]+)$/.test(at)
        ? Object.entries((content ?? {}) as Record<string, { schema?: unknown }>).map(
            ([type, one]) => [`${at} ${type}`, one] as const,
          )
        : [],
    );
    expect(media.length).toBeGreaterThan(90);
    expect(media.filter(([, { schema }]) => schema === undefined).map(([at]) => at)).toEqual([]);
  });

  test('gives a name to each schema that is a body or one of several choices', () => {
    const isUnnamed = (schema: unknown): boolean =>
      typeof schema === 'object' && schema !== null && 'properties' in schema;
    const unnamed = [...walk(document)].filter(([at, value]) => {
      const { anyOf = [], oneOf = [], schema, items } = value as Record<string, unknown[]>;
      const isBody = at.startsWith('/paths/') && (isUnnamed(schema) || isUnnamed(items));
      return isBody || [...anyOf, ...oneOf].some(isUnnamed);
    });
    expect(unnamed.map(([at]) => at)).toEqual([]);
    // A client in Go has a function of this name for every type.
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual([]);
  });

  test('discriminates events by their type, and has a schema for each', () => {
    const { oneOf, discriminator } = document.components.schemas['KnownEvent'] as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe('type');
    expect(Object.keys(discriminator.mapping).toSorted()).toEqual([...eventTypes(), 'hub.test'].toSorted());
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }) => $ref));
    expect(discriminator.mapping['api_token.revoked']).toBe('#/components/schemas/ApiTokenRevokedEvent');
  });

  test('writes what may be null as a list of types, or as a choice between a named object and null', () => {
    const choices = [...walk(document)].flatMap(([at, { anyOf }]) =>
      Array.isArray(anyOf) ? [[at, anyOf] as const] : [],
    );
    const isPlain = (one: { type?: unknown; $ref?: string }): boolean => one.type === 'null' || one.$ref !== undefined;
    expect(choices.filter(([, anyOf]) => !anyOf.every(isPlain)).map(([at]) => at)).toEqual([]);
    const { properties } = document.components.schemas['Feature'] as { properties: Record<string, unknown> };
    expect(properties['unit']).toMatchObject({ type: ['string', 'null'] });
    expect(properties['options']).toMatchObject({ type: ['array', 'null'] });
  });

  test('has patterns that every language can read', () => {
    const patterns = [...walk(document)].flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[pP]\{|\(\?[<=!]/.test(pattern))).toEqual([]);
  });

  test('declares no header fields that HTTP itself defines', () => {
    const own = new Set(['accept', 'accept-encoding', 'authorization', 'content-type', 'user-agent']);
    const { parameters } = document.components as unknown as { parameters: Record<string, { name: string }> };
    expect(Object.values(parameters).filter(({ name }) => own.has(name.toLowerCase()))).toEqual([]);
  });

  test('offers an answer of 304 only to calls that read', () => {
    const asking = operations().filter(({ operation }) => JSON.stringify(operation).includes('/If-None-Match"'));
    expect(asking.length).toBeGreaterThan(10);
    expect(asking.map(({ name }) => name).filter((name) => !name.startsWith('GET '))).toEqual([]);
  });

  test('links each call that makes something to the calls on what it made', () => {
    const links = [...walk(document)].flatMap(([at, { links: found }]) =>
      Object.values((found ?? {}) as Record<string, Link>).map((link) => ({ at, ...link })),
    );
    expect(links.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['getRoom', 'updateRoom', 'removeUser', 'getCommand', 'revokeApiToken', 'downloadBackup']),
    );
    for (const { operationId, parameters } of links) {
      const route = hub.routes.find(({ id }) => id === operationId);
      expect([...(route?.path ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name)).toEqual(Object.keys(parameters));
      const [[name, value] = []] = Object.entries(parameters);
      expect([operationId, value]).toEqual([operationId, `$response.body#/${name === 'digits' ? 'code' : 'id'}`]);
    }
  });

  test('uses the note of each call at the operation with its name', async () => {
    const used = new Map(hub.routes.map(({ id, note }) => [note, id]));
    const files = readdirSync(HTTP, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(^|\/)notes\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      const notes = (await import(join(HTTP, file))) as Record<string, Note>;
      const ofCalls = Object.entries(notes).filter(([name]) => !/(Example|Note)$/.test(name));
      expect(ofCalls.map(([, note]) => used.get(note))).toEqual(ofCalls.map(([name]) => name));
    }
  });

  test('shows the descriptions of fields from their schemas', () => {
    const fields = [...walk(document.components.schemas)].filter(([at]) => /\/properties\/[^/]+$/.test(at));
    const described = fields.filter(([, { description }]) => typeof description === 'string');
    expect(described.length).toBeGreaterThan(65);
    const { properties } = document.components.schemas['Device'] as { properties: Record<string, object> };
    expect(properties['selector']).toEqual({ type: 'string', description: expect.stringContaining('unique') });
  });
});

describe('what the page repeats of the hub is made from the tables of the hub; `npm run openapi` renews it:', () => {
  test('rights, enums and limits', async () => {
    await expect(vocabulary(document)).toMatchFileSnapshot(VOCABULARY_PATH);
  });

  test('the forms of the parts of automations', async () => {
    await expect(ruleForms()).toMatchFileSnapshot(RULE_FORMS_PATH);
  });
});

describe('GET /api/v1/openapi.json', () => {
  test('is served without a token, and a client that has it gets 304', async () => {
    const answer = await hub.app.fetch(new Request('http://hub.local/api/v1/openapi.json'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
    const etag = answer.headers.get('etag') ?? '';
    const again = new Request('http://hub.local/api/v1/openapi.json', { headers: { 'If-None-Match': etag } });
    expect((await hub.app.fetch(again)).status).toBe(304);
  });

  const ask = (query: string, headers: Record<string, string> = {}) =>
    hub.app.fetch(new Request(`http://hub.local/api/v1/openapi.json${query}`, { headers }));

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed by %s for clients that accept it, each time under a tag of its own', async (coding, decode) => {
    const plain = await ask('');
    const [first, second] = [
      await ask('', { 'Accept-Encoding': coding }),
      await ask('', { 'Accept-Encoding': coding }),
    ];
    expect([first.status, first.headers.get('content-encoding'), first.headers.get('vary')]).toEqual([
      200,
      coding,
      'Origin, Accept-Encoding',
    ]);
    const bytes = Buffer.from(await first.arrayBuffer());
    expect(bytes.length).toBeLessThan(200_000);
    expect(decode(bytes).toString()).toBe(await plain.text());
    expect(Buffer.from(await second.arrayBuffer()).equals(bytes)).toBe(true);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe(plain.headers.get('etag'));
    expect((await ask('', { 'Accept-Encoding': coding, 'If-None-Match': etag })).status).toBe(304);
  });

  test('has a valid part for each group, with all that its calls refer to and nothing else', async () => {
    const idsOf = (methods: object): string[] =>
      Object.values(methods as Record<string, { operationId: string }>).map(({ operationId }) => operationId);
    const groups = (document['tags'] as { name: string }[]).map(({ name }) => name);
    const seen: string[] = [];
    for (const group of groups) {
      const part = (await (await ask(`?tag=${encodeURIComponent(group)}`)).json()) as OpenApiDocument;
      seen.push(...Object.values(part.paths).flatMap(idsOf));
      if (!['Device', 'Account', 'Event'].includes(group)) continue;
      const places = new Set([...walk(part)].map(([at]) => at));
      const targets = [...walk(part)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref.slice(1)] : []));
      expect(targets.filter((target) => !places.has(target))).toEqual([]);
      const components = [...places].filter((at) =>
        /^\/components\/(schemas|parameters|headers|responses)\/[^/]+$/.test(at),
      );
      expect(components.filter((at) => !targets.includes(at))).toEqual([]);
    }
    expect(seen.toSorted()).toEqual(hub.routes.map(({ id }) => id).toSorted());
    const text = await (await ask('?tag=Device')).text();
    expect(text.length).toBeLessThan(150_000);
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
    expect((await ask('?tag=Nothing')).status).toBe(400);
  });
});
