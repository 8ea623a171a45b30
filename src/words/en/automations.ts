/** Why an automation does not run as it should, by the code of the reason. */
export const automationTexts = {
  BROKEN: 'Something that it names is gone.',
  LOCATION_NOT_SET: 'It needs the location of the home, to know the sun.',
  NO_FIT: 'Something that it names is of another kind now, so a part of it does nothing.',
  RIGHTS_MISSING: 'Who signed it lacks a right: somebody with the rights has to sign it.',
  TRIPPED: 'It did too much in a short time, so it is stopped for a while.',
  SIGNER_GONE: 'Who signed it is gone: somebody with the rights has to sign it.',
} as const;
