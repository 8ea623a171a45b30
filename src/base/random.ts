import { randomBytes } from 'node:crypto';

/** Source of unpredictable bytes; a parameter so that tests can repeat a run. */
export type Random = (byteCount: number) => Buffer;

export const systemRandom: Random = (byteCount) => randomBytes(byteCount);

/** Numbers from 0 up to, but not including, 1, made of the source's bytes. */
export function createRandomFractions(random: Random): () => number {
  return () => random(4).readUInt32BE() / 2 ** 32;
}
