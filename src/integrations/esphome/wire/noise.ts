import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/*
 * Noise_NNpsk0_25519_ChaChaPoly_SHA256 (noiseprotocol.org, revision 34) on the side that begins. Both sides prove that
 * they have the key, without saying it. Each connection has new keys of its own.
 */

const PROTOCOL = Buffer.from('Noise_NNpsk0_25519_ChaChaPoly_SHA256');
const TAG_BYTES = 16;
const PUBLIC_BYTES = 32;
/** These bytes stand before a raw X25519 public key in its DER form (RFC 8410). */
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex');
const EMPTY = Buffer.alloc(0);

/** Seals messages one way or opens those of the other; each has its number, so none can be repeated or left out. */
export type Cipher = ReturnType<typeof createCipher>;

type HandshakeOptions = {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** What both sides have said before. */
  readonly prologue: Uint8Array;
  /** X25519; a new one for each connection. */
  readonly ephemeral?: KeyObject;
};

export function startHandshake({ key, prologue, ephemeral = newEphemeral() }: HandshakeOptions) {
  // The name is longer than a hash, so its hash begins both (§5.2).
  let hash = sha256(PROTOCOL);
  let chain = hash;
  const mix = (data: Uint8Array): void => void (hash = sha256(hash, data));
  mix(prologue);
  const [chainOfKey, hashOfKey] = derive(chain, key, 3);
  chain = chainOfKey;
  mix(hashOfKey);
  const own = publicBytes(ephemeral);
  mix(own);
  const [chainOfOwn, keyOfOwn] = derive(chain, own, 2);
  chain = chainOfOwn;
  const proof = sealWith({ key: keyOfOwn, counter: 0, about: hash }, EMPTY);
  mix(proof);
  return {
    /** The first message. */
    first: Buffer.concat([own, proof]),
    /** From the answer to it, how to speak from now on; `undefined` if the peer does not prove that it has the key. */
    finish: (answer: Uint8Array): { readonly sender: Cipher; readonly receiver: Cipher } | undefined => {
      if (answer.length < PUBLIC_BYTES + TAG_BYTES) return undefined;
      const other = answer.subarray(0, PUBLIC_BYTES);
      const shared = agree(ephemeral, other);
      if (shared === undefined) return undefined;
      mix(other);
      const [chainOfOther] = derive(chain, other, 2);
      const [chainOfBoth, keyOfBoth] = derive(chainOfOther, shared, 2);
      if (openWith({ key: keyOfBoth, counter: 0, about: hash }, answer.subarray(PUBLIC_BYTES)) === undefined) {
        return undefined;
      }
      const [sending, receiving] = derive(chainOfBoth, EMPTY, 2);
      return { sender: createCipher(sending), receiver: createCipher(receiving) };
    },
  };
}

export function createCipher(key: Uint8Array) {
  let counter = 0;
  return {
    seal: (text: Uint8Array): Buffer => sealWith({ key, counter: counter++, about: EMPTY }, text),
    /** `undefined` if the peer did not seal it, or not as the next one. */
    open: (sealed: Uint8Array): Buffer | undefined => openWith({ key, counter: counter++, about: EMPTY }, sealed),
  };
}

function newEphemeral(): KeyObject {
  return generateKeyPairSync('x25519').privateKey;
}

/** `undefined` for a point that gives the same secret with every key (RFC 7748 §6.1). */
function agree(privateKey: KeyObject, other: Uint8Array): Buffer | undefined {
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, other]), format: 'der', type: 'spki' });
    return diffieHellman({ privateKey, publicKey });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return undefined;
    throw cause;
  }
}

function publicBytes(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-PUBLIC_BYTES);
}

type Sealing = { readonly key: Uint8Array; readonly counter: number; readonly about: Uint8Array };

function sealWith({ key, counter, about }: Sealing, text: Uint8Array): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonceOf(counter), { authTagLength: TAG_BYTES });
  cipher.setAAD(about, { plaintextLength: text.length });
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function openWith({ key, counter, about }: Sealing, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv('chacha20-poly1305', key, nonceOf(counter), { authTagLength: TAG_BYTES });
  decipher.setAAD(about, { plaintextLength: sealed.length - TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch (cause) {
    // Node has no other way to say that the tag is wrong.
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}

function nonceOf(counter: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64LE(BigInt(counter), 4);
  return nonce;
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** HKDF as Noise uses it (§4.3): two or three keys. */
function derive(chain: Uint8Array, material: Uint8Array, count: 2 | 3): readonly [Buffer, Buffer, Buffer] {
  const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer =>
    createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  const secret = hmac(chain, material);
  const first = hmac(secret, Uint8Array.of(1));
  const second = hmac(secret, first, Uint8Array.of(2));
  return [first, second, count === 3 ? hmac(secret, second, Uint8Array.of(3)) : EMPTY];
}
