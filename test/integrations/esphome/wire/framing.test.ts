import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createByteQueue, createNoiseFraming, createPlainFraming } from '#integrations/esphome/wire/framing.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import { varint } from '#integrations/esphome/wire/protobuf.ts';
import { answerHandshake } from '#test/support/esphome/noise-responder.ts';
import { searchOf } from '#test/support/machine/runs.ts';

type Taken = readonly [type: number, body: string];

function openPlain() {
  const taken: Taken[] = [];
  const written: Buffer[] = [];
  const framing = createPlainFraming({
    write: (bytes) => void written.push(Buffer.from(bytes)),
    onReady: () => undefined,
    onMessage: (type, body) => void taken.push([type, Buffer.from(body).toString('hex')]),
  });
  return { framing, taken, written };
}

function openSealed(key = randomBytes(32)) {
  const taken: Taken[] = [];
  const hellos: unknown[] = [];
  let written = Buffer.alloc(0);
  let isReady = false;
  const framing = createNoiseFraming({
    key,
    write: (bytes) => void (written = Buffer.concat([written, bytes])),
    onReady: () => void (isReady = true),
    onHello: (hello) => void hellos.push(hello),
    onMessage: (type, body) => void taken.push([type, Buffer.from(body).toString('hex')]),
  });
  framing.begin();
  // An empty hello, then `00` and the first message of the handshake.
  expect(written.subarray(0, 7).toString('hex')).toBe('01000001003100');
  const peer = answerHandshake(key, written.subarray(7));
  if (peer === undefined) throw new Error('the handshake is none');
  return { framing, taken, hellos, peer, isReady: () => isReady };
}

const plain = (type: number, body: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(0), varint(body.length), varint(type), body]);
const frame = (...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(1, body.length >> 8, body.length & 255), body]);
};
const inner = (type: number, body: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(type >> 8, type & 255, body.length >> 8, body.length & 255), body]);
const HELLO = frame(Buffer.from('\u0001kettle\x0098:35:69:AB:00:01\0'));

function codeOf(task: () => void): string | undefined {
  try {
    task();
    return undefined;
  } catch (cause) {
    if (cause instanceof PeerFault) return cause.code;
    throw cause;
  }
}

const messages = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.uint8Array({ maxLength: 300 })), {
  maxLength: 6,
});
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

function* pieces(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('in clear', () => {
  test('messages arrive whole and in order, however they are cut', () => {
    fc.assert(
      fc.property(messages, cuts, (sent, sizes) => {
        const { framing, taken } = openPlain();
        const bytes = Buffer.concat(sent.map(([type, body]) => plain(type, body)));
        for (const piece of pieces(bytes, sizes)) framing.take(piece);
        expect(taken).toEqual(sent.map(([type, body]) => [type, Buffer.from(body).toString('hex')]));
      }),
      searchOf(2_000),
    );
  });

  test('what the hub sends is what it would read', () => {
    const { framing, taken, written } = openPlain();
    framing.send(33, Uint8Array.of(1, 2, 3));
    framing.take(Buffer.concat(written));
    expect(taken).toEqual([[33, '010203']]);
  });

  test.each([
    ['an encrypted node', '010000', 'KEY_NEEDED'],
    ['a web server', Buffer.from('HTTP/1.1 400').toString('hex'), 'BAD_ANSWER'],
    ['a message longer than any', '00ffffff0f01', 'BAD_ANSWER'],
    ['a message of a type that does not exist', '0000ffffff0f', 'BAD_ANSWER'],
    ['a length without end', `00${'ff'.repeat(8)}`, 'BAD_ANSWER'],
  ])('%s is refused', (_what, bytes, code) => {
    expect(codeOf(() => openPlain().framing.take(Buffer.from(bytes, 'hex')))).toBe(code);
  });

  test('any bytes are messages, not enough, or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect([undefined, 'KEY_NEEDED', 'BAD_ANSWER']).toContain(codeOf(() => openPlain().framing.take(bytes)));
      }),
      searchOf(5_000),
    );
  });
});

