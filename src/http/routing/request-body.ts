import type { IncomingMessage, ServerResponse } from 'node:http';
import { HubError } from '#base/hub-error.ts';
import { decodeBody, formAsJson, isForm, refuseBodyFields, tooLarge } from './json-body.ts';
import type { RequestFacts } from '#http/edge/request-facts.ts';
import type { RouteBody } from './route.ts';

/** Where a body comes from: the socket, or a web request in tests. */
export type BodySource = {
  readonly facts: RequestFacts;
  readonly request: Request;
  readonly incoming: IncomingMessage | undefined;
  readonly outgoing: ServerResponse | undefined;
};

/** Reads and checks a body in the order of refusal: media type, size, JSON, schema. */
export async function readBody<Body>(body: RouteBody<Body>, source: BodySource): Promise<Body> {
  const { header } = source.facts;
  if (hasNone(source)) {
    const stand = body.isOptional === true ? {} : body.whenEmpty?.(header);
    if (stand !== undefined) return decodeBody(body.schema, Buffer.from(JSON.stringify(stand)));
  }
  const refusal = refuseBodyFields(body, header);
  if (refusal !== undefined) throw refusal;
  const read = await readBytes(source, body.maxBytes);
  // Clients that generators make in Go and Rust send `null` for a body that is left out.
  const bytes = body.isOptional === true && isNull(read) ? Buffer.from('{}') : read;
  return decodeBody(body.schema, isForm(header) ? formAsJson(bytes) : bytes, body);
}

function isNull(bytes: Uint8Array): boolean {
  return bytes.byteLength <= 8 && Buffer.from(bytes).toString().trim() === 'null';
}

/** Many clients name a media type with every request, also where they send nothing. */
function hasNone({ facts: { header }, request, incoming }: BodySource): boolean {
  if (incoming === undefined) return request.body === null;
  return header('transfer-encoding') === undefined && Number(header('content-length') ?? 0) === 0;
}

/** Event on a request whose body is not complete after 10 s. Without a listener the server cuts the connection. */
export const OVERDUE = 'overdue';

/** The body as it arrives, unchecked and without a time limit: the reader sets how slow it may be. */
export function streamBody(source: BodySource): AsyncIterable<Uint8Array> | null {
  source.incoming?.on(OVERDUE, () => undefined);
  askForBody(source);
  return source.incoming === undefined && source.request.body === null ? null : chunksOf(source);
}

async function readBytes(source: BodySource, maxBytes: number): Promise<Uint8Array> {
  askForBody(source);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(source)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    throw new HubError('MALFORMED_REQUEST', 'The body did not arrive completely.', { cause });
  }
  return Buffer.concat(chunks, size);
}

/** Leaving the loop early must not destroy the socket, through which the refusal still has to go out. */
function chunksOf(source: BodySource): AsyncIterable<Uint8Array> {
  if (source.incoming !== undefined) return source.incoming.iterator({ destroyOnReturn: false });
  return source.request.body?.values({ preventCancel: true }) ?? new ReadableStream({ start: (c) => c.close() });
}

/** A client that sent `Expect: 100-continue` waits for this before it sends the body (RFC 9110 section 10.1.1). */
function askForBody({ facts, outgoing }: BodySource): void {
  if (facts.header('expect') !== undefined) outgoing?.writeContinue();
}
