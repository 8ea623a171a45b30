import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(join('src', name), 'utf8')] as const);
const MESSAGE = /new HubError\(\s*'[A-Z_]+',\s*('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

test('the message of a failure is a sentence, with a capital letter and a full stop', () => {
  const messages = SOURCES.flatMap(([name, text]) =>
    [...text.matchAll(MESSAGE)].map(([, message = '']) => ({ name, message })),
  );
  expect(messages.length).toBeGreaterThan(80);
  // A message may start or end with what is filled in.
  const isSentence = (message: string): boolean => /^.(?:[A-Z]|\$\{).*(?:[.?!]|\})$/su.test(message.slice(0, -1));
  expect(messages.filter(({ message }) => !isSentence(message))).toEqual([]);
});
