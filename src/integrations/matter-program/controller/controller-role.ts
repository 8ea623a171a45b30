import { AddressInUseError, type ClientNode, Crypto, FabricIndex, NetworkClient, NodeId } from '@matter/main';
import { ClientCacheBuffer } from '@matter/main/node';
import { FabricAuthority } from '@matter/main/protocol';
import type { FromController, Refusal, ToController } from '#integrations/matter/controller-message.ts';
import type { SetupCode } from '#integrations/matter/setup-code.ts';
import { type HubChannel, type Role, wordsOf } from '#integrations/matter-program/process/hub-channel.ts';
import { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import { createNodeStore, type NodeStore } from '#integrations/matter-program/process/node-store.ts';
import { beginCommissioning, type Commissioning, CommissioningFailure } from './commissioning.ts';
import { createHomeNode, type HomeNode } from './home-node.ts';
import { createJoins, type Joins } from './joins.ts';
import { nodeIdOf, nodeOf } from './node-json.ts';
import { createNodeNames, type NodeNames } from './node-names.ts';
import { askNode, doesAnswer } from './node-talk.ts';
import { createPeerWatch, type PeerWatch } from './peer-watch.ts';

type Channel = HubChannel<FromController>;
type Running = {
  readonly home: HomeNode;
  readonly network: LanNetwork;
  /** Writes also what devices said. On disk once resolved. */
  readonly save: () => Promise<void>;
  readonly joins: Joins;
  readonly names: NodeNames;
  readonly watch: PeerWatch;
  readonly channel: Channel;
  /** Resolves once it is known of each device whether it has joined. */
  readonly finished: Promise<void>;
  /** Ends what is joining, or about to. */
  cancel?: (() => void) | undefined;
};

/** What devices say, and the sessions with them: heard again after a start. */
const SLOW = /^(?:[^.]+\.)?(?:nodes\.[^.]+\.endpoints|sessions)\./;
/** One that does not answer its farewell keeps the keys of this home until it is reset. */
const JOINED_MS = 30_000;
const FAREWELL_MS = 15_000;
const COMPLETE = {
  endpoint: 0,
  cluster: 'generalCommissioning',
  command: 'commissioningComplete',
  fields: {},
  timed: false,
};
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
      await running.save();
      // The library deletes each device that it closes: none of them leaves this home.
      running.watch.stop();
      await running.home.close();
    },
  };
}

async function start(message: ToController & { readonly type: 'start' }, channel: Channel): Promise<Running> {
  const { say, fault, keep } = channel;
  const network = new LanNetwork(message.addresses, fault);
  const store = createNodeStore(message.kept, keep, { slow: SLOW });
  const home = await createHomeNode({ start: message, network, store });
  const joins = createJoins(store.driver, () => home.env.get(Crypto).randomUint32);
  const save = (): Promise<void> => saveAll(home, store);
  const onStructure = (): void => void save().catch((cause: unknown) => fault('the state', cause));
  const names = createNodeNames(store.driver);
  const watch = createPeerWatch({ home, names, say, onStructure });
  const left = names.replaced([...home.peers]);
  for (const node of home.peers) if (node.lifecycle.isCommissioned && !left.has(node)) watch.follow(node);
  await home.start();
  for (const node of left) await node.delete();
  say({ type: 'started', nodes: watch.all() });
  const running = { home, network, save, joins, names, watch, channel };
  const finished = finishJoining(running).catch((cause: unknown) => fault('a device that was joining', cause));
  return { ...running, finished };
}

async function saveAll(home: HomeNode, store: NodeStore): Promise<void> {
  if (home.env.has(ClientCacheBuffer)) await home.env.get(ClientCacheBuffer).flush();
  await store.flush();
}

