import * as zlib from 'node:zlib';

type Decode = (bytes: Buffer) => Buffer;
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes),
  'x-gzip': (bytes) => zlib.gunzipSync(bytes),
  deflate: (bytes) => zlib.inflateSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  // Newer versions of Node have it.
  ...('zstdDecompressSync' in zlib ? { zstd: zlib.zstdDecompressSync as Decode } : {}),
};

export type Decoded = { readonly body: string; readonly garbled: string | undefined };

const namesIn = (field: string): readonly string[] =>
  field
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');

/** The text of a body that was coded as the field Content-Encoding says; `garbled` says why it cannot be read. */
export function decodeBody(bytes: Buffer, contentEncoding: string | null): Decoded {
  let plain = bytes;
  for (const name of namesIn(contentEncoding ?? '').toReversed()) {
    const decode = DECODERS[name];
    if (decode === undefined) return { body: '', garbled: `the coding ${name} is unknown` };
    try {
      plain = decode(plain);
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause) return { body: '', garbled: `the body is not ${name}` };
      throw cause;
    }
  }
  return { body: plain.toString(), garbled: undefined };
}

/**
 * The codings of an answer that the field Accept-Encoding of its request does not accept. By RFC 9110 section 12.5.3, but
 * a request without the field accepts none: many small clients cannot decode.
 */
export function codingsRefused(contentEncoding: string | null, acceptEncoding: string | undefined): readonly string[] {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return [name, Number(weight)];
    }),
  );
  return namesIn(contentEncoding ?? '').filter((name) => !((weights.get(name) ?? weights.get('*') ?? 0) > 0));
}
