import { connect, type Socket } from 'node:net';

export type LoadResult = { readonly answers: number; readonly seconds: number; readonly lastHead: string };
export type HttpLoad = {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with POST. */
  readonly body?: unknown;
  readonly connections: number;
  readonly forMs: number;
  /** The status that every answer must have. */
  readonly status: number;
  /** Learns how long each answer took. */
  readonly onAnswer?: (tookMs: number) => void;
};

/**
 * Asks the same again and again over a few connections that stay open. Written on the bare socket, for a client that
 * costs more than the server would measure itself.
 */
export async function loadHttp(load: HttpLoad): Promise<LoadResult> {
  const request = requestBytes(load);
  const startMs = performance.now();
  const endMs = startMs + load.forMs;
  const done = await Promise.all(Array.from({ length: load.connections }, () => askUntil(load, request, endMs)));
  return {
    answers: done.reduce((sum, { answers }) => sum + answers, 0),
    seconds: (performance.now() - startMs) / 1_000,
    lastHead: done[0]?.lastHead ?? '',
  };
}

function requestBytes({ port, path, headers, body }: HttpLoad): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const fields = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(content.length) }),
  });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines}\r\n${content}`);
}

function askUntil(
  { port, status, onAnswer }: HttpLoad,
  request: Buffer,
  endMs: number,
): Promise<{ readonly answers: number; readonly lastHead: string }> {
  return new Promise((resolve, reject) => {
    let [answers, missing, lastHead, askedMs] = [0, 0, '', 0];
    let head: Buffer = Buffer.alloc(0);
    const ask = (): void => {
      askedMs = performance.now();
      socket.write(request);
    };
    const socket: Socket = connect(port, '127.0.0.1', ask);
    socket.setNoDelay(true);
    const finishAnswer = (): void => {
      answers += 1;
      onAnswer?.(performance.now() - askedMs);
      if (performance.now() < endMs) ask();
      else {
        socket.end();
        resolve({ answers, lastHead });
      }
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection was closed after ${answers} answers: ${lastHead}`)));
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) {
        missing -= chunk.length;
        if (missing === 0) finishAnswer();
        return;
      }
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      lastHead = head.toString('latin1', 0, end);
      if (!lastHead.startsWith(`HTTP/1.1 ${status} `)) {
        socket.destroy(new Error(`answered ${lastHead}`));
        return;
      }
      missing = Number(/^content-length: (\d+)/im.exec(lastHead)?.[1] ?? 0) - (head.length - end - 4);
      head = Buffer.alloc(0);
      if (missing === 0) finishAnswer();
    });
  });
}
