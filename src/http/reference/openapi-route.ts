import { z } from 'zod/mini';
import { named } from '#http/note/described.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { isNotModified } from '#http/answer/entity-tag.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';

const documentSchema = named(
  'OpenApiDocument',
  z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
);

type Made = { readonly bytes: Buffer; readonly etag: string };

/** The document of all routes. The first request for it makes it. */
export function openApiRoutes(createDocument: () => Promise<object>): readonly Route[] {
  let made: Promise<Made> | undefined;
  return [
    defineRoute({
      id: 'getOpenApiDocument',
      method: 'GET',
      path: '/api/v1/openapi.json',
      summary: 'Show this document',
      tag: 'Reference',
      note: () => ({
        description: 'OpenAPI 3.1. Also available while the hub has no owner.',
        requestHeaders: ['If-None-Match'],
        answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
      }),
      access: 'public',
      whileUnclaimed: true,
      answers: { 200: documentSchema, 304: null },
      handle: async ({ header }) => {
        made ??= make(createDocument);
        const { bytes, etag } = await made;
        const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
        if (isNotModified(header('if-none-match'), etag)) return { status: 304, headers };
        return { status: 200, bytes, headers: { ...headers, 'Content-Type': 'application/json' } };
      },
    }),
  ];
}

async function make(createDocument: () => Promise<object>): Promise<Made> {
  const bytes = Buffer.from(JSON.stringify(await createDocument()));
  return { bytes, etag: contentTag(bytes) };
}
