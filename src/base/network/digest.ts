import { createHash } from 'node:crypto';
import type { Credentials } from './lan-ports.ts';

/** A peer asks for a login so (RFC 7616 §3.3), as far as the hub can answer it. */
export type DigestChallenge = {
  readonly realm: string;
  readonly nonce: string;
  /** As the peer wrote it, to be sent back. */
  readonly algorithm: string;
  readonly opaque: string | null;
  /** `false`: the peer knows only RFC 2069, without counter and nonce of the client. */
  readonly hasQop: boolean;
  /** The nonce is too old, and the password was right. */
  readonly isStale: boolean;
  /** The peer wants the hash of the name of the user, not the name. */
  readonly hashesUser: boolean;
};

type DigestCall = {
  readonly method: string;
  /** Path and query, as in the request. */
  readonly uri: string;
  /** Counts the answers to a nonce: eight hex digits in HTTP. */
  readonly nc: string;
  readonly cnonce: string;
};

/** The strongest first. */
const HASHES: Readonly<Record<string, string>> = { 'SHA-512-256': 'sha512-256', 'SHA-256': 'sha256', MD5: 'md5' };
const STRENGTHS = Object.keys(HASHES);
const SESSION = /-sess$/i;

/** Reads the value of `WWW-Authenticate`; returns the strongest challenge that can be answered. */
export function readDigestChallenge(header: string): DigestChallenge | undefined {
  const known = readChallenges(header).flatMap(({ scheme, fields }) => {
    const challenge = scheme === 'digest' ? challengeFrom(fields) : undefined;
    return challenge === undefined ? [] : [challenge];
  });
  const strength = ({ algorithm }: DigestChallenge): number => STRENGTHS.indexOf(nameOf(algorithm));
  return known.sort((left, right) => strength(left) - strength(right))[0];
}

/** The `response` of RFC 7616 §3.4.1. */
export function digestResponse(challenge: DigestChallenge, credentials: Credentials, call: DigestCall): string {
  const { realm, nonce, algorithm, hasQop } = challenge;
  const hash = hashOf(algorithm);
  const secret = hash(`${credentials.user}:${realm}:${credentials.password}`);
  const key = SESSION.test(algorithm) ? hash(`${secret}:${nonce}:${call.cnonce}`) : secret;
  const middle = hasQop ? `${nonce}:${call.nc}:${call.cnonce}:auth` : nonce;
  return hash(`${key}:${middle}:${hash(`${call.method}:${call.uri}`)}`);
}

/** The value of `Authorization`, as the characters that Node.js writes one byte each. */
export function digestAuthorization(challenge: DigestChallenge, credentials: Credentials, call: DigestCall): string {
  const { realm, nonce, algorithm, opaque, hasQop, hashesUser } = challenge;
  const parts = [
    userField(challenge, credentials.user),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(call.uri)}`,
    `algorithm=${algorithm}`,
    `response="${digestResponse(challenge, credentials, call)}"`,
    ...(hasQop ? ['qop=auth', `nc=${call.nc}`, `cnonce=${quoted(call.cnonce)}`] : []),
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hashesUser ? ['userhash=true'] : []),
  ];
  return Buffer.from(`Digest ${parts.join(', ')}`).toString('latin1');
}

function userField({ hashesUser, algorithm, realm }: DigestChallenge, user: string): string {
  if (hashesUser) return `username="${hashOf(algorithm)(`${user}:${realm}`)}"`;
  // Only ASCII is the same in each server's reading of a quoted string (RFC 7616 §3.4).
  return /^[\x20-\x7e]*$/.test(user) ? `username=${quoted(user)}` : `username*=UTF-8''${encodeURIComponent(user)}`;
}

function challengeFrom(fields: ReadonlyMap<string, string>): DigestChallenge | undefined {
  const nonce = fields.get('nonce');
  const algorithm = fields.get('algorithm') ?? 'MD5';
  const qop = fields
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/);
  if (nonce === undefined || !Object.hasOwn(HASHES, nameOf(algorithm))) return undefined;
  // `auth-int` alone would need the hash of each body.
  if (qop !== undefined && !qop.includes('auth')) return undefined;
  return {
    realm: fields.get('realm') ?? '',
    nonce,
    algorithm,
    opaque: fields.get('opaque') ?? null,
    hasQop: qop !== undefined,
    isStale: fields.get('stale')?.toLowerCase() === 'true',
    hashesUser: fields.get('userhash')?.toLowerCase() === 'true',
  };
}

type Challenge = { readonly scheme: string; readonly fields: ReadonlyMap<string, string> };

/** A word; with `=` and a value it belongs to the scheme before it, else it is a scheme (RFC 9110 §11.6.1). */
const PART = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+)))?/gs;

function readChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; fields: Map<string, string> }[] = [];
  // Node.js reads each byte as one character; those of UTF-8 count here.
  const text = Buffer.from(header, 'latin1').toString('utf8');
  for (const [, name = '', inQuotes, bare] of text.matchAll(PART)) {
    const value = inQuotes?.replaceAll(/\\(.)/gs, '$1') ?? bare;
    const fields = challenges.at(-1)?.fields;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), fields: new Map() });
    // The first of two fields of a name counts.
    else if (fields?.has(name.toLowerCase()) === false) fields.set(name.toLowerCase(), value);
  }
  return challenges;
}

function nameOf(algorithm: string): string {
  return algorithm.toUpperCase().replace(/-SESS$/, '');
}

function hashOf(algorithm: string): (text: string) => string {
  const name = HASHES[nameOf(algorithm)];
  if (name === undefined) throw new Error(`no hash for ${algorithm}`);
  return (text) => createHash(name).update(text).digest('hex');
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
