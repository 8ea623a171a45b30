import { createGrammar } from '#web/strings/language/grammar.ts';

export const { isOne, counted, listed, anyOf, titled, lengthWords } = createGrammar('en');
