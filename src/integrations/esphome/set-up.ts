import { randomBytes } from 'node:crypto';
import type { FieldError } from '#base/hub-error.ts';
import { waitMs } from '#base/time/timer.ts';
import { type Found } from '#core/integration/instance.ts';
import { SetupFailure, type SetupAnswer, type SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import type { SetupResult } from '#integrations/kind.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { SetupPorts } from '#integrations/ports.ts';
import { ESPHOME_SETTINGS, type EsphomeSettings, readKey } from './esphome-settings.ts';
import type { NodeInfo } from './node-info.ts';
import { openTalk, type Talk } from './talk.ts';

/** A node, the address under which it answered, and the key that it has proved. */
type Known = { readonly info: NodeInfo; readonly host: string; readonly key: string | null };

const HOST = { host: ESPHOME_SETTINGS.host };
const KEY = { key: ESPHOME_SETTINGS.key };
const KEY_BYTES = 32;
const PROOF_TRIES = 20;
const PROOF_MS = 250;

/** Asks a node what it is, and a person for its address unless it was found, and for its key if it has one. */
export async function* setUpEsphome(
  found: Found<EsphomeSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<EsphomeSettings>> {
  const known = yield* findNode(found, ports);
  const key = known.key ?? (known.info.takesKey ? yield* offerKey(known, ports) : null);
  const { mac, name } = known.info;
  return {
    uniqueId: mac,
    name,
    settings: { host: known.host, mac, take_rooms: found?.settings.take_rooms ?? true },
    secrets: key === null ? {} : { key },
  };
}

async function* findNode(found: Found<EsphomeSettings> | undefined, ports: SetupPorts): SetupSteps<Known> {
  const expected = found?.uniqueId ?? null;
  const { host, reading } = yield* askForHost(
    { foundHost: found?.settings.host, fields: HOST, wrong: WRONG_HOSTS },
    async (asked) => {
      const info = await readNode({ host: asked, key: null, expected }, ports);
      if (!(info instanceof PeerFault)) return info;
      if (info.code === 'KEY_NEEDED') return null;
      throw info;
    },
  );
  return reading === null ? yield* askForKey({ host, expected }, ports) : { info: reading, host, key: null };
}

async function* askForKey(
  { host, expected }: { readonly host: string; readonly expected: string | null },
  ports: SetupPorts,
): SetupSteps<Known> {
  let errors: readonly FieldError[] = [];
  for (;;) {
    const answer: SetupAnswer = yield { type: 'form', fields: KEY, values: {}, errors };
    const text = typeof answer['key'] === 'string' ? answer['key'].trim() : '';
    const key = readKey(text);
    yield { type: 'busy', text: 'Trying the key …' };
    const reading = key && (await readNode({ host, key, expected }, ports));
    if (reading !== undefined && !(reading instanceof PeerFault)) return { info: reading, host, key: text };
    const isLost = reading !== undefined && reading.code !== 'KEY_REFUSED';
    if (isLost) throw new SetupFailure('node_lost', 'The node does not answer any more.');
    const message =
      reading === undefined ? 'is no key: it has 44 letters, digits and signs' : 'is not the key of the node';
    errors = [{ pointer: '/key', code: 'INVALID_VALUE', message }];
  }
}

/** Until a node has a key, anyone in the network can command it, and give it one. `null` if the person wants none. */
async function* offerKey({ info, host }: Known, ports: SetupPorts): SetupSteps<string | null> {
  const answer: SetupAnswer = yield {
    type: 'choose',
    text: 'This node has no encryption key: anyone in the network can command it, and set a key that you do not know.',
    options: [
      { id: 'set', title: 'Set a key', detail: 'The hub makes one and shows it to you.' },
      { id: 'leave', title: 'Leave it open', detail: 'The hub speaks to the node without encryption.' },
    ],
  };
  if (answer['option'] !== 'set') return null;
  const key = randomBytes(KEY_BYTES);
  const text = key.toString('base64');
  // Before the node has it: a set-up that ends in between leaves no node with a key that nobody knows.
  yield {
    type: 'show',
    text: 'Write this key down: other programs need it, and the node keeps it until it is erased. Then go on.',
    code: text,
  };
  yield { type: 'busy', text: 'Setting the key …' };
  const target = { host, expected: info.mac };
  const isTaken = await withNode({ ...target, key: null }, ports, ({ setKey }) => setKey(key));
  if (isTaken !== true) throw new SetupFailure('key_not_taken', 'The node did not take the key.');
  // It uses the key a moment after it took it.
  for (let tries = 0; tries < PROOF_TRIES; tries += 1) {
    await waitMs(PROOF_MS, ports.startTimer, ports.signal);
    if (!((await readNode({ ...target, key }, ports)) instanceof PeerFault)) return text;
  }
  const what = 'The node took the key, but does not answer with it. Set it up again with the key that you wrote down.';
  throw new SetupFailure('key_not_used', what);
}

type Target = { readonly host: string; readonly key: Uint8Array | null; readonly expected: string | null };

const WRONG_HOSTS = {
  BAD_ANSWER: 'is not the address of an ESPHome node',
  OTHER_NODE: 'is the address of another node than the one found',
  PASSWORD_NEEDED: 'is that of a node with a password: give it an encryption key instead',
};

function readNode(target: Target, ports: SetupPorts): Promise<NodeInfo | PeerFault> {
  return withNode(target, ports, async ({ info }) => info);
}

/** Speaks to the node once; what is wrong with it is returned. */
async function withNode<Result>(
  { host, key, expected }: Target,
  { openTcp, startTimer, clock, signal }: SetupPorts,
  ask: (talk: Talk) => Promise<Result>,
): Promise<Result | PeerFault> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  try {
    const talk = await openTalk({
      host,
      key,
      mac: expected,
      openTcp,
      startTimer,
      wallMs: clock.wallMs,
      onMessage: () => undefined,
      onUnreadable: () => undefined,
      signal: ending.signal,
    });
    return await ask(talk);
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof PeerFault)) throw cause;
    return cause;
  } finally {
    signal.removeEventListener('abort', end);
    ending.abort();
  }
}
