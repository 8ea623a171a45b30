import type { ContentCoding } from '#base/content/compress.ts';

/** The one with the smallest result first. */
const CODINGS = ['br', 'gzip'] as const satisfies readonly ContentCoding[];

/**
 * The coding to send, by the field Accept-Encoding; `undefined` for the plain form. RFC 9110 section 12.5.3 without the
 * wildcard: the client has to name the coding.
 */
export function chooseCoding(
  field: string | undefined,
  isThere: (coding: ContentCoding) => boolean = () => true,
): ContentCoding | undefined {
  if (field === undefined) return undefined;
  return CODINGS.find((one) => isThere(one) && isAccepted(field, one));
}

function isAccepted(field: string, coding: string): boolean {
  return field.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}
