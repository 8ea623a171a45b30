import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
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
        const body = Buffer.concat(chunks).toString();
        const given: FuzzAnswer = { status: response.statusCode ?? 0, headers: fields, body };
        const told = answer?.(asked, given) ?? given;
        if (told === 'none') return;
        told.headers.delete('content-length');
        told.headers.delete('transfer-encoding');
        outgoing.writeHead(told.status, Object.fromEntries(told.headers)).end(told.body);
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
