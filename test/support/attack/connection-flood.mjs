// Opens TOTAL connections to PORT from 16 loopback addresses, 2,000 a second, and keeps them as long as the server does.
// A process of its own, so that its sockets are not the server's descriptors. Prints one line of JSON and ends.
import { connect } from 'node:net';

const [port, total, kind] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]];
const PER_TICK = 20;
const TICK_MS = 10;
const FIRST_BYTES = {
  silent: '',
  header: 'GET /api HTTP/1.1\r\nHost: localhost\r\nX-A: ',
  body: 'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"email":"',
};
let started = 0;
let opened = 0;
let closed = 0;
let longestMs = 0;

function openNext() {
  const address = `127.0.1.${(started % 16) + 1}`;
  started += 1;
  const socket = connect({ port, host: '127.0.0.1', localAddress: address });
  let connectedMs = 0;
  let dribble;
  socket.on('connect', () => {
    opened += 1;
    connectedMs = performance.now();
    socket.write(FIRST_BYTES[kind]);
    if (kind !== 'silent') dribble = setInterval(() => socket.write('a'), 1_000);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(dribble);
    closed += 1;
    if (connectedMs > 0) longestMs = Math.max(longestMs, performance.now() - connectedMs);
    if (closed === total)
      process.stdout.write(`${JSON.stringify({ opened, closed, longestMs: Math.round(longestMs) })}\n`);
  });
  socket.resume();
}

const ticks = setInterval(() => {
  for (let count = 0; count < PER_TICK && started < total; count += 1) openNext();
  if (started >= total) clearInterval(ticks);
}, TICK_MS);
setTimeout(() => process.exit(1), 60_000).unref();
