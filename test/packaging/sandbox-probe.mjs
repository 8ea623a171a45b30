// Runs in the sandbox of the service and prints, as JSON, what it could do there: `done` or the error of each try.
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync, copyFileSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { getPriority, networkInterfaces, setPriority } from 'node:os';

const attempt = async (work) => {
  try {
    return (await work()) ?? 'done';
  } catch (error) {
    return error.info?.code ?? error.code ?? String(error);
  }
};
const settle = (emitter, event, start) =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('silence')), 1_500).unref();
    emitter.once('error', reject).once(event, () => resolve('done'));
    start();
  });
const listen = (port, host) => {
  const server = createServer();
  return settle(server, 'listening', () => server.listen(port, host)).finally(() => server.close());
};
const reach = (port, host) => {
  const socket = connect(port, host);
  return settle(socket, 'connect', () => undefined).finally(() => socket.destroy());
};
const send = async (from, port, host) => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    await settle(socket, 'listening', () => socket.bind(from, '10.77.0.15'));
    await new Promise((resolve, reject) => {
      socket.send('x', port, host, (error) => (error ? reject(error) : resolve(undefined)));
    });
  } finally {
    socket.close();
  }
};
const runCopy = (path) => {
  copyFileSync('/usr/bin/node', path);
  chmodSync(path, 0o755);
  const { error } = spawnSync(path, ['--version']);
  rmSync(path);
  if (error !== undefined) throw error;
};
const status = readFileSync('/proc/self/status', 'utf8');
const field = (name) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1];

const found = {
  'write the state': await attempt(() => writeFileSync(`${process.env.STATE_DIRECTORY}/tmp/written`, 'x')),
  'compile WebAssembly': await attempt(async () => {
    await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  }),
  'list interfaces': await attempt(() => Object.keys(networkInterfaces()).sort().join(' ')),
  'listen on port 80': await attempt(() => listen(80, '127.0.0.9')),
  'listen on another port': await attempt(() => listen(8099, '127.0.0.9')),
  'send to the home from the port of mDNS': await attempt(() => send(5353, 9, '10.77.0.3')),
  'send to the internet from there': await attempt(() => send(5353, 53, '203.0.113.9')),
  'send from another port': await attempt(() => send(0, 9, '10.77.0.3')),
  'connect to the home': await attempt(() => reach(9, '10.77.0.3')),
  'connect to the internet': await attempt(() => reach(80, '203.0.113.9')),
  'write /etc': await attempt(() => writeFileSync('/etc/hearthd/probe', 'x')),
  'write the program': await attempt(() => writeFileSync('/usr/lib/hearthd/probe', 'x')),
  'read /home': await attempt(() => readdirSync('/home').join(' ')),
  'see other processes': await attempt(() => readdirSync('/proc/1').length),
  'run a shell': await attempt(() => {
    const { error } = spawnSync('/bin/sh', ['-c', 'true']);
    if (error !== undefined) throw error;
  }),
  ...Object.fromEntries(
    await Promise.all(
      [`${process.env.STATE_DIRECTORY}/tmp`, '/tmp', '/var/tmp', '/dev/shm'].map(async (folder) => [
        `run what it wrote to ${folder}`,
        await attempt(() => runCopy(`${folder}/probe`)),
      ]),
    ),
  ),
  'lower the priority of a thread': await attempt(() => {
    const thread = Number(readlinkSync('/proc/thread-self').split('/')[2]);
    setPriority(thread, 5);
    return getPriority(thread);
  }),
  'raise it again': await attempt(() => setPriority(0, 0)),
  capabilities: field('CapBnd'),
  seccomp: field('Seccomp'),
  'no new privileges': field('NoNewPrivs'),
};
process.stdout.write(`${JSON.stringify(found)}\n`);
