import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { decodeBody } from './answer-coding.ts';
import type { FuzzAnswer } from './fuzz-client.ts';

export type Asked = { readonly method: string; readonly target: string; readonly headers: Record<string, string> };
/** How the relay changes the request before the hub gets it, or the answer before the client gets it. */
export type Fault = {
  readonly ask?: (asked: Asked) => Asked;
  readonly answer?: (asked: Asked, answer: FuzzAnswer) => FuzzAnswer | 'none';
};
export type BrokenHub = { readonly address: string; readonly close: () => void };

/** The hub behind a relay with a fault, to see that the fault is found. */
export async function startBrokenHub(hubAddress: string, { ask = same, answer }: Fault): Promise<BrokenHub> {
  const server = createServer((incoming, outgoing) => {
    const asked = ask({
      method: incoming.method ?? 'GET',
      target: incoming.url ?? '/',
      headers: incoming.headers as Record<string, string>,
    });
    const { hostname, port } = new URL(hubAddress);
    const { method, target: path, headers } = asked;
    const localAddress = incoming.socket.remoteAddress ?? '127.0.0.1';
    const sent = request({ hostname, port, method, path, headers, localAddress }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const fields = new Headers(response.headers as Record<string, string>);
        const coding = method === 'HEAD' || response.statusCode === 304 ? null : fields.get('content-encoding');
        // The fault sees text, and may give it a coding of its own.
        if (coding !== null) fields.delete('content-encoding');
        const given = {
          status: response.statusCode ?? 0,
          headers: fields,
          ...decodeBody(Buffer.concat(chunks), coding),
        };
        const told = answer?.(asked, given) ?? given;
        if (told === 'none') return;
        told.headers.delete('content-length');
        told.headers.delete('transfer-encoding');
        const isGzip = told.headers.get('content-encoding') === 'gzip' && told.body !== '';
        const bytes = isGzip ? gzipSync(told.body) : told.body;
        outgoing.writeHead(told.status, Object.fromEntries(told.headers)).end(bytes);
      });
    });
    sent.once('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function same(asked: Asked): Asked {
  return asked;
}
