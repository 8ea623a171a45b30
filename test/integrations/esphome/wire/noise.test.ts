import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startHandshake } from '#integrations/esphome/wire/noise.ts';

type Vector = {
  readonly psk: string;
  readonly prologue: string;
  readonly initiator_ephemeral: string;
  readonly first: string;
  readonly answer: string;
  readonly sent: readonly { readonly text: string; readonly sealed: string }[];
  readonly received: readonly { readonly text: string; readonly sealed: string }[];
};

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
/** What stands before a raw X25519 private key in its DER form (RFC 8410). */
const PRIVATE_HEAD = '302e020100300506032b656e04220420';

/** Made with the Python package `noiseprotocol`, which knows nothing of ours. */
const VECTORS = JSON.parse(
  readFileSync(new URL('../../../fixtures/esphome/noise.json', import.meta.url), 'utf8'),
) as readonly Vector[];

function begin(vector: Vector) {
  return startHandshake({
    key: hex(vector.psk),
    prologue: hex(vector.prologue),
    ephemeral: createPrivateKey({
      key: hex(PRIVATE_HEAD + vector.initiator_ephemeral),
      format: 'der',
      type: 'pkcs8',
    }),
  });
}

describe.each(VECTORS)('with the prologue $prologue', (vector) => {
  test('the handshake and the messages are those of another implementation', () => {
    const { first, finish } = begin(vector);
    expect(first.toString('hex')).toBe(vector.first);
    const ciphers = finish(hex(vector.answer));
    for (const { text, sealed } of vector.sent) expect(ciphers?.sender.seal(hex(text)).toString('hex')).toBe(sealed);
    for (const { text, sealed } of vector.received) {
      expect(ciphers?.receiver.open(hex(sealed))?.toString('hex')).toBe(text);
    }
  });

  test('an answer with one other bit proves nothing', () => {
    for (let bit = 0; bit < vector.answer.length * 4; bit += 5) {
      const answer = hex(vector.answer);
      answer[bit >> 3] = (answer[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // X25519 ignores the highest bit of a point, which is hashed all the same.
      expect([bit, begin(vector).finish(answer)]).toEqual([bit, undefined]);
    }
    expect(begin(vector).finish(hex(vector.answer).subarray(1))).toBeUndefined();
    expect(begin(vector).finish(Buffer.alloc(48))).toBeUndefined();
  });

  test('a message that was cut, changed or repeated is refused', () => {
    const [message] = vector.received;
    const sealed = hex(message?.sealed ?? '');
    const open = () => begin(vector).finish(hex(vector.answer))?.receiver;
    expect(open()?.open(sealed.subarray(0, -1))).toBeUndefined();
    expect(open()?.open(Buffer.alloc(3))).toBeUndefined();
    const receiver = open();
    expect(receiver?.open(sealed)).toBeDefined();
    expect(receiver?.open(sealed)).toBeUndefined();
  });
});
