import type { limitTexts as english } from '#words/en/limits.ts';
import type { Translation } from '#words/texts.ts';

export const limitTexts: Translation<typeof english> = {
  range: 'Von {least} bis {most}.',
  least: 'Mindestens {least}.',
  most: 'Höchstens {most}.',
  above: 'Mehr als {above}.',
  below: 'Weniger als {below}.',
  step: 'Ein Vielfaches von {step}.',
};
