// Asks each of the given hosts for GET /api on a port and prints, as JSON by host, what came of it:
// `served`, or the error with the number of bytes that came before it. Runs inside a network namespace.
import { connect } from 'node:net';

const [port, ...hosts] = process.argv.slice(2);

function reach(host) {
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    let read = '';
    const end = (why) => {
      socket.destroy();
      resolve([host, read.startsWith('HTTP/1.1 200 ') ? 'served' : `${why}, ${read.length} bytes`]);
    };
    const name = host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host;
    socket.on('connect', () => socket.write(`GET /api HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`));
    socket.on('data', (chunk) => (read += chunk.toString('latin1')));
    socket.on('error', (error) => end(error.code));
    socket.on('end', () => end('ended'));
    socket.setTimeout(3_000, () => end('silence'));
  });
}

process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(hosts.map(reach)))));