async function carryOut(running: Running, message: ToController): Promise<void> {
  const { network, watch, channel } = running;
  switch (message.type) {
    case 'addresses':
      return network.setAddresses(message.addresses);
    case 'commission':
      return commission(running, message.code);
    case 'cancel':
      return running.cancel?.();
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

/** The number is on disk before the device has it, so that one that joins while the power fails is found again. */
async function commission(running: Running, code: SetupCode): Promise<void> {
  const { home, joins, channel } = running;
  let joining: Commissioning | undefined;
  let isCancelled = false;
  running.cancel = () => {
    isCancelled = true;
    joining?.cancel();
  };
  await running.finished;
  try {
    const number = await joins.begin();
    if (isCancelled) throw new CommissioningFailure('cancelled', 'it had not begun');
    const onStep = (step: Parameters<Parameters<typeof beginCommissioning>[0]['onStep']>[0]): void =>
      channel.say({ type: 'commissioning', step });
    joining = beginCommissioning({ home, code, nodeId: number, onStep });
    const node = await joining.joined;
    onStep('reading');
    const nodeId = await takeIn(running, node);
    await joins.end();
    channel.say({ type: 'commissioned', node: nodeOf(node, nodeId) });
  } catch (cause) {
    await joins.end().catch((inner: unknown) => channel.fault('the state', inner));
    const fault = cause instanceof CommissioningFailure ? cause.fault : 'failed';
    channel.say({ type: 'not_commissioned', fault, detail: wordsOf(cause) });
  } finally {
    running.cancel = undefined;
  }
}

type Known = Omit<Running, 'finished'>;

/** Follows a device that has joined, as the one that it was before it was reset. On disk once resolved. */
async function takeIn({ names, watch, save }: Known, node: ClientNode): Promise<string> {
  const earlier = await watch.findEarlier(node);
  if (earlier !== undefined) {
    await names.inherit(node, earlier.nodeId);
    watch.drop(earlier.node);
    await earlier.node.delete();
  }
  await save();
  watch.follow(node);
  return names.nameOf(node) ?? '';
}

/** A device that was joining when the program ended: it has joined if it answers as one of this home. */
async function finishJoining(running: Known): Promise<void> {
  const { home, joins } = running;
  const open = joins.open();
  if (open === null) return;
  const [fabric] = (await home.env.load(FabricAuthority)).fabrics;
  const isKnown = [...home.peers].some((node) => nodeIdOf(node) === String(open));
  if (fabric !== undefined && !isKnown) {
    const address = { fabricIndex: FabricIndex(fabric.fabricIndex), nodeId: NodeId(open) };
    const node = await home.peers.forAddress(address);
    if (await answers(node)) {
      // It may still wait for this, and would forget the home without; one that has joined wholly refuses it.
      await askNode(node, [COMPLETE]);
      await takeIn(running, node);
    } else await node.delete();
  }
  await joins.end();
}

/** It says that it is there within seconds, and is read whole then. */
async function answers(node: ClientNode): Promise<boolean> {
  const { subscriptionStatusChanged: changed } = node.eventsOf(NetworkClient);
  let take: ((isActive: boolean) => void) | undefined;
  const answered = new Promise<void>((resolve) => {
    take = (isActive) => (isActive ? resolve() : undefined);
    changed.on(take);
  });
  try {
    await node.set({ network: { autoSubscribe: true } });
    await node.start();
    await within(answered, JOINED_MS);
    return true;
  } catch {
    // Nothing of this home is at that number: the device has forgotten it by itself.
    return false;
  } finally {
    if (take !== undefined) changed.off(take);
  }
}

type Removal = ToController & { readonly type: 'remove' };

async function remove({ watch, save }: Running, { nodeId, isForced }: Removal): Promise<Refusal | null> {
  const node = watch.find(nodeId);
  if (node === undefined) return null;
  // A farewell that fails leaves the library's node half closed: it could not be taken leave of again.
  const isThere = await doesAnswer(node);
  if (!isThere && !isForced) return NO_ANSWER;
  watch.drop(node);
  try {
    if (!isThere) throw new Error(NO_ANSWER.message);
    await within(node.decommission(), FAREWELL_MS);
  } catch (cause) {
    if (!isForced) {
      watch.follow(node);
      return { status: null, message: wordsOf(cause) };
    }
    await node.delete();
  }
  await save();
  return null;
}

async function within(task: unknown, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), ms);
  });
  try {
    await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isPortInUse(cause: unknown): boolean {
  if (cause instanceof AddressInUseError) return true;
  return cause instanceof Error && cause.cause !== undefined && isPortInUse(cause.cause);
}
