import type { Random } from './random.ts';

/** The random bytes of some fifty ids. */
const POOL_BYTES = 1_024;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for the lower-case text form of any UUID version (RFC 9562 §4). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Makes version 7 UUIDs (RFC 9562 §5.7) that sort in the order of making, also when the wall clock goes back:
 * the timestamp never decreases and a 12-bit counter orders ids of one millisecond (§6.2, method 1).
 */
export function createUuidSource(wallMs: () => number, random: Random): () => string {
  const take = createRandomPool(random);
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = Math.floor(wallMs());
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = take(2).readUInt16BE() & 0x7ff;
    } else {
      counter += 1;
      if (counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
    }
    const bytes = take(16);
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}

/** Bytes of the source, drawn for many ids at once: asking the kernel for each takes longer than making the id. */
function createRandomPool(random: Random): (byteCount: number) => Buffer {
  let pool: Buffer = Buffer.alloc(0);
  return (byteCount) => {
    if (pool.length < byteCount) pool = random(POOL_BYTES);
    const bytes = pool.subarray(0, byteCount);
    pool = pool.subarray(byteCount);
    return bytes;
  };
}
