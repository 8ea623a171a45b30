import { AddressInUseError, Crypto } from '@matter/main';
import { ClientCacheBuffer } from '@matter/main/node';
import type { FromController, Refusal, ToController } from '#integrations/matter/controller-message.ts';
import { type HubChannel, type Role, wordsOf } from '#integrations/matter-program/process/hub-channel.ts';
import { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import { createNodeStore, EASILY_LOST, type NodeStore } from '#integrations/matter-program/process/node-store.ts';
import { isNotKept } from './commissioning.ts';
import { createHomeNode, type HomeNode } from './home-node.ts';
import { type JoinDeps, type Joining, startJoining } from './join-device.ts';
import { createJoins } from './joins.ts';
import { createNodeNames } from './node-names.ts';
import { askNode, doesAnswer, within } from './node-talk.ts';
import { createPeerWatch } from './peer-watch.ts';

type Channel = HubChannel<FromController>;
type Running = JoinDeps & {
  readonly network: LanNetwork;
  readonly saves: PacedSaves;
  readonly store: NodeStore;
  readonly joining: Joining;
};

/** Devices say this again after a start. */
const OF_DEVICES = /^(?:[^.]+\.)?nodes\.[^.]+\.endpoints\./;
const SLOW = new RegExp(`${OF_DEVICES.source}|${EASILY_LOST.source}`);
/** A device may change its parts each second, and what is written is the whole home. */
const STRUCTURE_EVERY_MS = 60_000;
/** One that does not answer its farewell keeps the keys of this home until it is reset. */
const FAREWELL_MS = 15_000;
const NO_DISK: Refusal = { status: null, message: 'the disk is full', isDiskFull: true };
const NO_ANSWER: Refusal = { status: null, message: 'it does not answer' };

/** Takes devices into this home, and speaks with them. */
export function createControllerRole(channel: Channel): Role<ToController> {
  let starting: Promise<Running> | undefined;
  return {
    onMessage: (message) => {
      if (message.type === 'start') {
        starting = start(message, channel);
        starting.catch((cause: unknown) => {
          const code = isPortInUse(cause) ? 'PORT_IN_USE' : 'NODE_FAILED';
          channel.say({ type: 'failed', code, message: wordsOf(cause) });
        });
        return;
      }
      starting
        ?.then((running) => carryOut(running, message))
        .catch((cause: unknown) => channel.fault(message.type, cause));
    },
    close: async () => {
      const running = await starting?.catch(() => undefined);
      if (running === undefined) return;
      running.saves.stop();
      await running.save().catch((cause: unknown) => channel.fault('the state', cause));
      await end(running);
    },
  };
}

async function end({ home, store, saves, watch }: Pick<Running, 'home' | 'store' | 'saves' | 'watch'>): Promise<void> {
  saves.stop();
  // Closing writes as well: a full disk must not keep the part from its end. What is lost is heard again.
  store.abandon();
  // The library deletes each device that it closes: none of them leaves this home.
  watch.stop();
  await home.close();
}

async function start(message: ToController & { readonly type: 'start' }, channel: Channel): Promise<Running> {
  const { say, fault, keep } = channel;
  const network = new LanNetwork(message.addresses, fault);
  let isStarting = true;
  // A home whose keys are on disk can be at work with a full disk, which is asked again until it takes the rest.
  const mayWait = (): boolean => isStarting && message.memory !== null;
  const store = createNodeStore(message.memory, keep, { slow: SLOW, mayWait });
  const home = await createHomeNode({ start: message, network, store, fault });
  const joins = createJoins(store.driver, () => home.env.get(Crypto).randomUint32);
  const save = (): Promise<void> => saveAll(home, store);
  const saveNow = (): Promise<void> => save().catch((cause: unknown) => fault('the state', cause));
  const saves = createPacedSaves(STRUCTURE_EVERY_MS, saveNow);
  const names = createNodeNames(store.driver);
  const watch = createPeerWatch({ home, names, say, onStructure: saves.ask, onKeys: () => void saveNow(), fault });
  const left = names.replaced([...home.peers]);
  for (const node of home.peers) if (node.lifecycle.isCommissioned && !left.has(node)) watch.follow(node);
  try {
    await home.start();
  } catch (cause) {
    // It is tried again, in the same process: its sockets for mDNS are open also where its port is not.
    await end({ home, store, saves, watch }).catch((inner: unknown) => fault('the end of the node', inner));
    throw cause;
  }
  isStarting = false;
  for (const node of left) await node.delete().catch((cause: unknown) => fault('a device that left', cause));
  say({ type: 'started', nodes: watch.all() });
  watch.begin();
  const deps = { home, save, joins, names, watch, channel };
  return { ...deps, network, store, saves, joining: startJoining(deps) };
}

async function saveAll(home: HomeNode, store: NodeStore): Promise<void> {
  if (home.env.has(ClientCacheBuffer)) await home.env.get(ClientCacheBuffer).flush();
  await store.flush();
}

async function carryOut(running: Running, message: ToController): Promise<void> {
  const { network, watch, channel, joining } = running;
  switch (message.type) {
    case 'addresses':
      return network.setAddresses(message.addresses);
    case 'commission':
      return joining.take(message.code);
    case 'cancel':
      return joining.cancel();
    case 'ask': {
      const node = watch.find(message.nodeId);
      const refusal = node === undefined ? NO_ANSWER : await askNode(node, message.asks);
      return channel.say({ type: 'answer', seq: message.seq, refusal });
    }
    case 'remove':
      return channel.say({ type: 'answer', seq: message.seq, refusal: await remove(running, message) });
    default:
  }
}

/** One that left while the disk is full would be back after a start of the program, and never answer. */
async function fits({ probe }: NodeStore): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch (cause) {
    if (isNotKept(cause)) return false;
    throw cause;
  }
}

