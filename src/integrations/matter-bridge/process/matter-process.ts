import { AddressInUseError, Logger, LogLevel } from '@matter/main';
import { hasRemoteActor } from '@matter/main/protocol';
import { Status, StatusResponseError } from '@matter/main/types';
import type { JsonObject } from '#base/json.ts';
import type { FromNode, ToNode } from '#integrations/matter-bridge/node-message.ts';
import type { Asked } from './ask-hub.ts';
import { type BridgeNode, createBridgeNode } from './bridge-node.ts';
import { createCommandBehaviors } from './command-behaviors.ts';
import { LanNetwork } from './lan-network.ts';
import { createNodeStore, type NodeStore } from './node-store.ts';
import { createPairingWindow, type PairingWindow } from './pairing-window.ts';

/*
 * The Matter node: a process of its own, because the library needs more memory than all of the hub. It ends with the
 * channel to the hub.
 */

/** Commands that wait for the answer of the hub at once. */
const MOST_WAITING = 64;
const ANSWER_WITHIN_MS = 5_000;
/** The last controller waits for the answer to its farewell, which may need to be sent again. */
const LAST_ANSWER_MS = 2_000;
const REFUSALS: Readonly<Record<string, Status>> = {
  access: Status.UnsupportedAccess,
  invalid: Status.ConstraintError,
  busy: Status.Busy,
};

type Running = { readonly bridge: BridgeNode; readonly window: PairingWindow; readonly network: LanNetwork };
type Waiting = { readonly resolve: () => void; readonly reject: (cause: unknown) => void };

const commands = new Map<number, Waiting>();
const keeps = new Map<number, Waiting>();
let lastSeq = 0;
let running: Running | undefined;
/** One after the other: an endpoint that is being added must not be changed. */
let inTurn: Promise<void> = Promise.resolve();

function say(message: FromNode): void {
  if (process.connected) process.send?.(message);
}

function fault(what: string, cause: unknown): void {
  say({ type: 'fault', message: `${what}: ${wordsOf(cause)}` });
}

/** The message of an error with those of its causes: what Matter did not take is in the last one. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = [cause.cause, ...('errors' in cause && Array.isArray(cause.errors) ? cause.errors : [])];
  return [cause.message, ...inner.filter((one) => one !== undefined).map(wordsOf)].join(': ');
}

function nextSeq(): number {
  lastSeq += 1;
  return lastSeq;
}

async function askHub({ endpoint, context }: Asked, name: string, value: JsonObject = {}): Promise<void> {
  if (!hasRemoteActor(context)) return;
  if (commands.size >= MOST_WAITING) throw new StatusResponseError('too many commands at once', Status.Busy);
  const seq = nextSeq();
  const fabric = context.fabric ?? 0;
  const timer = setTimeout(() => {
    commands.get(seq)?.reject(new StatusResponseError('the hub does not answer', Status.Busy));
  }, ANSWER_WITHIN_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      commands.set(seq, { resolve, reject });
      say({ type: 'command', command: { seq, endpoint: endpoint.id, name, value, fabric } });
    });
  } finally {
    clearTimeout(timer);
    commands.delete(seq);
  }
}

async function keep(text: string): Promise<void> {
  const seq = nextSeq();
  try {
    await new Promise<void>((resolve, reject) => {
      keeps.set(seq, { resolve, reject });
      say({ type: 'keep', seq, text });
    });
  } finally {
    keeps.delete(seq);
  }
}

async function start(message: ToNode & { readonly type: 'start' }): Promise<void> {
  const network = new LanNetwork(message.addresses, fault);
  const store = createNodeStore(message.kept, keep);
  const bridge = await createBridgeNode({
    start: message,
    network,
    store,
    behaviors: createCommandBehaviors(askHub),
  });
  const window = createPairingWindow({
    node: bridge.node,
    onChange: (codes, why) => say({ type: 'window', codes, why }),
  });
  running = { bridge, window, network };
  await store.numbersOf(message.endpoints.map(({ id }) => id));
  for (const endpoint of message.endpoints) await put(bridge, endpoint);
  const { node } = bridge;
  const sayFabrics = (): void => say({ type: 'fabrics', fabrics: bridge.fabrics() });
  node.events.commissioning.fabricsChanged.on((_index, change) => {
    if (change === 'added') window.noteJoined();
    sayFabrics();
  });
  node.lifecycle.decommissioned.on(() => void setTimeout(() => sayLeft(store), LAST_ANSWER_MS));
  await node.start();
  sayFabrics();
  say({ type: 'started' });
}

function sayLeft(store: NodeStore): void {
  store.flush().then(
    () => say({ type: 'left' }),
    (cause: unknown) => fault('the last fabric has left', cause),
  );
}

async function put(bridge: BridgeNode, endpoint: Parameters<BridgeNode['put']>[0]): Promise<void> {
  try {
    await bridge.put(endpoint);
  } catch (cause) {
    fault(`${endpoint.kind} ${endpoint.id}`, cause);
  }
}

async function carryOut(message: ToNode): Promise<void> {
  if (message.type === 'start') return start(message);
  if (running === undefined) return;
  const { bridge, window, network } = running;
  switch (message.type) {
    case 'addresses':
      return network.setAddresses(message.addresses);
    case 'put':
      return put(bridge, message.endpoint);
    case 'remove':
      return bridge.remove(message.id);
    case 'press':
      return bridge.press(message);
    case 'open_window':
      return window.open(message.seconds);
    case 'close_window':
      return window.close();
    case 'remove_fabric':
      return bridge.removeFabric(message.index);
    case 'stop':
      await bridge.node.close();
      return process.disconnect();
    default:
  }
}

function settle(waiting: Waiting | undefined, refusal: unknown): void {
  if (refusal === undefined) waiting?.resolve();
  else waiting?.reject(refusal);
}

function onMessage(message: ToNode): void {
  // What others wait for in their turn must not wait for its own.
  if (message.type === 'answer') {
    const { refusal, seq } = message;
    const status = refusal === null ? undefined : (REFUSALS[refusal] ?? Status.Failure);
    return settle(commands.get(seq), status && new StatusResponseError('the hub refused it', status));
  }
  if (message.type === 'kept') {
    return settle(keeps.get(message.seq), message.isKept ? undefined : new Error('the hub could not keep the state'));
  }
  inTurn = inTurn
    .then(() => carryOut(message))
    .catch((cause: unknown) => {
      if (message.type !== 'start') return fault(message.type, cause);
      const code = isPortInUse(cause) ? 'PORT_IN_USE' : 'NODE_FAILED';
      say({ type: 'failed', code, message: wordsOf(cause) });
      return undefined;
    });
}

function isPortInUse(cause: unknown): boolean {
  if (cause instanceof AddressInUseError) return true;
  return cause instanceof Error && cause.cause !== undefined && isPortInUse(cause.cause);
}

Logger.level = LogLevel.ERROR;
// The library has promises that nobody awaits: one that fails must not end the bridge.
process.on('unhandledRejection', (cause) => fault('a task of the library failed', cause));
process.on('message', onMessage);
// The hub has gone, or this was the last thing to do: sockets and timers of the library would keep the process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
