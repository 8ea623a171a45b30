const MAX_WORD = 60;

/** A text as lower snake_case; `targetValue` has two words. */
export function snakeOf(text: string, maxLength = MAX_WORD): string {
  return text
    .slice(0, maxLength * 2)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, maxLength)
    .replaceAll(/^_+|_+$/g, '');
}
