import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** HTTP calls this a content coding. */
export type ContentCoding = 'br' | 'gzip';

/** Above this size, compressing takes longer than a request may hold up others. */
const MAX_AT_ONCE = 256 * 1024;
/** The fastest of each: the list is compressed anew after each change. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

/** At once if it takes about a millisecond, else in a thread. */
export function compress(bytes: Uint8Array, coding: ContentCoding): Buffer | Promise<Buffer> {
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
