import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '#base/random.ts';
import type { UserId } from '#core/person/user.ts';
import type { Session, SessionId } from './session.ts';

/**
 * A decoded refresh token: its session, its generation, 256 secret bits, and a tag that only the hub can compute. The
 * database holds only its SHA-256.
 */
export type RefreshToken = {
  readonly sessionId: SessionId;
  readonly generation: number;
  /** The token as the client stores it. */
  readonly text: string;
};

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

const SESSION_BYTES = 16;
const GENERATION_END = SESSION_BYTES + 4;
const SECRET_END = GENERATION_END + 32;
const TAG_BYTES = 16;
const TOKEN_BYTES = SECRET_END + TAG_BYTES;

/**
 * `key` is stored outside the database and its backups, so a copy of these does not suffice to compute successor or
 * tag.
 */
export function createRefreshTokens(key: Buffer, random: Random) {
  const hmac = (purpose: string, ...parts: readonly (string | Uint8Array)[]): Buffer => {
    const mac = createHmac('sha256', key).update(`hearthd refresh token ${purpose}\n`);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  const tagOf = (body: Uint8Array, userId: UserId): Buffer => hmac('tag', userId, body).subarray(0, TAG_BYTES);

  const assemble = (
    head: { sessionId: SessionId; generation: number },
    secret: Buffer,
    userId: UserId,
  ): RefreshToken => {
    const body = Buffer.concat([encodeHead(head), secret]);
    return { ...head, text: Buffer.concat([body, tagOf(body, userId)]).toString('base64url') };
  };

  return {
    /** The token of a new session. */
    first: (owner: Pick<Session, 'id' | 'userId'>): RefreshToken =>
      assemble({ sessionId: owner.id, generation: 0 }, random(32), owner.userId),
    /** The next generation. It is derived, so the hub can repeat a lost answer without storing the secret. */
    successorOf: (token: RefreshToken, userId: UserId): RefreshToken => {
      const head = { sessionId: token.sessionId, generation: token.generation + 1 };
      return assemble(head, hmac('successor', encodeHead(head), token.text), userId);
    },
    /** This hub issued the token to this user at some time. It need not be valid any more. */
    isGenuine: (token: RefreshToken, userId: UserId): boolean => {
      const bytes = Buffer.from(token.text, 'base64url');
      return timingSafeEqual(bytes.subarray(SECRET_END), tagOf(bytes.subarray(0, SECRET_END), userId));
    },
  };
}

/** `undefined` for a text that no hub can have issued, including other base64url texts of the same bytes. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== text) return undefined;
  const hex = bytes.toString('hex', 0, SESSION_BYTES);
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return { sessionId: uuid as SessionId, generation: bytes.readUInt32BE(SESSION_BYTES), text };
}

/** Makes the hash that the database stores of a token: enough to recognise it, useless to a thief. */
export function hashRefreshToken(token: RefreshToken): Buffer {
  return createHash('sha256').update(token.text).digest();
}

export function isTokenOfHash(token: RefreshToken, hash: Uint8Array): boolean {
  return hash.length === 32 && timingSafeEqual(hashRefreshToken(token), hash);
}

function encodeHead(head: { sessionId: SessionId; generation: number }): Buffer {
  const bytes = Buffer.alloc(GENERATION_END);
  bytes.write(head.sessionId.replaceAll('-', ''), 'hex');
  bytes.writeUInt32BE(head.generation, SESSION_BYTES);
  return bytes;
}
