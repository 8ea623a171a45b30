/** Texts that some language takes for a number, and that no integration does. */
export const NO_NUMBERS: readonly string[] = [
  '12abc',
  '',
  ' ',
  '0x10',
  '0b1',
  'NaN',
  'Infinity',
  '-inf',
  '1e999',
  '١٢',
  '1,5',
  '1_000',
  'unknown',
];
