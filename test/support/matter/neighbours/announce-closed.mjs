// Says over mDNS, each second, that a Matter device is here which is in a home and lets nobody in: announce-closed.mjs
// ADDRESS DISCRIMINATOR. What devices with "extended discovery" do; the library's own do not.
import { createSocket } from 'node:dgram';

const [address, discriminator] = process.argv.slice(2);
const label = (text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const name = (...labels) => Buffer.concat([...labels.map(label), Buffer.from([0])]);
const record = (owner, type, data) =>
  Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 120, data.length >> 8, data.length & 255]), data]);
const service = ['_matterc', '_udp', 'local'];
const host = name('C105EDC105ED', 'local');
const full = name('C105EDC105EDC105', ...service);
const short = `_S${Number(discriminator) >> 8}`;
const answers = [
  record(name(...service), 12, full),
  record(name(short, '_sub', ...service), 12, full),
  record(full, 33, Buffer.concat([Buffer.from([0, 0, 0, 0, 21, 200]), host])),
  record(full, 16, Buffer.concat([`D=${discriminator}`, 'CM=0', 'VP=65521+32768'].map(label))),
  record(host, 1, Buffer.from(address.split('.').map(Number))),
];
const message = Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 0, 0, answers.length, 0, 0, 0, 0]), ...answers]);
const socket = createSocket({ type: 'udp4', reuseAddr: true });
await new Promise((resolve) => socket.bind(5353, resolve));
socket.setMulticastInterface(address);
const say = () => socket.send(message, 5353, '224.0.0.251');
setInterval(say, 1_000);
say();
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
