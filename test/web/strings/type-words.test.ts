import { expect, test } from 'vitest';
import { TYPE_WORDS } from '#core/device/suggested-name.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

test('the page has the words for types of devices that the hub suggests as names', () => {
  const { other, ...words } = pageWords.types;
  expect(other).toBe('Device');
  expect(words).toEqual(TYPE_WORDS);
});
