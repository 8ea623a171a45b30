import { expect, test } from 'vitest';
import { hub as german } from '#web/strings/de/hub/hub.ts';
import { hub as english } from '#web/strings/en/hub/hub.ts';
import { resultWords } from '#web/strings/problem-words.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const OFFLINE = { code: 'DEVICE_OFFLINE', reason: hubText('The device is offline.') };

test.each([
  ['English is the hub’s own', english, OFFLINE, 'The device is offline.'],
  ['another language has words for the code', german, OFFLINE, 'Das Gerät ist offline.'],
  ['a code from a newer hub', german, { code: 'NEVER_HEARD_OF', reason: hubText('It is new.') }, 'It is new.'],
  ['no code, which the status says', german, { reason: hubText('It was undone.') }, undefined],
  ['nothing said', german, {}, undefined],
] as const)('why a command failed: %s', (...given) => {
  const [, words, result, said] = given;
  expect(resultWords(result, words)).toBe(said);
});