describe('sealed', () => {
  test('messages arrive whole and in order, however they are cut', () => {
    fc.assert(
      fc.property(messages, cuts, (sent, sizes) => {
        const { framing, taken, hellos, peer, isReady } = openSealed();
        const sealed = sent.map(([type, body]) => frame(peer.sender.seal(inner(type, body))));
        const bytes = Buffer.concat([HELLO, frame(Uint8Array.of(0), peer.answer), ...sealed]);
        for (const piece of pieces(bytes, sizes)) framing.take(piece);
        expect(hellos).toEqual([{ name: 'kettle', mac: '983569ab0001' }]);
        expect(isReady()).toBe(true);
        expect(taken).toEqual(sent.map(([type, body]) => [type, Buffer.from(body).toString('hex')]));
      }),
      searchOf(500),
    );
  });

  test('a peer with another key is refused as such, and what is no node as that', () => {
    const refusal = frame(Uint8Array.of(1), Buffer.from('Handshake MAC failure'));
    expect(codeOf(() => openSealed().framing.take(Buffer.concat([HELLO, refusal])))).toBe('KEY_REFUSED');
    const pretended = frame(Uint8Array.of(0), randomBytes(48));
    expect(codeOf(() => openSealed().framing.take(Buffer.concat([HELLO, pretended])))).toBe('KEY_REFUSED');
    expect(codeOf(() => openSealed().framing.take(Uint8Array.of(0)))).toBe('NOT_ENCRYPTED');
    expect(codeOf(() => openSealed().framing.take(Buffer.from('HTTP/1.1 400')))).toBe('BAD_ANSWER');
    expect(codeOf(() => openSealed().framing.take(frame(Uint8Array.of(9))))).toBe('BAD_ANSWER');
  });

  test('a message that nobody sealed, or with a false length inside, ends the connection', () => {
    const open = () => {
      const world = openSealed();
      world.framing.take(Buffer.concat([HELLO, frame(Uint8Array.of(0), world.peer.answer)]));
      return world;
    };
    expect(codeOf(() => open().framing.take(frame(randomBytes(40))))).toBe('BAD_ANSWER');
    expect(codeOf(() => open().framing.take(Uint8Array.of(0, 0, 7)))).toBe('BAD_ANSWER');
    const { framing, peer } = open();
    const tooLong = Buffer.concat([Uint8Array.of(0, 7, 0, 9), Buffer.alloc(8)]);
    expect(codeOf(() => framing.take(frame(peer.sender.seal(tooLong))))).toBe('BAD_ANSWER');
  });

  test('any bytes are messages, not enough, or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, hasHello) => {
        const { framing } = openSealed();
        if (hasHello) framing.take(HELLO);
        const code = codeOf(() => framing.take(bytes));
        expect([undefined, 'KEY_REFUSED', 'NOT_ENCRYPTED', 'BAD_ANSWER']).toContain(code);
      }),
      searchOf(2_000),
    );
  });
});

test('a queue gives back what was put in, and keeps no room for what is gone', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.uint8Array({ maxLength: 2_000 }), fc.nat(2_500)), { maxLength: 40 }), (turns) => {
      const queue = createByteQueue();
      let expected = Buffer.alloc(0);
      for (const [bytes, drop] of turns) {
        queue.push(bytes);
        expected = Buffer.concat([expected, bytes]);
        expect(Buffer.compare(queue.view(), expected)).toBe(0);
        queue.drop(drop);
        expected = expected.subarray(drop);
      }
    }),
    searchOf(1_000),
  );
  const queue = createByteQueue();
  queue.push(new Uint8Array(1_000_000));
  expect(queue.view().buffer.byteLength).toBeLessThanOrEqual(2_000_000);
  queue.drop(1_000_000);
  queue.push(Uint8Array.of(1));
  expect(queue.view().buffer.byteLength).toBeLessThan(1_000);
});
