import { expect, test } from 'vitest';
import { matchOf } from '#web/hub/entry-match.ts';
import { settings as english } from '#web/strings/en/settings/settings.ts';
import { settings as german } from '#web/strings/de/settings/settings.ts';

const entry = ({ look }: Pick<typeof english, 'look'>) => ({
  href: '/settings/appearance',
  icon: 'palette' as const,
  title: look.title,
  text: look.menuText,
  inside: [look],
});
const lineOf = (query: string, words: Pick<typeof english, 'look'> = english): string | undefined =>
  matchOf(entry(words), query)?.text;

test.each([
  ['', english.look.menuText],
  ['appear', english.look.menuText],
  ['size APPEARANCE', english.look.menuText],
  ['contrast', 'More contrast'],
  ['contr more', 'More contrast'],
  ['contrast largest', undefined],
  ['backup', undefined],
])('the search for "%s" shows the line %j', (query, line) => {
  expect(lineOf(query)).toBe(line);
});

test('it goes by the words of the language of the page', () => {
  expect(lineOf('kontrast', german as never)).toBe('Mehr Kontrast');
});

test('a few letters, the middle of a word and an explanation find no page by what is inside it', () => {
  expect(lineOf('mo')).toBeUndefined();
  expect(lineOf('ontrast')).toBeUndefined();
  expect(matchOf({ ...entry(english), inside: [`${'long '.repeat(9)}kitchen`] }, 'kitchen')).toBeUndefined();
  expect(matchOf({ ...entry(english), inside: ['It goes.'] }, 'goes')).toBeUndefined();
});
