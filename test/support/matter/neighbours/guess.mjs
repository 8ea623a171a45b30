// Tries wrong codes at a Matter node until it takes none any more, at most COUNT: guess.mjs ADDRESS PORT COUNT [PACE_MS].
// Prints how many got as far as their last message, to which the node said no, and how many got in.
import { createECDH, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { codeRequest, createExchange, OPCODE, readMessage, structureOf } from './matter-message.mjs';

const [address, port, count, paceMs = 350] = process.argv.slice(2);
const socket = createSocket('udp4');
await new Promise((resolve) => socket.bind(0, resolve));

/** The next message with one of these opcodes; undefined after a second. */
const next = (...wanted) =>
  new Promise((resolve) => {
    const done = (found) => {
      clearTimeout(timer);
      socket.off('message', hear);
      resolve(found);
    };
    const hear = (data) => {
      const found = readMessage(data);
      if (wanted.includes(found.opcode)) done({ ...found, data });
    };
    const timer = setTimeout(done, 1_000);
    socket.on('message', hear);
  });
const send = (message) => socket.send(message, Number(port), address);

/** A point of the curve, and a proof, that have nothing to do with the code. */
async function guess() {
  const exchange = createExchange();
  send(exchange(OPCODE.request, codeRequest()));
  const response = await next(OPCODE.response, OPCODE.status);
  if (response?.opcode !== OPCODE.response) return 'closed';
  const point = createECDH('prime256v1').generateKeys();
  send(exchange(OPCODE.pake1, structureOf(point), response.counter));
  const pake2 = await next(OPCODE.pake2, OPCODE.status);
  if (pake2?.opcode !== OPCODE.pake2) return 'closed';
  send(exchange(OPCODE.pake3, structureOf(randomBytes(32)), pake2.counter));
  const status = await next(OPCODE.status);
  if (status === undefined) return 'closed';
  send(exchange(OPCODE.ack, Buffer.alloc(0), status.counter));
  // Its first two bytes are 0 for a code that was right.
  return status.data.subarray(-8).readUInt16LE(0) === 0 ? 'joined' : 'refused';
}

const answers = { refused: 0, closed: 0, joined: 0 };
let inARow = 0;
for (let tried = 0; tried < Number(count) && inARow < 3; tried += 1) {
  const answer = await guess();
  answers[answer] += 1;
  inARow = answer === 'closed' ? inARow + 1 : 0;
  // No faster than the bridge hears a neighbour.
  await new Promise((resolve) => setTimeout(resolve, Number(paceMs)));
}
socket.close();
process.stdout.write(JSON.stringify(answers));