type Removal = ToController & { readonly type: 'remove' };

async function remove(
  { watch, save, store, channel }: Running,
  { nodeId, isForced }: Removal,
): Promise<Refusal | null> {
  const node = watch.find(nodeId);
  if (node === undefined) return null;
  // A farewell that fails leaves the library's node half closed: it could not be taken leave of again.
  const isThere = await doesAnswer(node);
  if (!isThere && !isForced) return NO_ANSWER;
  if (!isForced && !(await fits(store))) return NO_DISK;
  watch.drop(node);
  try {
    if (!isThere) throw new Error(NO_ANSWER.message);
    await within(node.decommission(), FAREWELL_MS);
  } catch (cause) {
    if (!isForced) {
      watch.follow(node);
      return { status: null, message: wordsOf(cause) };
    }
    channel.fault('the farewell of a device', cause);
    await node.delete();
  }
  // It is gone also where the disk does not take that now: it is written once the disk has room.
  await save().catch((cause: unknown) => channel.fault('the state', cause));
  return null;
}

function isPortInUse(cause: unknown): boolean {
  if (cause instanceof AddressInUseError) return true;
  return cause instanceof Error && cause.cause !== undefined && isPortInUse(cause.cause);
}

/** Saves what may wait a while. */
type PacedSaves = ReturnType<typeof createPacedSaves>;

export function createPacedSaves(everyMs: number, save: () => Promise<void>) {
  let pause: NodeJS.Timeout | undefined;
  let isAsked = false;
  let isStopped = false;

  const ask = (): void => {
    isAsked = true;
    if (pause === undefined && !isStopped) begin();
  };
  const begin = (): void => {
    isAsked = false;
    pause = setTimeout(() => {
      pause = undefined;
      if (isAsked) begin();
    }, everyMs).unref();
    void save();
  };
  return {
    /** The first one at once; what is asked for soon after a save is one save at the end of the pause. */
    ask,
    /** Nothing is saved any more. */
    stop: (): void => {
      isStopped = true;
      clearTimeout(pause);
      pause = undefined;
    },
  };
}
