import { expect, test } from 'vitest';
import { createUnsentAnswers } from '#http/history/unsent.ts';

const MIB = 1024 * 1024;

test('a person who reads slowly leaves others their part', async () => {
  const { send, refuseIfFull } = createUnsentAnswers();
  const { signal } = new AbortController();
  const answer = send(new Uint8Array(8 * MIB), { person: 'ada', signal: () => signal });
  expect(() => refuseIfFull('ada')).toThrow('Too many answers');
  expect(() => refuseIfFull('ben')).not.toThrow();
  if (answer instanceof ReadableStream) await answer.cancel();
  expect(() => refuseIfFull('ada')).not.toThrow();
  for (const person of ['ada', 'ben', 'cem', 'dan']) send(new Uint8Array(8 * MIB), { person, signal: () => signal });
  expect(() => refuseIfFull('eve')).toThrow('Too many answers');
});
