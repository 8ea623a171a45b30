import type { Random } from '#base/random.ts';

const ID_BYTES = 12;
const DRAWN_AT_ONCE = 256;

/**
 * Ids of 96 random bits in 16 letters. Asking the kernel for each was half of what the hub adds to a request, so the
 * bytes of many are drawn at once.
 */
export function createRequestIds(random: Random): () => string {
  let drawn: Buffer = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === drawn.length) {
      drawn = random(ID_BYTES * DRAWN_AT_ONCE);
      used = 0;
    }
    used += ID_BYTES;
    return drawn.toString('base64url', used - ID_BYTES, used);
  };
}
