import { randomBytes } from 'node:crypto';
import type { FieldError } from '#base/hub-error.ts';
import { waitMs } from '#base/time/timer.ts';
import { type Discovery } from '#core/integration/instance.ts';
import type { SetupAnswer, SetupSteps } from '#core/integration/setup-step.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import { words } from '#integrations/esphome/words/en.ts';
import type { SetupResult } from '#integrations/kind.ts';
import { choice, failure, fault, said } from '#integrations/words/kind-words.ts';
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
  discovery: Discovery<EsphomeSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<EsphomeSettings>> {
  const known = yield* findNode(discovery, ports);
  const key = known.key ?? (known.info.takesKey ? yield* offerKey(known, ports) : null);
  const { mac, name } = known.info;
  return {
    uniqueId: mac,
    name,
    settings: { host: known.host, mac, take_rooms: discovery?.settings.take_rooms ?? true },
    secrets: key === null ? {} : { key },
  };
}

async function* findNode(found: Discovery<EsphomeSettings> | undefined, ports: SetupPorts): SetupSteps<Known> {
  const expected = found?.uniqueId ?? null;
  const { host, reading } = yield* askForHost(
    { foundHost: found?.settings.host, fields: HOST, words, wrong: WRONG_HOSTS },
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
    yield { type: 'busy', ...said(words.steps, 'trying_key') };
    const reading = key && (await readNode({ host, key, expected }, ports));
    if (reading !== undefined && !(reading instanceof PeerFault)) return { info: reading, host, key: text };
    const isLost = reading !== undefined && reading.code !== 'KEY_REFUSED';
    if (isLost) throw failure(words.failures, 'node_lost');
    errors = [fault(words.faults, reading === undefined ? 'no_key' : 'wrong_key', '/key')];
  }
}

/** Until a node has a key, anyone in the network can command it, and give it one. `null` if the person wants none. */
async function* offerKey({ info, host }: Known, ports: SetupPorts): SetupSteps<string | null> {
  const answer: SetupAnswer = yield choice(words.choices, 'offer_key', {});
  if (answer['option'] !== 'set') return null;
  const key = randomBytes(KEY_BYTES);
  const text = key.toString('base64');
  // Before the node has it: a set-up that ends in between leaves no node with a key that nobody knows.
  yield { type: 'show', ...said(words.steps, 'write_down'), code: text };
  yield { type: 'busy', ...said(words.steps, 'setting_key') };
  const target = { host, expected: info.mac };
  const isTaken = await withNode({ ...target, key: null }, ports, ({ setKey }) => setKey(key));
  if (isTaken !== true) throw failure(words.failures, 'key_not_taken');
  // It uses the key a moment after it took it.
  for (let tries = 0; tries < PROOF_TRIES; tries += 1) {
    await waitMs(PROOF_MS, ports.startTimer, ports.signal);
    if (!((await readNode({ ...target, key }, ports)) instanceof PeerFault)) return text;
  }
  throw failure(words.failures, 'key_not_used');
}

type Target = { readonly host: string; readonly key: Uint8Array | null; readonly expected: string | null };

const WRONG_HOSTS = { BAD_ANSWER: 'no_node', OTHER_NODE: 'other_node', PASSWORD_NEEDED: 'has_password' } as const;

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
