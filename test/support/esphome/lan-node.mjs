// The real firmware as a machine of a test's LAN. It listens on the loopback interface alone and has no mDNS on Linux, so
// this listens in its place and announces the packets that argv[3] has as JSON, in base64. argv[2] is the firmware.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ADDRESS = '192.168.50.77';
const INNER_PORT = 16053;
const [, , firmware = '', packets = '[]'] = process.argv;
const home = mkdtempSync(join(tmpdir(), 'hearthd-esphome-'));
const child = spawn(firmware, { env: { HOME: home, NODE_PORT: String(INNER_PORT) }, stdio: 'ignore' });
process.on('SIGTERM', () => {
  child.once('exit', () => {
    rmSync(home, { recursive: true, force: true });
    process.exit();
  });
  child.kill('SIGKILL');
});

createServer((socket) => {
  const inner = connect(INNER_PORT, '127.0.0.1');
  for (const [one, other] of [
    [socket, inner],
    [inner, socket],
  ]) {
    one.on('error', () => other.destroy());
    one.pipe(other);
  }
}).listen(6053, ADDRESS, () => process.stdout.write('listening\n'));

const announced = JSON.parse(packets).map((packet) => Buffer.from(packet, 'base64'));
const multicast = createSocket({ type: 'udp4', reuseAddr: true });
multicast.bind(5353, () => {
  multicast.setMulticastInterface(ADDRESS);
  setInterval(() => announced.forEach((packet) => multicast.send(packet, 5353, '224.0.0.251')), 500);
});
