import { findExcess, type Frame, type Piece, text } from '#test/support/attack/costly-input.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { decodeBody, decodeJson } from '#http/routing/json-body.ts';
import { deviceQuerySchema } from '#http/device/query.ts';
import { readQuery } from '#http/routing/query-string.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

const SIZE = 1_000;
/** Steps are counted, not time: a busy machine only takes longer. */
const PATIENCE = { timeout: 180_000 };
let hub: HubApp;
beforeAll(async () => {
  hub = await openHubApp();
});

const around =
  (start: string, end: string): Frame =>
  (body) =>
    Buffer.concat([Buffer.from(start), body, Buffer.from(end)]);
/** What lists, objects and strings are made of; which of it makes sense is the frame's to say. */
const PIECES: readonly Piece[] = [
  ...['1,', '"a",', '{"a":1},', '\\u0001', ' '].map(text),
  ({ at }) => Buffer.from(`"k${at}":1,`),
  ({ at }) => Buffer.from(`"00000000-0000-4000-8000-${String(at).padStart(12, '0')}",`),
];
const framesFor = (field: string): readonly Frame[] => [
  around(`{"${field}":[`, '0]}'),
  around(`{"${field}":{`, '"z":0}}'),
  around(`{"${field}":"`, '"}'),
];

function isTaken(schema: z.ZodMiniType, bytes: Buffer): boolean {
  try {
    decodeBody(schema, bytes);
    return true;
  } catch (cause) {
    if (cause instanceof HubError) return false;
    throw cause;
  }
}

test('a JSON text costs no more per byte than allowed', PATIENCE, async () => {
  const frames = [around('[', '0]'), around('{', '"z":0}'), around('"', '"'), around('', '')];
  const pieces = [...PIECES, ...['[', '{"a":', '"a":[1],', '[[1]],', '"",', 'é@'].map(text)];
  const parse = (bytes: Buffer): unknown => decodeJson(bytes);
  expect(await findExcess({ parse, pieces, frames, size: SIZE, stepsPerByte: 250 })).toEqual([]);
});

test('the checks by the schemas of all calls cost no more per byte than allowed', PATIENCE, async () => {
  const schemas = hub.routes.flatMap(({ body }) => (body === undefined ? [] : [body.schema]));
  const fields = schemas.flatMap((schema) => (schema instanceof z.ZodMiniObject ? Object.keys(schema.def.shape) : []));
  const frames = [around('{', '"z":0}'), ...[...new Set(fields)].flatMap(framesFor)];
  const parse = (bytes: Buffer): void => {
    for (const schema of schemas) isTaken(schema, bytes);
  };
  // Each schema decodes the body, for which the test above allows 250. The few that have a list of objects under the
  // name of the field also note what each object lacks: ten times as much, in a list whose length they limit.
  const stepsPerByte = 250 * (schemas.length + 10);
  expect(await findExcess({ parse, pieces: PIECES, frames, size: 300, stepsPerByte, climbs: 5 })).toEqual([]);
});

test('a query costs no more per byte than allowed', PATIENCE, async () => {
  const pieces = [
    ...['a', ',', '%41', '+', '&', '&a', '='].map(text),
    ({ at }: { at: number }) => Buffer.from(`&k${at}=1`),
    ({ at }: { at: number }) => Buffer.from(`,${at}`),
  ];
  const frames = ['/?', '/?fields=', '/?search=', '/?cursor=', '/?limit='].map((start) => around(start, ''));
  const parse = (bytes: Buffer): unknown => readQuery(deviceQuerySchema, bytes.toString('latin1'));
  expect(await findExcess({ parse, pieces, frames, size: SIZE, stepsPerByte: 800 })).toEqual([]);
});
