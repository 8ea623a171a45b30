import { randomBytes } from 'node:crypto';

/** Source of unpredictable bytes; a parameter so that tests can repeat a run. */
export type Random = (byteCount: number) => Buffer;

export const systemRandom: Random = (byteCount) => randomBytes(byteCount);
