// Floods a Matter node, and mDNS beside it: garbage.mjs ADDRESS PORT COUNT SEED. Random bytes, headers of sessions that
// are not there, beginnings of sessions from invented nodes, and answers of mDNS that say what is not so.
import { createSocket } from 'node:dgram';
import { createHash } from 'node:crypto';
import { codeRequest, createExchange, structureOf } from './matter-message.mjs';
import { openMdns } from './mdns.mjs';

const [address, port, count, seed] = process.argv.slice(2);
let state = Number(seed);
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const bytes = (length) => Buffer.from(Array.from({ length }, () => random(256)));
const unsecured = (opcode, payload) => createExchange()(opcode, payload);
const OPCODES = [0x20, 0x21, 0x22, 0x24, 0x30, 0x31, 0x32, 0x33, 0x40, 0x10];
const makers = [
  () => bytes(random(1200)),
  () => Buffer.concat([Buffer.from([0, 1 + random(255)]), bytes(6 + random(200))]),
  () => unsecured(0x20, codeRequest()),
  () => unsecured(0x30, structureOf(bytes(32))),
  () => unsecured(OPCODES[random(OPCODES.length)], bytes(random(300))),
];
const label = (text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const name = (...labels) => Buffer.concat([...labels.map(label), Buffer.from([0])]);
/** An answer of mDNS: some node of Matter, or a commissioner, is at an address where nobody is. */
const lie = () => {
  const instance = createHash('sha256')
    .update(String(random(2 ** 32)))
    .digest('hex')
    .slice(0, 33)
    .toUpperCase();
  const service = [
    ['_matter', '_tcp'],
    ['_matterc', '_udp'],
    ['_matterd', '_udp'],
  ][random(3)];
  const host = name(instance.slice(0, 12), 'local');
  const full = name(instance, ...service, 'local');
  const record = (owner, type, data) =>
    Buffer.concat([
      owner,
      Buffer.from([0, type, 0x80, 1, 0, 0, 0x11, 0x94, data.length >> 8, data.length & 255]),
      data,
    ]);
  const answers = [
    record(name(...service, 'local'), 12, full),
    record(full, 33, Buffer.concat([bytes(4), Buffer.from([21, 164]), host])),
    record(full, 16, bytes(random(100))),
    record(host, 1, Buffer.from([192, 168, 61, 3 + random(200)])),
  ];
  return Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 0, 0, answers.length, 0, 0, 0, 0]), ...answers]);
};

const socket = createSocket('udp4');
await new Promise((resolve) => socket.bind(0, resolve));
const mdns = await openMdns();
const send = (data) =>
  new Promise((resolve, reject) => {
    socket.send(data, Number(port), address, (cause) => (cause ? reject(cause) : resolve()));
  });
for (let sent = 0; sent < Number(count); sent += 1) {
  await send(makers[random(makers.length)]());
  if (sent % 4 === 0) await mdns.say(random(4) === 0 ? bytes(random(500)) : lie());
  // As fast as a neighbour sends without losing all of it.
  if (sent % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
socket.close();
mdns.socket.close();
