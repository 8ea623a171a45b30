import { expectBelow, readMemory } from '#test/support/machine/bounds.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { findExcess, text } from '#test/support/attack/costly-input.ts';
import { array, assert, constantFrom, integer, oneof, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BrokerFault, createPacketFrames } from '#integrations/mqtt/packet-frames.ts';

const MIB = 1024 * 1024;

/** A packet with this first byte and so many bytes after its length. */
function packetOf(first: number, size: number): Buffer {
  const head = [first];
  let rest = size;
  do {
    head.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.concat([Buffer.from(head), Buffer.alloc(size, first + size)]);
}

function framesOf(chunks: readonly Buffer[]): Buffer[] {
  const frames = createPacketFrames();
  const found: Buffer[] = [];
  for (const chunk of chunks) {
    frames.take(chunk);
    for (let packet = frames.next(); packet !== undefined; packet = frames.next()) found.push(packet);
  }
  return found;
}

const packets = array(
  oneof(
    constantFrom(packetOf(0x20, 2), packetOf(0x40, 2), packetOf(0x90, 3), packetOf(0xb0, 2), packetOf(0xd0, 0)),
    record({ first: constantFrom(0x30, 0x31), size: integer({ min: 0, max: 40_000 }) }).map(({ first, size }) =>
      packetOf(first, size),
    ),
  ),
  { minLength: 1, maxLength: 12 },
);

test('the packets are the same, wherever the network cuts the bytes', () => {
  assert(
    property(packets, array(integer({ min: 1, max: 20_000 }), { minLength: 1 }), (sent, sizes) => {
      const bytes = Buffer.concat(sent);
      const chunks: Buffer[] = [];
      for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        chunks.push(bytes.subarray(start, start + size));
        start += size;
      }
      const found = framesOf(chunks);
      expect(found.map((packet) => packet.length)).toEqual(sent.map((packet) => packet.length));
      expect(Buffer.concat(found).equals(bytes)).toBe(true);
    }),
    searchOf(2_000),
  );
});

test('a packet that arrives byte by byte costs no more memory than its size', () => {
  const packet = packetOf(0x30, MIB / 4);
  const before = readMemory().outside;
  const found = framesOf(Array.from(packet, (_, index) => packet.subarray(index, index + 1)));
  expect(found).toHaveLength(1);
  expectBelow('buffers, MiB', (readMemory().outside - before) / MIB, 4);
});

test.each([1, 7, 65_536])('each byte of the worst input costs the same, in pieces of %i bytes', async (pieceBytes) => {
  const parse = (bytes: Buffer): unknown => {
    const count = Math.ceil(bytes.length / pieceBytes);
    return framesOf(Array.from({ length: count }, (_, at) => bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)));
  };
  const search = {
    pieces: [
      ...[packetOf(0xd0, 0), packetOf(0x40, 2), packetOf(0x30, 0), packetOf(0x30, 300), packetOf(0x90, 102)].map(
        (packet) => () => packet,
      ),
      text('0'),
      // A head that announces all remaining bytes.
      ({ left }: { readonly left: number }) => packetOf(0x30, Math.max(0, left - 5)),
    ],
    size: 400,
    climbs: 15,
  };
  expect(await findExcess({ parse, ...search, stepsPerByte: 2_500 })).toEqual([]);
});

describe('a packet that a broker must not send is refused by its head, before any of it is buffered', () => {
  test.each([
    ['a message of QoS 1', [0x32], 'WRONG_QOS'],
    ['a message of QoS 2', [0x34], 'WRONG_QOS'],
    ['a message of QoS 3', [0x36], 'WRONG_QOS'],
    ['a message of QoS 0 as a duplicate', [0x38], 'WRONG_QOS'],
    ['a message of 34 MiB', [0x30, 0x80, 0x80, 0x80, 0x11], 'NOT_MQTT'],
    ['a length of five bytes', [0x30, 0x80, 0x80, 0x80, 0x80], 'NOT_MQTT'],
    ['an acknowledgement of a connection with more behind it', [0x20, 3], 'NOT_MQTT'],
    ['a long acknowledgement of subscriptions', [0x90, 0xff, 0x01], 'NOT_MQTT'],
    ['an answer to a ping with a body', [0xd0, 1], 'NOT_MQTT'],
    ['a connection request', [0x10], 'NOT_MQTT'],
    ['a packet of QoS 2, of which there is none', [0x62], 'NOT_MQTT'],
    ['the end of HTTP', [...Buffer.from('HTTP/1.1')], 'NOT_MQTT'],
  ])('%s', (_what, bytes, code) => {
    const good = packetOf(0xd0, 0);
    const frames = createPacketFrames();
    frames.take(Buffer.concat([good, Buffer.from(bytes)]));
    expect(frames.next()).toEqual(good);
    expect(() => frames.next()).toThrow(new BrokerFault(code as BrokerFault['code']));
  });

  test('a message of 33 MiB is accepted', () => {
    const packet = packetOf(0x31, 33 * MIB);
    expect(framesOf([packet])[0]?.length).toBe(packet.length);
  });
});
