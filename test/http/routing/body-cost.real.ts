import { findExcess, text } from '#test/support/attack/costly-input.ts';
import { expect, test } from 'vitest';
import { decodeJson } from '#http/routing/json-body.ts';
import { deviceQuerySchema } from '#http/device/query.ts';
import { readQuery } from '#http/routing/query-string.ts';
import { around, PIECES } from './body-pieces.ts';

const SIZE = 1_000;

test('a JSON text costs no more per byte than allowed', async () => {
  const frames = [around('[', '0]'), around('{', '"z":0}'), around('"', '"'), around('', '')];
  const pieces = [...PIECES, ...['[', '{"a":', '"a":[1],', '[[1]],', '"",', 'é@'].map(text)];
  const parse = (bytes: Buffer): unknown => decodeJson(bytes);
  expect(await findExcess({ parse, pieces, frames, size: SIZE, stepsPerByte: 250 })).toEqual([]);
});

test('a query costs no more per byte than allowed', async () => {
  const pieces = [
    ...['a', ',', '%41', '+', '&', '&a', '='].map(text),
    ({ at }: { at: number }) => Buffer.from(`&k${at}=1`),
    ({ at }: { at: number }) => Buffer.from(`,${at}`),
  ];
  const frames = ['/?', '/?fields=', '/?search=', '/?cursor=', '/?limit='].map((start) => around(start, ''));
  const parse = (bytes: Buffer): unknown => readQuery(deviceQuerySchema, bytes.toString('latin1'));
  expect(await findExcess({ parse, pieces, frames, size: SIZE, stepsPerByte: 800 })).toEqual([]);
});
