import { findExcess, type Frame } from '#test/support/attack/costly-input.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { decodeBody } from '#http/routing/json-body.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';
import { around, PIECES } from './body-pieces.ts';

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

test('the checks by the schemas of all calls cost no more per byte than allowed', async () => {
  const hub = await openHubApp();
  const schemas = hub.routes.flatMap(({ body }) => (body === undefined ? [] : [body.schema]));
  const fields = schemas.flatMap((schema) => (schema instanceof z.ZodMiniObject ? Object.keys(schema.def.shape) : []));
  const frames = [around('{', '"z":0}'), ...[...new Set(fields)].flatMap(framesFor)];
  const parse = (bytes: Buffer): void => {
    for (const schema of schemas) isTaken(schema, bytes);
  };
  // Each schema decodes the body, for which body-cost.real.ts allows 250. The few that have a list of objects under the
  // name of the field also note what each object lacks: ten times as much, in a list whose length they limit.
  const stepsPerByte = 250 * (schemas.length + 10);
  expect(await findExcess({ parse, pieces: PIECES, frames, size: 300, stepsPerByte, climbs: 5 })).toEqual([]);
});
