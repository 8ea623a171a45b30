import { type ClientNode, FabricIndex, NetworkClient, NodeId } from '@matter/main';
import { FabricAuthority } from '@matter/main/protocol';
import type { CommissioningStep, FromController } from '#integrations/matter/controller-message.ts';
import type { MatterNode } from '#integrations/matter/matter-node.ts';
import type { SetupCode } from '#integrations/matter/setup-code.ts';
import { type HubChannel, wordsOf } from '#integrations/matter-program/process/hub-channel.ts';
import {
  beginCommissioning,
  type Commissioning,
  CommissioningFailure,
  isNotKept,
  type Joined,
} from './commissioning.ts';
import type { HomeNode } from './home-node.ts';
import type { Joins } from './joins.ts';
import { nodeIdOf, nodeOf } from './node-json.ts';
import type { NodeNames } from './node-names.ts';
import { askNode, within } from './node-talk.ts';
import type { PeerWatch } from './peer-watch.ts';

export type Joining = ReturnType<typeof startJoining>;

export type JoinDeps = {
  readonly home: HomeNode;
  /** Writes also what devices said. On disk once resolved. */
  readonly save: () => Promise<void>;
  readonly joins: Joins;
  readonly names: NodeNames;
  readonly watch: PeerWatch;
  readonly channel: HubChannel<FromController>;
};

/** How long a device that has joined may take until it is heard. */
const HEARD_MS = 30_000;
const FAREWELL_MS = 15_000;
const COMPLETE = {
  endpoint: 0,
  cluster: 'generalCommissioning',
  command: 'commissioningComplete',
  fields: {},
  timed: false,
};

/** Looks first for a device that was joining when the program ended. */
export function startJoining(deps: JoinDeps) {
  const { channel } = deps;
  const noteFault = (cause: unknown): void => channel.fault('a device that was joining', cause);
  let before: Promise<unknown> = finishJoining(deps).catch(noteFault);
  let stop: AbortController | undefined;
  return {
    take: async (code: SetupCode): Promise<void> => {
      const refuse = (cause: unknown): void => {
        const fault = cause instanceof CommissioningFailure ? cause.fault : isNotKept(cause) ? 'no_disk' : 'failed';
        channel.say({ type: 'not_commissioned', fault, detail: wordsOf(cause) });
      };
      if (stop !== undefined) return refuse(new Error('another device is joining'));
      stop = new AbortController();
      try {
        const signal = stop.signal;
        await unlessStopped(before, signal);
        const node = await join(deps, { code, signal, onBegin: ({ over }) => void (before = over) });
        channel.say({ type: 'commissioned', node });
      } catch (cause) {
        refuse(cause);
      } finally {
        stop = undefined;
      }
    },
    /** Ends what is joining, or about to. */
    cancel: (): void => stop?.abort(),
  };
}

type Asked = {
  readonly code: SetupCode;
  readonly signal: AbortSignal;
  readonly onBegin: (begun: Commissioning) => void;
};

/** The number is on disk before the device has it, so that one that joins while the power fails is found again. */
async function join(deps: JoinDeps, { code, signal, onBegin }: Asked): Promise<MatterNode> {
  const { home, channel } = deps;
  const nodeId = await beginJoin(deps, signal);
  const onStep = (step: CommissioningStep): void => channel.say({ type: 'commissioning', step });
  const begun = beginCommissioning({ home, code, nodeId, onStep });
  onBegin(begun);
  signal.addEventListener('abort', begun.cancel, { once: true });
  const joined = begun.joined.catch(async (cause: unknown) => {
    const hasJoined = begun.hasJoined();
    if (hasJoined === 'no') await endJoin(deps);
    else await begun.over;
    // One that has perhaps joined and does not answer now is looked for again at the next start.
    const found = hasJoined === 'no' ? undefined : await findJoined(deps, nodeId, hasJoined);
    if (found === undefined) throw cause;
    return found;
  });
  const node = await joined;
  onStep('reading');
  const isHeard = await answers(node);
  const name = await keepOrLetGo(deps, node);
  // It is followed, and told of once it answers.
  if (!isHeard) throw new CommissioningFailure('no_answer', 'it has joined, and does not answer');
  return nodeOf(node, name);
}

async function beginJoin(deps: JoinDeps, signal: AbortSignal): Promise<number> {
  try {
    const nodeId = await deps.joins.begin();
    checkStop(signal);
    return nodeId;
  } catch (cause) {
    await endJoin(deps);
    throw cause;
  }
}

/** With its keys on disk, or without a device, the next start has nothing to look for. */
async function endJoin({ joins, channel }: JoinDeps): Promise<void> {
  await joins.end().catch((inner: unknown) => channel.fault('the state', inner));
}

/** One whose keys are not on disk would obey nobody after the next start: it leaves this home again. */
async function keepOrLetGo(deps: JoinDeps, node: ClientNode): Promise<string> {
  const { watch, channel } = deps;
  try {
    return await takeIn(deps, node);
  } catch (cause) {
    watch.drop(node);
    await within(node.decommission(), FAREWELL_MS)
      .catch(() => node.delete())
      .catch((inner: unknown) => channel.fault('a device that could not be kept', inner));
    throw cause;
  } finally {
    await endJoin(deps);
  }
}

/** Follows a device that has joined, as the one that it was before it was reset. On disk once resolved. */
async function takeIn({ names, watch, save }: JoinDeps, node: ClientNode): Promise<string> {
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

/** A device that was joining when the program ended. */
async function finishJoining(deps: JoinDeps): Promise<void> {
  const { home, joins } = deps;
  const open = joins.open();
  if (open === null) return;
  const isKnown = [...home.peers].some((node) => nodeIdOf(node) === String(open));
  const node = isKnown ? undefined : await findJoined(deps, open, 'perhaps');
  if (node !== undefined) await takeIn(deps, node);
  await joins.end();
}

/** The device with this number. One that has perhaps joined has done so if it answers as one of this home. */
async function findJoined({ home }: JoinDeps, number: number, joined: Joined): Promise<ClientNode | undefined> {
  const known = [...home.peers].find((node) => nodeIdOf(node) === String(number));
  if (known !== undefined) return known;
  const [fabric] = (await home.env.load(FabricAuthority)).fabrics;
  if (fabric === undefined) return undefined;
  const address = { fabricIndex: FabricIndex(fabric.fabricIndex), nodeId: NodeId(number) };
  const node = await home.peers.forAddress(address);
  if (joined === 'yes') return node;
  if (await answers(node)) {
    // It may still wait for this, and would forget the home without; one that has joined wholly refuses it.
    await askNode(node, [COMPLETE]);
    return node;
  }
  await node.delete();
  return undefined;
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
    if (node.act((agent) => agent.get(NetworkClient).subscriptionActive) === true) return true;
    await within(answered, HEARD_MS);
    return true;
  } catch {
    // Nothing of this home is at that number: the device has forgotten it by itself.
    return false;
  } finally {
    if (take !== undefined) changed.off(take);
  }
}

function checkStop(signal: AbortSignal): void {
  if (signal.aborted) throw new CommissioningFailure('cancelled', 'it had not begun');
}

async function unlessStopped(task: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([task, stopped]);
  checkStop(signal);
}
