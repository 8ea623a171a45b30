import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';

export type WireAnswer = { status: number; headers: Record<string, string>; body: string; raw: string };

/** Listens on a free loopback port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends these very bytes and reads until an answer is `whole` by its length, or `all` until the server closes. */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  until: 'whole' | 'all' = 'whole',
): Promise<WireAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  let answer: WireAnswer | undefined;
  const isHead = Buffer.from(bytes).subarray(0, 5).toString('latin1') === 'HEAD ';
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    answer = parseAnswer(Buffer.concat(chunks).toString('latin1'), isHead);
    if (answer !== undefined && until === 'whole') socket.destroy();
  });
  socket.write(bytes);
  await once(socket, 'close');
  return answer ?? { status: 0, headers: {}, body: '', raw: Buffer.concat(chunks).toString('latin1') };
}

function parseAnswer(raw: string, isHead: boolean): WireAnswer | undefined {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = raw.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = raw.slice(end + 4);
  if (!isHead && body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body, raw };
}
