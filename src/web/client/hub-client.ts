import type { Command, CommandRequest, CommandTargets, Device } from './api.ts';
import { type EventListener, followEvents, type FollowOptions } from './event-feed.ts';
import { problemFrom } from './hub-problem.ts';
import { createSignIn, type Init, type SignIn, type SignInDeps } from './sign-in.ts';
import { within } from './within.ts';

type DeviceList = {
  readonly devices: readonly Device[];
  /** The position of the list in the events: follow from here and nothing is missed. */
  readonly cursor: string;
};

/** `total`: how long the whole list is. */
type Listed<Item> = { readonly items: readonly Item[]; readonly total: number };

/** The hub for a page or program. Every call throws HubProblem if the hub refuses, TypeError if no answer comes. */
export type HubClient = SignIn & {
  /** Any call. Returns the JSON of the answer, `undefined` if it has no body. */
  readonly call: <Json>(method: string, path: string, body?: unknown) => Promise<Json>;
  /** A list of which the hub may show a part. */
  readonly list: <Item>(path: string) => Promise<Listed<Item>>;
  /** Changes what still is at this revision. Throws HubProblem PRECONDITION_FAILED if somebody else was quicker. */
  readonly patchIf: <Json>(revision: number, path: string, body: object) => Promise<Json>;
  /** The same, with all of it in place of what was there. */
  readonly putIf: <Json>(revision: number, path: string, body: object) => Promise<Json>;
  /** Returns the same list object as before if nothing changed. */
  readonly listDevices: () => Promise<DeviceList>;
  /** Resolves when the command has ended or the wait is over, see `status`. Retries never run the command twice. */
  readonly command: (selector: string, request: CommandRequest, waitS?: number) => Promise<Command>;
  /** One command for several devices, or for all of a room that have what it is about. */
  readonly commandAll: (targets: CommandTargets, request: CommandRequest, waitS?: number) => Promise<Command>;
  /** A command by any call that gives one. */
  readonly give: (path: string, body?: object, waitS?: number) => Promise<Command>;
  readonly follow: (listener: EventListener, options?: FollowOptions) => () => void;
};

const COMMAND_TRIES = 3;
/** Much longer than a busy hub on a bad network takes. */
const READ_MS = 10_000;
/** The hub itself waits up to 20 s for others, such as a bridge for a removal. */
const CHANGE_MS = 30_000;
/** Over what the hub itself waits for the end of a command. */
const COMMAND_MS = 2_000;
const COMMAND_LEAST_MS = 4_000;

export function createHubClient(deps: Pick<SignInDeps, 'baseUrl' | 'store'> & Partial<SignInDeps>): HubClient {
  // A browser's fetch must not be called as the method of another object.
  const signIn = createSignIn({ fetch: (...request) => fetch(...request), ...deps });
  let known: { readonly etag: string; readonly devices: readonly Device[] } | undefined;

  const request = <Json>(path: string, init: Init): Promise<Json> =>
    within(init.method === 'GET' ? READ_MS : CHANGE_MS, async (signal) =>
      readJson(await signIn.send(`/api/v1${path}`, { ...init, signal })),
    );
  const call = <Json>(method: string, path: string, body?: unknown): Promise<Json> => {
    const init =
      body === undefined
        ? { method, headers: JSON_WANTED }
        : { method, headers: { ...JSON_WANTED, ...JSON_BODY }, body: JSON.stringify(body) };
    return request(path, init);
  };
  const changeIf = <Json>(
    method: 'PATCH' | 'PUT',
    ...change: readonly [revision: number, path: string, body: object]
  ) => {
    const [revision, path, body] = change;
    const headers = { ...JSON_WANTED, ...JSON_BODY, 'If-Match': `"${revision}"` };
    return request<Json>(path, { method, headers, body: JSON.stringify(body) });
  };
  const sendCommand = (path: string, body: unknown, waitS: number): Promise<Command> => {
    const key = { 'Idempotency-Key': newKey(), Prefer: `wait=${waitS}` };
    const init =
      body === undefined
        ? { method: 'POST', headers: key }
        : { method: 'POST', headers: { ...JSON_BODY, ...key }, body: JSON.stringify(body) };
    return within(Math.max(COMMAND_LEAST_MS, waitS * 1000 + COMMAND_MS), async (signal) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await readJson<Command>(await signIn.send(path, { ...init, signal }));
        } catch (cause) {
          // The network failed, and the command may have arrived or not: with its key it is safe to send it again.
          if (!(cause instanceof TypeError) || tries === COMMAND_TRIES) throw cause;
        }
      }
    });
  };
  return {
    ...signIn,
    call,
    list: (path) =>
      within(READ_MS, async (signal) => {
        const answer = await signIn.send(`/api/v1${path}`, { method: 'GET', headers: JSON_WANTED, signal });
        const items = await readJson<readonly never[]>(answer);
        return { items, total: Number(answer.headers.get('x-total-count') ?? items.length) };
      }),
    patchIf: (...change) => changeIf('PATCH', ...change),
    putIf: (...change) => changeIf('PUT', ...change),
    listDevices: () =>
      within(READ_MS, async (signal) => {
        const headers = known === undefined ? {} : { 'If-None-Match': known.etag };
        const answer = await signIn.send('/api/v1/device', { headers, signal });
        if (answer.status !== 304 || known === undefined) {
          const devices = await readJson<readonly Device[]>(answer);
          known = { etag: answer.headers.get('etag') ?? '', devices };
        }
        return { devices: known.devices, cursor: answer.headers.get('event-cursor') ?? '' };
      }),
    command: (selector, request, waitS = 3) =>
      sendCommand(`/api/v1/device/${encodeURIComponent(selector)}/command`, request, waitS),
    commandAll: (targets, request, waitS = 3) => sendCommand('/api/v1/command', { targets, ...request }, waitS),
    give: (path, body, waitS = 3) => sendCommand(`/api/v1${path}`, body, waitS),
    follow: (listener, options = {}) => followEvents(signIn, listener, options),
  };
}

const JSON_WANTED = { Accept: 'application/json' };
const JSON_BODY = { 'Content-Type': 'application/json' };

async function readJson<Json>(answer: Response): Promise<Json> {
  if (!answer.ok) throw await problemFrom(answer);
  const text = await answer.text();
  return (text === '' ? undefined : JSON.parse(text)) as Json;
}

/** `crypto.randomUUID` is not there on a page that came over plain http, as the hub's do. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
