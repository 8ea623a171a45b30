import * as z from 'zod/mini';
import { compress, type ContentCoding } from '#base/content/compress.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { isNotModified } from '#http/answer/entity-tag.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import type { OpenApiDocument } from './openapi.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';

const documentSchema = named(
  'OpenApiDocument',
  z.looseObject({
    openapi: described('Version of OpenAPI that it follows.', z.string()),
    paths: described('The calls by their address.', z.record(z.string(), z.unknown())),
  }),
);

type Made = {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly compressed: Map<ContentCoding, Buffer | Promise<Buffer>>;
};

export type CreateDocument = () => Promise<object>;

/** The document of all routes, and its part of each group. The first request for it makes it: nobody needs a token. */
export function openApiRoutes(createDocument: CreateDocument, tags: readonly string[]): readonly Route[] {
  const known = new Map<string | undefined, Promise<Made>>();
  const madeOf = (tag: string | undefined): Promise<Made> => {
    const making =
      known.get(tag) ?? (tag === undefined ? createDocument().then(make) : makePart(madeOf(undefined), tag));
    known.set(tag, making);
    // A part of the program that could not be read once must not keep the document away for ever.
    making.catch(() => known.delete(tag));
    return making;
  };
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
        answerHeaders: { 200: ['ETag', 'Content-Encoding'], 304: ['ETag'] },
      }),
      access: 'public',
      whileUnclaimed: true,
      query: z.strictObject({
        tag: described(
          'Only the calls of this group, and what they refer to: the whole document is large.',
          z.optional(wordOf('TagName', tags)),
        ),
      }),
      answers: { 200: documentSchema, 304: null },
      handle: async ({ header, query: { tag } }) => {
        const made = await madeOf(tag);
        const coding = chooseCoding(header('accept-encoding'));
        const etag = coding === undefined ? `"${made.etag}"` : `"${made.etag}-${coding}"`;
        const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Origin, Accept-Encoding' };
        if (isNotModified(header('if-none-match'), etag)) return { status: 304, headers };
        const json = { ...headers, 'Content-Type': 'application/json' };
        if (coding === undefined) return { status: 200, bytes: made.bytes, headers: json };
        const bytes = made.compressed.get(coding) ?? compress(made.bytes, coding);
        made.compressed.set(coding, bytes);
        if (bytes instanceof Promise) bytes.catch(() => made.compressed.delete(coding));
        return { status: 200, bytes: await bytes, headers: { ...json, 'Content-Encoding': coding } };
      },
    }),
  ];
}

function make(document: object): Made {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: contentTag(bytes).replaceAll('"', ''), compressed: new Map() };
}

async function makePart(whole: Promise<Made>, tag: string): Promise<Made> {
  const { partOfDocument } = await import('./openapi.ts');
  return make(partOfDocument(JSON.parse((await whole).bytes.toString()) as OpenApiDocument, tag));
}
