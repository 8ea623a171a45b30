import { once } from 'node:events';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { vi } from 'vitest';

export type Frame = { id: string | undefined; type: string; data: unknown; bytes: number };

export type StreamClient = {
  status: number;
  headers: IncomingHttpHeaders;
  frames: Frame[];
  /** Without the heartbeats. */
  events: () => Frame[];
  /** As an EventSource keeps it. */
  lastEventId: () => string | undefined;
  isEnded: () => boolean;
  /** Waits in real time until it is true. */
  until: (condition: () => boolean) => Promise<void>;
  /** Stops or starts to read. */
  pause: () => void;
  resume: () => void;
  close: () => void;
};

export type StreamRequest = {
  query?: string;
  token?: string;
  /** `null` sends none. */
  accept?: string | null;
  lastEventId?: string | undefined;
  /** Source address, as 127.0.0.3: each has a limit of connections. */
  localAddress?: string;
  base?: string;
};

/** Follows the events of a server on loopback. */
export async function openStreamClient(port: number, request: StreamRequest = {}): Promise<StreamClient> {
  const { query = '', token = 'owner', accept = 'text/event-stream', lastEventId, localAddress } = request;
  const sent: ClientRequest = get({
    host: '127.0.0.1',
    port,
    agent: false,
    path: `/api/v1/event${query}`,
    headers: {
      ...(accept === null ? {} : { Accept: accept }),
      Authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  sent.on('error', () => undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const frames: Frame[] = [];
  const read = createFrameReader((frame) => void frames.push(frame));
  let isEnded = false;
  response.on('data', read);
  response.on('error', () => undefined);
  response.on('close', () => (isEnded = true));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    events: () => frames.filter(({ type }) => type !== 'hub.heartbeat'),
    lastEventId: () => frames.findLast(({ id }) => id !== undefined)?.id ?? lastEventId,
    isEnded: () => isEnded,
    until: (condition) =>
      vi.waitFor(
        () => {
          if (!condition())
            throw new Error(`still waiting; last of ${frames.length}: ${JSON.stringify(frames.at(-1))}`);
        },
        { interval: 5 },
      ),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void sent.destroy(),
  };
}

/** Takes the bytes of a stream as they come and gives its frames. */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest = '';
  const decoder = new TextDecoder();
  return (chunk) => {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) onFrame(readFrame(block));
  };
}

function readFrame(block: string): Frame {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const data: unknown = JSON.parse(fields.get('data') ?? 'null');
  return { id: fields.get('id'), type: fields.get('event') ?? '', data, bytes: Buffer.byteLength(block) + 2 };
}
