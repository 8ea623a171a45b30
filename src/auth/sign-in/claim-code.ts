import { timingSafeEqual } from 'node:crypto';
import type { Random } from '#base/random.ts';

/** 40 bits in Crockford's base32, eight characters without the hyphen. */
export type ClaimCode = string;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const CODE = /^[0-9A-HJKMNP-TV-Z]{8}$/;

export function createClaimCode(random: Random): ClaimCode {
  // 32 divides 256: every character is as likely as every other.
  return Array.from(random(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** As people read it: `XXXX-XXXX`. */
export function showClaimCode(code: ClaimCode): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Takes what people make of it: any case, hyphens and blanks anywhere, I and L for 1, O for 0. */
export function readClaimCode(text: string): ClaimCode | undefined {
  const code = text.replaceAll(/[-\s]/g, '').toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return CODE.test(code) ? code : undefined;
}

/** Takes the same time whichever characters differ. */
export function isSameClaimCode(left: ClaimCode, right: ClaimCode): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
