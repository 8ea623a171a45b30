import type { limitTexts as english } from '#words/en/limits.ts';
import type { Translation } from '#words/texts.ts';

export const limitTexts: Translation<typeof english> = {
  range: 'De {least} à {most}.',
  least: 'Au moins {least}.',
  most: 'Au plus {most}.',
  above: 'Plus de {above}.',
  below: 'Moins de {below}.',
  step: 'Un multiple de {step}.',
};
