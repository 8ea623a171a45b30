import { createHash } from 'node:crypto';

/** The strong tag of exactly this content with its quotes (RFC 9110 section 8.8.3): 132 bits of its SHA-256. */
export function contentTag(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}
