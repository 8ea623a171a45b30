import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** The one with the smallest result first. */
const CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** Above this size, compressing takes longer than a request may hold up others. */
const MAX_AT_ONCE = 256 * 1024;
/** The fastest of each: the list is compressed anew after each change. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

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

/** At once if it takes about a millisecond, else in a thread. */
export function compress(bytes: Buffer, coding: ContentCoding): Buffer | Promise<Buffer> {
  if (bytes.length <= MAX_AT_ONCE) return coding === 'br' ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes, GZIP);
  return new Promise((resolve, reject) => {
    const done = (cause: Error | null, compressed: Buffer): void => {
      if (cause === null) resolve(compressed);
      else reject(cause);
    };
    if (coding === 'br') brotliCompress(bytes, BROTLI, done);
    else gzip(bytes, GZIP, done);
  });
}
