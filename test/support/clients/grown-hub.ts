import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = { [name: string]: unknown };

/** A way to a hub that says words which its document does not have, as a later version will. */
export type GrownHub = { readonly address: string; readonly close: () => Promise<void> };

/** Puts a later hub before this one, on loopback. It changes answers that are JSON, and nothing that a client sends. */
export async function growHub(address: string): Promise<GrownHub> {
  const server = createServer((asked, answer) => pass(address, asked, answer));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function pass(address: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method = '', url = '', headers } = asked;
  const { host: _, 'accept-encoding': __, ...others } = headers;
  const sent = request(`${address}${url}`, { method, headers: others }, (got) => {
    const pieces: Buffer[] = [];
    got.on('data', (piece: Buffer) => pieces.push(piece));
    got.once('end', () => {
      const isJson = /json/.test(got.headers['content-type'] ?? '');
      const bytes = Buffer.concat(pieces);
      answer.writeHead(got.statusCode ?? 500, namedAsSent(got.rawHeaders));
      answer.end(isJson && bytes.length > 0 ? JSON.stringify(grow(JSON.parse(bytes.toString()), url)) : bytes);
    });
  });
  sent.once('error', () => answer.destroy());
  asked.pipe(sent);
}

/** Programs ask for `Event-Cursor` as it is written; the length is another one now. */
function namedAsSent(raw: readonly string[]): string[] {
  const isKept = (at: number): boolean => !/^(content-length|transfer-encoding)$/i.test(raw[at - (at % 2)] ?? '');
  return raw.filter((_, at) => isKept(at));
}

function grow(json: unknown, url: string): unknown {
  if (Array.isArray(json)) return json.map((one) => grow(one, url));
  if (typeof json !== 'object' || json === null) return json;
  const { code, events, features, availability, ...others } = json as Json;
  const isOther = others['selector'] !== 'kitchen-ceiling';
  return {
    ...others,
    added_later: { metres: 3 },
    ...(code === undefined ? {} : { code: 'POOL_EMPTY' }),
    ...(Array.isArray(events)
      ? { events: [strangeEvent(events), ...(events as unknown[])] }
      : { ...(events === undefined ? {} : { events }) }),
    ...(features === undefined ? {} : { features: isOther ? strangeFeatures(features as Json[]) : features }),
    ...(availability === undefined
      ? {}
      : { availability: isOther ? { ...(availability as Json), state: 'dreaming' } : availability }),
    ...(features !== undefined && isOther ? { type: 'pool_robot' } : {}),
  };
}

const strangeFeatures = (features: readonly Json[]): readonly Json[] =>
  features.map((feature) => ({ ...feature, value_type: 'hologram', kind: 'dream', quality: 'imagined' }));

/** With the cursor of the event behind it. */
const strangeEvent = (events: unknown): Json => ({
  id: ((events as Json[])[0]?.['id'] as string | undefined) ?? 'later-1',
  type: 'pool.cleaned',
  data: { metres: 3, robot: { selector: 'pool', state: 'wet' } },
});
