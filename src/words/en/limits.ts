/** A limit that somebody did not keep, after the words for what is wrong. */
export const limitTexts = {
  range: 'From {least} to {most}.',
  least: 'At least {least}.',
  most: 'At most {most}.',
  above: 'More than {above}.',
  below: 'Less than {below}.',
  step: 'A multiple of {step}.',
} as const;
