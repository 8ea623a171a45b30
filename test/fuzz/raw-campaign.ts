import { connect } from 'node:net';
import * as fc from 'fast-check';
import type { Finding } from '#test/fuzz/http/campaign.ts';

/** Connections at once. */
const LANES = 8;

/** Requests as bytes, without a live token: only `GET /api` and the socket of devices among them may succeed. */
const TEMPLATES = [
  'GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /api/v1/device HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nonsense\r\n\r\n',
  'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'POST /api/v1/room HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
  'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/device HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /api HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  'GET /api/v1/event HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'GET /api/v1/shelly/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\u0081\u0082\u0000\u0000\u0000\u0000{}',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
];
const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  '\u00ff',
  '\r\n\r\n',
  'Host: evil.example\r\n',
  'Content-Length: 1\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  ' folded: x\r\n',
  'X: y\u0000z\r\n',
  'HTTP/1.0',
  'HTTP/9.9',
  'ffffffffffffffff\r\n',
  '0\r\nX: y\r\n\r\n',
  `X: ${'a'.repeat(9_000)}\r\n`,
  'a: b\r\n'.repeat(70),
  'Expect: 100-continue\r\n',
  '%00',
  '//',
  '/../',
  '#',
  '?',
  'GET /api/v1/device HTTP/1.1\r\nHost: localhost\r\n\r\n',
];

type Change = { readonly at: number; readonly drop: number; readonly piece: string };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  drop: fc.oneof(fc.constant(0), fc.nat(8)),
  piece: fc.oneof(fc.constantFrom('', ...PIECES), fc.string({ unit: 'binary-ascii', maxLength: 6 })),
});

/** One or two of the templates in a row, with some bytes out, in, or other ones. */
const rawBytes: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(
        fc.array(fc.constantFrom(...TEMPLATES), { minLength: 1, maxLength: 2 }),
        fc.array(change, { maxLength: 3 }),
      )
      .map(([templates, changes]) => {
        let text = templates.join('');
        for (const { at, drop, piece } of changes) {
          const index = at % (text.length + 1);
          text = text.slice(0, index) + piece + text.slice(index + drop);
        }
        return Buffer.from(text, 'latin1');
      }),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
);

type RawAnswers = { readonly text: string; readonly isEnded: boolean };

/** Sends these bytes and an end, and reads all that comes back. */
async function sendBytes(port: number, localAddress: string, bytes: Buffer): Promise<RawAnswers> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const chunks: Buffer[] = [];
  const deadline = setTimeout(() => socket.destroy(), 3_000);
  let isEnded = false;
  return await new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', () => (isEnded = true));
    // A reset is an end too.
    socket.on('error', () => (isEnded = true));
    socket.once('close', () => {
      clearTimeout(deadline);
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isEnded });
    });
    socket.end(bytes);
  });
}

/** What is wrong with the answers: a failure, a success of another call, or no HTTP at all. */
export function findRawProblems({ text, isEnded }: RawAnswers): readonly string[] {
  const problems = isEnded ? [] : ['the connection was left open'];
  let rest = text;
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [ -~]*\r\n((?:[!-9;-~]+: [ -~]*\r\n)*)\r\n/.exec(rest);
    if (head === null) return [...problems, `no answer begins with ${JSON.stringify(rest.slice(0, 60))}`];
    const status = Number(head[1]);
    const length = Number(/content-length: (\d+)/i.exec(head[2] ?? '')?.[1] ?? 0);
    const body = rest.slice(head[0].length, head[0].length + length);
    rest = rest.slice(head[0].length + length);
    if (status === 100) continue;
    // What follows are frames.
    if (status === 101) return problems;
    if (status >= 500 && status !== 505) problems.push(`the hub failed: ${status}`);
    const isForAll = body.includes('"product":"hearthd"') || body.startsWith('<!doctype html>');
    if (status < 400 && !isForAll) problems.push(`bypass: ${status} ${body.slice(0, 80)}`);
    if (status >= 400 && body !== '' && !body.startsWith('{"type":"/problems/'))
      problems.push('a failure is not a problem');
  }
  return problems;
}

/** Sends so many broken requests byte for byte, each over a connection of its own. */
export async function runRawCampaign(
  address: string,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<{ readonly sent: number; readonly seed: number; readonly findings: readonly Finding[] }> {
  const port = Number(new URL(address).port);
  let sent = 0;
  const runLane = async (lane: number): Promise<readonly Finding[]> => {
    let smallest: Finding | undefined;
    const property = fc.asyncProperty(rawBytes, async (bytes) => {
      const answers = await sendBytes(port, `127.0.0.${120 + lane}`, bytes);
      sent += 1;
      const problems = findRawProblems(answers);
      if (problems.length === 0) return true;
      const curl = `base64 -d <<< ${bytes.toString('base64')} | nc 127.0.0.1 ${port}`;
      smallest = { curl, problems, answer: answers.text.slice(0, 500) };
      return false;
    });
    const { failed, errorInstance } = await fc.check(property, {
      numRuns: Math.ceil(requests / LANES),
      seed: seed + lane,
    });
    if (failed && smallest === undefined) throw new Error('a request could not be made', { cause: errorInstance });
    return smallest === undefined ? [] : [smallest];
  };
  const findings = (await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))).flat();
  return { sent, seed, findings };
}
