import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '#base/json.ts';
import type { Challenge } from './rpc-message.ts';

/** The only user that a device has. */
export const USER = 'admin';
/** Frames have no method and path, so the devices take these in their place. */
const PLACE = 'dummy_method:dummy_uri';

/** Proves the password without sending it (RFC 7616 §3.4.1). The next proof for a challenge needs the next `count`. */
export function proofOf(password: string, { realm, nonce }: Challenge, count: number): JsonObject {
  const own = randomBytes(8).toString('hex');
  const secret = sha256(`${USER}:${realm}:${password}`);
  const response = sha256([secret, nonce, count, own, 'auth', sha256(PLACE)].join(':'));
  return { realm, username: USER, nonce, cnonce: own, nc: count, response, algorithm: 'SHA-256' };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
