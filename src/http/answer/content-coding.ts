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
  const accepted = new Set(field.split(',').map(acceptedName));
  return CODINGS.find((one) => isThere(one) && accepted.has(one));
}

/** The coding that a part of the field accepts; `undefined` for one with the weight 0. */
function acceptedName(part: string): string | undefined {
  const end = part.indexOf(';');
  if (end === -1) return part.trim().toLowerCase();
  const isRefused = part
    .slice(end + 1)
    .split(';')
    .some((parameter) => /^q=0(\.0*)?$/.test(parameter.trim().toLowerCase()));
  return isRefused ? undefined : part.slice(0, end).trim().toLowerCase();
}
