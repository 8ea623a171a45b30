import { createHash, createHmac, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { type Cipher, createCipher } from '#integrations/esphome/wire/noise.ts';
import { createCipheriv, createDecipheriv } from 'node:crypto';

const HEAD = Buffer.from('302a300506032b656e032100', 'hex');
const sha = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();

function hkdf(chain: Buffer, material: Uint8Array): readonly [Buffer, Buffer, Buffer] {
  const secret = hmac(chain, material);
  const one = hmac(secret, Uint8Array.of(1));
  const two = hmac(secret, one, Uint8Array.of(2));
  return [one, two, hmac(secret, two, Uint8Array.of(3))];
}

/** The node's side of Noise_NNpsk0: its answer and ciphers; `undefined` if the other side has another key. */
export function answerHandshake(
  key: Uint8Array,
  first: Uint8Array,
): { readonly answer: Buffer; readonly sender: Cipher; readonly receiver: Cipher } | undefined {
  let hash = sha(Buffer.from('Noise_NNpsk0_25519_ChaChaPoly_SHA256'));
  let chain = hash;
  hash = sha(hash, Buffer.from('NoiseAPIInit\0\0'));
  const [chainOfKey, mixed] = hkdf(chain, key);
  hash = sha(hash, mixed);
  const theirs = first.subarray(0, 32);
  hash = sha(hash, theirs);
  const [chainOfTheirs, keyOfTheirs] = hkdf(chainOfKey, theirs);
  const proof = first.subarray(32);
  const decipher = createDecipheriv('chacha20-poly1305', keyOfTheirs, Buffer.alloc(12), { authTagLength: 16 });
  decipher.setAAD(hash, { plaintextLength: 0 });
  decipher.setAuthTag(proof.subarray(-16));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  hash = sha(hash, proof);
  const own = generateKeyPairSync('x25519');
  const ownBytes = own.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  hash = sha(hash, ownBytes);
  [chain] = hkdf(chainOfTheirs, ownBytes);
  const publicKey = createPublicKey({ key: Buffer.concat([HEAD, theirs]), format: 'der', type: 'spki' });
  const [chainOfBoth, keyOfBoth] = hkdf(chain, diffieHellman({ privateKey: own.privateKey, publicKey }));
  const cipher = createCipheriv('chacha20-poly1305', keyOfBoth, Buffer.alloc(12), { authTagLength: 16 });
  cipher.setAAD(hash, { plaintextLength: 0 });
  const seal = Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  const [toNode, toHub] = hkdf(chainOfBoth, Buffer.alloc(0));
  return { answer: Buffer.concat([ownBytes, seal]), sender: createCipher(toHub), receiver: createCipher(toNode) };
}
