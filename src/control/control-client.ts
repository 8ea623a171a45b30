import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HubError, PROBLEMS, type ProblemCode } from '#base/hub-error.ts';
import { isJsonObject } from '#base/json.ts';
import { StartError } from '#base/start-error.ts';
import type { HubAdmin } from './hub-admin.ts';
import { checkSocketPath } from './socket-path.ts';

/** Restoring a large database onto a slow card takes a while; a hub that is silent for longer hangs. */
const SILENCE_MS = 120_000;

/**
 * The running hub's administrator through its control socket. `undefined` when no hub listens there, also when a crash
 * left the socket behind; StartError when it may not be opened.
 */
export async function connectControl(path: string): Promise<HubAdmin | undefined> {
  checkSocketPath(path);
  const admin = createControlClient(path);
  try {
    await admin.status();
    return admin;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return undefined;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new StartError('no_permission', `only root and the user of the hub may command it (${path})`, error);
  }
}

/** Both ends come from one program; an answer is taken as what the call promises. */
function createControlClient(path: string): HubAdmin {
  const call = async <Answer>(name: string, body: unknown = null): Promise<Answer> =>
    (await exchange({ path, name, body: [Buffer.from(JSON.stringify(body))] })) as Answer;
  return {
    claim: () => call('claim'),
    listUsers: () => call('list-users'),
    addUser: (user) => call('add-user', user),
    setPassword: (change) => call('set-password', change),
    removeUser: (user) => call('remove-user', user),
    makeBackup: () => call('make-backup'),
    restoreBackup: async (content) => {
      await exchange({ path, name: 'restore-backup', body: content });
    },
    checkDatabase: () => call('check-database'),
    status: () => call('status'),
  };
}

type Exchange = {
  readonly path: string;
  readonly name: string;
  readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

async function exchange({ path, name, body }: Exchange): Promise<unknown> {
  const outgoing = request({ socketPath: path, method: 'POST', path: `/${name}`, timeout: SILENCE_MS });
  outgoing.on('timeout', () => outgoing.destroy(new HubError('OVERLOADED', 'The hub does not answer.')));
  const incoming = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // The hub may refuse before it has read all: then its answer counts, not the broken pipe.
  const sent = pipeline(Readable.from(body), outgoing);
  const [answered, sending] = await Promise.allSettled([incoming, sent]);
  if (answered.status === 'rejected') throw sending.status === 'rejected' ? sending.reason : answered.reason;
  const chunks: Buffer[] = [];
  for await (const chunk of answered.value as AsyncIterable<Buffer>) chunks.push(chunk);
  const answer: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (answered.value.statusCode === 200) return answer;
  throw hubErrorFrom(answer);
}

function hubErrorFrom(answer: unknown): HubError {
  const { code, message, errors } = isJsonObject(answer) ? answer : {};
  const known = typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'INTERNAL_ERROR';
  return new HubError(known, typeof message === 'string' ? message : 'The hub has a fault, see its log.', {
    errors: Array.isArray(errors) ? errors : [],
  });
}
