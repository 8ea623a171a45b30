import { expect, test } from 'vitest';
import { hub as german } from '#web/strings/de/hub/hub.ts';
import { reasonWords } from '#web/strings/rule/reason-words.ts';

test.each([
  ['timed out', 'die Zeit war um'],
  ['queue full', 'es warteten schon zu viele'],
  ['too many runs', 'es liefen zu viele gleichzeitig'],
  ['device_offline', 'ein Gerät war offline'],
  ['nobody_at_home', 'nobody at home'],
])('the reason "%s" is in German "%s"', (reason, words) => {
  expect(reasonWords(reason, german)).toBe(words);
});
