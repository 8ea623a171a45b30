import type { limitTexts as english } from '#words/en/limits.ts';
import type { Translation } from '#words/texts.ts';

export const limitTexts: Translation<typeof english> = {
  range: 'De {least} a {most}.',
  least: 'Como mínimo {least}.',
  most: 'Como máximo {most}.',
  above: 'Más de {above}.',
  below: 'Menos de {below}.',
  step: 'Un múltiplo de {step}.',
};
