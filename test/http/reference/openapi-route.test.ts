import { expect, test } from 'vitest';
import { openApiRoutes } from '#http/reference/openapi-route.ts';
import { readContract } from '#test/support/daemon/contract-check.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

test('a document that could not be made once is made with the next request', async () => {
  let calls = 0;
  const create = async (): Promise<object> => {
    calls += 1;
    if (calls === 1) throw new Error('the file cannot be read');
    return { openapi: '3.1.0', info: {}, paths: {}, components: {} };
  };
  // One process has one list of groups, and other tests make it too.
  const { enum: tags } = readContract().components.schemas['TagName'] as { readonly enum: readonly string[] };
  const { request } = createTestApp(openApiRoutes(create, tags));
  expect((await request('/api/v1/openapi.json')).status).toBe(500);
  expect((await request('/api/v1/openapi.json')).status).toBe(200);
  expect((await request('/api/v1/openapi.json')).status).toBe(200);
  expect(calls).toBe(2);
});
