import { Agent, request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errnoOf } from '#base/errno.ts';
import { HubError, PROBLEMS, type ProblemCode } from '#base/hub-error.ts';
import { isJsonObject } from '#base/json.ts';
import { StartError } from '#base/start-error.ts';
import type { HistoryImported, HubAdmin } from './hub-admin.ts';
import { checkSocketPath } from './socket-path.ts';

/** Restoring a large database onto a slow card takes a while; a hub that is silent for longer has hung. */
const SILENCE_MS = 120_000;
/** Ten times what a thousand accounts need. A limit, because an attacker may control the hub at the other end. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

type Way = { readonly socketPath: string } | { readonly agent: Agent };

/**
 * Opens the administrator of the running hub through its control socket. `undefined` when no hub listens there, also
 * when a crash left the socket behind; StartError when this user may not open it.
 */
export async function connectControl(path: string): Promise<HubAdmin | undefined> {
  checkSocketPath(path);
  const admin = createControlClient({ socketPath: path });
  try {
    await admin.status();
    return admin;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return undefined;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new StartError('no_permission', `only root and the user of the hub may command it (${path})`, error);
  }
}

/** The administrator that the other end of the connection serves. */
export function askControl(connection: Socket): HubAdmin {
  const agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), { createConnection: () => connection });
  return createControlClient({ agent });
}

/** Both ends are the same program, so an answer is trusted to have the type that the call promises. */
function createControlClient(way: Way): HubAdmin {
  const call = async <Answer>(name: string, body: unknown = null): Promise<Answer> =>
    (await readAnswer(await exchange({ way, name, body: [Buffer.from(JSON.stringify(body))] }))) as Answer;
  const content = async (name: string, body: unknown): Promise<AsyncIterable<Uint8Array>> => {
    const answer = await exchange({ way, name, body: [Buffer.from(JSON.stringify(body))] });
    if (answer.statusCode !== 200) await readAnswer(answer);
    return answer as AsyncIterable<Uint8Array>;
  };
  return {
    claim: () => call('claim'),
    listUsers: () => call('list-users'),
    addUser: (user) => call('add-user', user),
    setPassword: (change) => call('set-password', change),
    removeUser: (user) => call('remove-user', user),
    makeBackup: () => call('make-backup'),
    readBackup: (backup) => content('read-backup', backup),
    restoreBackup: async (content) => {
      await readAnswer(await exchange({ way, name: 'restore-backup', body: content }));
    },
    checkDatabase: () => call('check-database'),
    checkHistory: (how) => content('check-history', how),
    exportHistory: (query) => content('export-history', query),
    importHistory: async (body, { format, isDryRun, skipUnknown }) => {
      const given = new URLSearchParams({
        format,
        ...(isDryRun && { dry_run: '' }),
        ...(skipUnknown && { skip_unknown: '' }),
      });
      const answer = await exchange({ way, name: `import-history?${given.toString()}`, body });
      return (await readAnswer(answer)) as HistoryImported;
    },
    status: () => call('status'),
  };
}

type Exchange = {
  readonly way: Way;
  readonly name: string;
  readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

async function exchange({ way, name, body }: Exchange): Promise<IncomingMessage> {
  const outgoing = request({ ...way, method: 'POST', path: `/${name}`, timeout: SILENCE_MS });
  outgoing.on('timeout', () => outgoing.destroy(new HubError('OVERLOADED', 'The hub does not answer.')));
  const incoming = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // The hub may refuse before it has read all; its answer then counts, not the broken pipe.
  const sent = pipeline(Readable.from(body), outgoing);
  const [answered, sending] = await Promise.allSettled([incoming, sent]);
  if (answered.status === 'rejected') throw sending.status === 'rejected' ? sending.reason : answered.reason;
  return answered.value;
}

async function readAnswer(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES)
      throw new HubError('INTERNAL_ERROR', 'The hub answers more than this call can have.');
    chunks.push(chunk);
  }
  const answer: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (incoming.statusCode === 200) return answer;
  throw hubErrorFrom(answer);
}

function hubErrorFrom(answer: unknown): HubError {
  const { code, message, errors } = isJsonObject(answer) ? answer : {};
  const known = typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'INTERNAL_ERROR';
  return new HubError(known, typeof message === 'string' ? message : 'The hub has a fault, see its log.', {
    errors: Array.isArray(errors) ? errors : [],
  });
}
