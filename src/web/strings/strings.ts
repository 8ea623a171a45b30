import { en } from './en.ts';

/** The words of the language that the page speaks. */
export const t = en;
