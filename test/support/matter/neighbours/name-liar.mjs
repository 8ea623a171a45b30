// Asks which nodes of Matter are there, and then lies by mDNS about them: name-liar.mjs COUNT SEED. Each answer says that
// one of them is at an address where nobody is, or at that of the liar, on any port, or that it is gone. Prints how many
// it knows.
import { openMdns } from './mdns.mjs';

const [count, seed] = process.argv.slice(2);
let state = Number(seed);
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const label = (text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const name = (...labels) => Buffer.concat([...labels.map(label), Buffer.from([0])]);
const short = (value) => Buffer.from([value >> 8, value & 255]);
const record = (owner, [type, ttlS], data) =>
  Buffer.concat([owner, short(type), short(0x8001), short(0), short(ttlS), short(data.length), data]);
const TYPE = { a: 1, ptr: 12, txt: 16, srv: 33 };
const SERVICE = ['_matter', '_tcp', 'local'];

const lie = () => {
  const full = name(instances[random(instances.length)], ...SERVICE);
  const host = name(`L${random(64)}`, 'local');
  // Gone, gone soon, or there for hours.
  const ttlS = [0, 1, 120, 4_500][random(4)];
  const address = Buffer.from([192, 168, 62, random(4) === 0 ? 2 : 3 + random(200)]);
  const answers = [
    record(name(...SERVICE), [TYPE.ptr, ttlS], full),
    record(full, [TYPE.srv, ttlS], Buffer.concat([short(0), short(0), short(1 + random(65_535)), host])),
    record(full, [TYPE.txt, ttlS], label(`SII=${random(100_000)}`)),
    record(host, [TYPE.a, ttlS], address),
  ];
  return Buffer.concat([short(0), short(0x8400), short(0), short(answers.length), short(0), short(0), ...answers]);
};

const { socket, say } = await openMdns();
const known = new Set();
socket.on('message', (data) => {
  for (const [instance] of data.toString('latin1').matchAll(/[0-9A-F]{16}-[0-9A-F]{16}/g)) known.add(instance);
});
const question = Buffer.concat([...[0, 0, 1, 0, 0, 0].map(short), name(...SERVICE), short(TYPE.ptr), short(1)]);
for (let asked = 0; asked < 5; asked += 1) {
  await say(question);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}
socket.removeAllListeners('message');
const instances = [...known];
for (let sent = 0; sent < Number(count); sent += 1) {
  await say(lie());
  // As fast as a neighbour sends without losing all of it.
  if (sent % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
socket.close();
process.stdout.write(String(instances.length));
