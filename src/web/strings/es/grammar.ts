import { createGrammar } from '#web/strings/language/grammar.ts';

export const { isOne, counted, listed, anyOf, lengthWords } = createGrammar('es');
