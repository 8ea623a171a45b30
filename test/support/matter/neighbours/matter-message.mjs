// Messages of Matter without a session (Matter Core 1.4, 4.4), as somebody who knows no code can make them.
import { randomBytes, randomInt } from 'node:crypto';

/** Of the secure channel. */
export const OPCODE = { ack: 0x10, request: 0x20, response: 0x21, pake1: 0x22, pake2: 0x23, pake3: 0x24, status: 0x40 };

const number = (size, value) => {
  const out = Buffer.alloc(size);
  out.writeUIntLE(value, 0, size);
  return out;
};

/** One side of an exchange, from a node of its own. */
export function createExchange() {
  const source = randomBytes(8);
  const id = randomInt(65_536);
  let counter = randomInt(2 ** 28);
  /** `acknowledged`: the number of the message that it answers. */
  return (opcode, payload, acknowledged) => {
    counter += 1;
    const flags = 1 + (opcode === OPCODE.ack ? 0 : 4) + (acknowledged === undefined ? 0 : 2);
    return Buffer.concat([
      Buffer.from([4, 0, 0, 0]),
      number(4, counter),
      source,
      Buffer.from([flags, opcode]),
      number(2, id),
      number(2, 0),
      ...(acknowledged === undefined ? [] : [number(4, acknowledged)]),
      payload,
    ]);
  };
}

/** What a message without a session says of itself. */
export function readMessage(data) {
  const ends = 8 + ((data[0] ?? 0) & 4 ? 8 : 0) + [0, 8, 2, 0][(data[0] ?? 0) & 3];
  return { counter: data.readUInt32LE(4), opcode: data[ends + 1] };
}

/** A structure with these bytes under the number 1. */
export function structureOf(bytes, rest = []) {
  return Buffer.concat([Buffer.from([0x15, 0x30, 1, bytes.length]), bytes, Buffer.from([...rest, 0x18])]);
}

/** Asks for a session by a code. */
export function codeRequest() {
  const session = randomInt(1, 65_536);
  return structureOf(randomBytes(32), [0x25, 2, session & 255, session >> 8, 0x24, 3, 0, 0x28, 4]);
}
