import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fieldError, HubError, PROBLEMS, validationFailed } from '#base/hub-error.ts';
import { isJsonObject } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { StartError } from '#base/start-error.ts';
import { EXPORT_FORMATS } from '#core/past/archive/archive-export.ts';
import { ARCHIVE_FORMATS } from '#core/past/archive/sample-text.ts';
import { ROLES } from '#core/person/user.ts';
import type { HubAdmin } from './hub-admin.ts';
import { checkSocketPath } from './socket-path.ts';

const BODY_LIMIT = 16 * 1024;

type ControlServerDeps = {
  /** The administrator's calls of the hub that is open now. Throws HubError RESTARTING while there is none. */
  readonly admin: () => HubAdmin;
  readonly path: string;
  readonly log: Log;
};

type Call = (request: IncomingMessage) => Promise<unknown>;
/** An answer that is not JSON. */
type Content = { readonly content: AsyncIterable<Uint8Array> };

/**
 * Serves the administrator's calls on a unix socket that only this user and root can open. Replaces a socket that a
 * crash left behind, so only the holder of the lock of the state folder may call this.
 */
export async function listenControl({ admin, path, log }: ControlServerDeps): Promise<{ close: () => Promise<void> }> {
  checkSocketPath(path);
  const server = createControlServer(admin, log);
  makeFolder(path);
  // The folder is closed to other users already, so there is no moment in which they could open the new socket.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  }).catch((cause: unknown) => {
    throw new StartError('cannot_create', `the control socket ${path} cannot be opened`, cause);
  });
  chmodSync(path, 0o600);
  server.on('error', (cause) => log.error('the control socket failed', { cause }));
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Serves the same calls over one connection, until it ends. */
export async function serveControl(admin: HubAdmin, log: Log, connection: Socket): Promise<void> {
  const server = createControlServer(() => admin, log);
  // A person may think for a while between two calls.
  server.keepAliveTimeout = 0;
  const closed = new Promise<void>((resolve) => void connection.once('close', () => resolve()));
  server.emit('connection', connection);
  await closed;
  server.close();
}

function createControlServer(admin: () => HubAdmin, log: Log): Server {
  const calls = callsOf(admin);
  // No time limit: a large backup takes long from a slow stick to a slow card, and only root and this user call.
  return createServer({ requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((cause: unknown) => {
      log.error('a control call failed', { cause });
      response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // What does not fit into a body that is a file follows the name.
    const [name] = (request.url ?? '').split('?');
    const call = calls.get(`${request.method} ${name}`);
    try {
      if (call === undefined) throw new HubError('NOT_FOUND', 'The running hub does not know this command.');
      const result = await call(request);
      if (isContent(result)) await sendContent(response, result);
      else send(response, 200, result ?? null);
    } catch (error) {
      // The answer has begun: only cutting the content off can show the failure.
      if (response.headersSent) throw error;
      const failure =
        error instanceof HubError ? error : new HubError('INTERNAL_ERROR', 'The hub has a fault, see its log.');
      if (failure !== error) log.error('a control call failed', { call: request.url, cause: error });
      const { code, message, options } = failure;
      await drain(request);
      send(response, PROBLEMS[code][0], { code, message, errors: options.errors ?? [] });
    }
  }
}

function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    rmSync(path, { force: true });
  } catch (cause) {
    throw new StartError('cannot_create', `the folder of the control socket, ${folder}, cannot be used`, cause);
  }
}

function callsOf(admin: () => HubAdmin): ReadonlyMap<string, Call> {
  return new Map<string, Call>([
    ['POST /claim', () => admin().claim()],
    ['POST /list-users', () => admin().listUsers()],
    [
      'POST /add-user',
      async (request) => {
        const user = readNewUser(await readBody(request));
        return admin().addUser(user);
      },
    ],
    [
      'POST /set-password',
      async (request) => {
        const change = readTexts(await readBody(request), ['email', 'password']);
        return admin().setPassword(change);
      },
    ],
    [
      'POST /remove-user',
      async (request) => {
        const user = readTexts(await readBody(request), ['email']);
        return admin().removeUser(user);
      },
    ],
    ['POST /make-backup', () => admin().makeBackup()],
    [
      'POST /read-backup',
      async (request): Promise<Content> => {
        const backup = readTexts(await readBody(request), ['id']);
        return { content: await admin().readBackup(backup) };
      },
    ],
    ['POST /restore-backup', (request) => admin().restoreBackup(bytesOf(request))],
    [
      'POST /check-history',
      async (request): Promise<Content> => {
        const body = await readBody(request);
        return { content: await admin().checkHistory({ repairs: isJsonObject(body) && body['repairs'] === true }) };
      },
    ],
    [
      'POST /export-history',
      async (request): Promise<Content> => {
        const query = readExportQuery(await readBody(request));
        return { content: await admin().exportHistory(query) };
      },
    ],
    [
      'POST /import-history',
      (request) => {
        const given = new URLSearchParams(request.url?.split('?')[1]);
        const format = oneOf('format', ARCHIVE_FORMATS, given.get('format'));
        const [isDryRun, skipUnknown] = [given.has('dry_run'), given.has('skip_unknown')];
        return admin().importHistory(bytesOf(request), { format, isDryRun, skipUnknown });
      },
    ],
    ['POST /check-database', () => admin().checkDatabase()],
    ['POST /status', () => admin().status()],
  ]);
}

function isContent(result: unknown): result is Content {
  return typeof result === 'object' && result !== null && 'content' in result;
}

async function sendContent(response: ServerResponse, { content }: Content): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  await pipeline(content, response);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  });
  response.end(bytes);
}

/** Node stops reading a request once it is answered, and a client that still sends would never see the answer. */
async function drain(request: IncomingMessage): Promise<void> {
  for await (const _ of bytesOf(request)) continue;
}

/** Leaving early must not destroy the request: a refusal has to get through. */
function bytesOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytesOf(request)) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new HubError('PAYLOAD_TOO_LARGE', 'The call is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new HubError('INVALID_JSON', 'The call is not JSON.', { cause });
  }
}

function readTexts<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const texts = names.map((name) => {
    const text = isJsonObject(body) ? body[name] : undefined;
    if (typeof text === 'string') return [name, text] as const;
    throw validationFailed([fieldError(`/${name}`, 'REQUIRED', 'is needed')], `The field ${name} is missing.`);
  });
  return Object.fromEntries(texts) as Record<Name, string>;
}

function readNewUser(body: unknown): Parameters<HubAdmin['addUser']>[0] {
  const { role: text, ...rest } = readTexts(body, ['email', 'name', 'role', 'password']);
  return { ...rest, role: oneOf('role', ROLES, text) };
}

function oneOf<Word extends string>(name: string, words: readonly Word[], text: unknown): Word {
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  const rule = `must be one of ${words.join(', ')}`;
  throw validationFailed([fieldError(`/${name}`, 'INVALID_VALUE', rule)], `The ${name} ${rule}.`);
}

function readExportQuery(body: unknown): Parameters<HubAdmin['exportHistory']>[0] {
  const { format = 'csv', from, to, series } = isJsonObject(body) ? body : {};
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    format: oneOf('format', EXPORT_FORMATS, format),
    from: isText(from) ? from : undefined,
    to: isText(to) ? to : undefined,
    series: Array.isArray(series) ? series.filter(isText) : undefined,
  };
}
