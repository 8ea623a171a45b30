import { AddressInUseError, type FabricIndex, type ServerNode, type StorageDriver } from '@matter/main';
import { hasRemoteActor, DeviceCommissioner, FabricManager } from '@matter/main/protocol';
import { Status, StatusResponseError } from '@matter/main/types';
import type { JsonObject } from '#base/json.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { FromNode, ToNode } from '#integrations/matter-bridge/node-message.ts';
import { type HubChannel, type Role, wordsOf } from '#integrations/matter-program/process/hub-channel.ts';
import { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import { createNodeStore, EASILY_LOST, type NodeStore } from '#integrations/matter-program/process/node-store.ts';
import type { CommandOrigin, AskHub } from './ask-hub.ts';
import { type BridgeNode, createBridgeNode } from './bridge-node.ts';
import { createCommandBehaviors } from './command-behaviors.ts';
import { createPairingWindow, type PairingWindow } from './pairing-window.ts';

/** Commands of one fabric that wait for the answer of the hub at once. */
const MOST_WAITING = 64;
const ANSWER_WITHIN_MS = 5_000;
/** The last controller waits for the answer to its farewell, which may need to be sent again. */
const LAST_ANSWER_MS = 2_000;
/** The contexts of endpoints: their state comes from the hub at each start. */
const OF_ENDPOINTS = /^(?:[^.]+\.)?root\.parts\./;
/** Homes may read and write this of the node itself: a write there fails where it is not kept. */
const OF_NODE = /^(?:[^.]+\.)?root\.(?!parts\.|subscriptions\.)/;
/** That a home is gone counts at once, and is written as soon as it can be. */
const OF_HOMES = /^(?:fabrics|unfinished-join)\./;
const REFUSALS: Readonly<Record<string, Status>> = {
  access: Status.UnsupportedAccess,
  invalid: Status.ConstraintError,
  busy: Status.Busy,
};

type Channel = HubChannel<FromNode>;
type Running = {
  readonly bridge: BridgeNode;
  readonly window: PairingWindow;
  readonly network: LanNetwork;
  readonly store: NodeStore;
};

/** Offers devices of the hub to homes of other makers. */
export function createBridgeRole(channel: Channel): Role<ToNode> {
  const { ask, answer } = createQuestions(channel);
  let running: Running | undefined;
  /** One after the other: an endpoint that is being added must not be changed. */
  const inTurn = createTurnQueue();
  const later = (what: string, task: () => Promise<void>): void => {
    inTurn(task).catch((cause: unknown) => channel.fault(what, cause));
  };

  const carryOut = async (message: ToNode): Promise<void> => {
    if (message.type === 'start') {
      running = await start(message, { ask, channel, later });
      return;
    }
    if (running !== undefined) await carryOutIn(running, message, channel);
  };
  return {
    onMessage: (message) => {
      if (message.type === 'answer') return answer(message);
      inTurn(() => carryOut(message)).catch((cause: unknown) => {
        if (message.type !== 'start') return channel.fault(message.type, cause);
        const code = isPortInUse(cause) ? 'PORT_IN_USE' : 'NODE_FAILED';
        channel.say({ type: 'failed', code, message: wordsOf(cause) });
        return undefined;
      });
      return undefined;
    },
    close: async () => {
      await inTurn(() => Promise.resolve());
      await running?.store.flush().catch((cause: unknown) => channel.fault('the state', cause));
      await running?.bridge.node.close();
    },
  };
}

type Waiting = { readonly resolve: () => void; readonly reject: (cause: Error) => void; readonly fabric: number };

/** Commands of controllers, which wait for the hub to take or refuse them. */
function createQuestions({ say }: Channel) {
  const commands = new Map<number, Waiting>();
  let lastSeq = 0;
  const ask: AskHub = async ({ endpoint, context }: CommandOrigin, name: string, value: JsonObject = {}) => {
    if (!hasRemoteActor(context)) return;
    const fabric = context.fabric ?? 0;
    const waiting = [...commands.values()].filter((one) => one.fabric === fabric).length;
    if (waiting >= MOST_WAITING) throw new StatusResponseError('too many commands at once', Status.Busy);
    lastSeq += 1;
    const seq = lastSeq;
    const timer = setTimeout(() => {
      commands.get(seq)?.reject(new StatusResponseError('the hub does not answer', Status.Busy));
    }, ANSWER_WITHIN_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        commands.set(seq, { resolve, reject, fabric });
        say({ type: 'command', command: { seq, endpoint: endpoint.id, name, value, fabric } });
      });
    } finally {
      clearTimeout(timer);
      commands.delete(seq);
    }
  };
  const answer = ({ refusal, seq }: ToNode & { readonly type: 'answer' }): void => {
    if (refusal === null) return commands.get(seq)?.resolve();
    const status = REFUSALS[refusal] ?? Status.Failure;
    return commands.get(seq)?.reject(new StatusResponseError('the hub refused it', status));
  };
  return { ask, answer };
}

type Surroundings = {
  readonly ask: AskHub;
  readonly channel: Channel;
  /** Does it once what is before it is done. */
  readonly later: (what: string, task: () => Promise<void>) => void;
};

async function start(message: ToNode & { readonly type: 'start' }, around: Surroundings): Promise<Running> {
  const { say, fault, keep } = around.channel;
  const network = new LanNetwork(message.addresses, fault);
  let disk: DiskNews | undefined;
  const store = createNodeStore(message.memory, keep, {
    passing: OF_ENDPOINTS,
    slow: EASILY_LOST,
    numbers: message.numbers,
    // A node that starts knows its homes already, and a home whose keys cannot be kept does not join.
    mayWait: (name) => disk === undefined || !disk.mustKeep(name),
    onNumbers: (numbers) => say({ type: 'numbers', numbers }),
    onFull: () => disk?.onFull(),
    onRoom: () => disk?.onRoom(),
  });
  await forgetOnlyHome(store.driver);
  const behaviors = createCommandBehaviors(around.ask);
  const bridge = await createBridgeNode({ start: message, network, store, behaviors });
  try {
    const window = createPairingWindow({
      node: bridge.node,
      probe: store.probe,
      onChange: (codes, why, cause) =>
        say({ type: 'window', codes, why, ...(cause === undefined ? {} : { reason: wordsOf(cause) }) }),
    });
    const numbers = await store.numbersOf(message.endpoints.map(({ id }) => id));
    say({ type: 'numbers', numbers: Object.fromEntries(numbers) });
    for (const endpoint of message.endpoints) await put(bridge, endpoint, fault);
    disk = await bringOnline({ bridge, window, store }, around);
    say({ type: 'started' });
    return { bridge, window, network, store };
  } catch (cause) {
    store.abandon();
    await bridge.node.close().catch((inner: unknown) => fault('the end of the node', inner));
    throw cause;
  }
}

/** The bridge acts on whether the disk takes what must be remembered. */
type DiskNews = Awaited<ReturnType<typeof bringOnline>>;
type Offline = Pick<Running, 'bridge' | 'window' | 'store'>;

async function bringOnline({ bridge, window, store }: Offline, { channel, later }: Surroundings) {
  const { say, fault } = channel;
  const { node } = bridge;
  let hasLeft = false;
  const sayFabrics = (): void => say({ type: 'fabrics', fabrics: bridge.fabrics() });
  const sayLeft = (): void =>
    void store.flush().then(
      () => say({ type: 'left' }),
      (cause: unknown) => fault('the last fabric has left', cause),
    );
  node.events.commissioning.fabricsChanged.on(sayFabrics);
  node.lifecycle.decommissioned.on(() => {
    hasLeft = true;
    setTimeout(sayLeft, LAST_ANSWER_MS);
  });
  const join = watchUnfinishedJoin({
    node,
    driver: store.driver,
    onFailure: (cause) => fault('a home that joins', cause),
  });
  await node.start();
  await join.undo();
  sayFabrics();
  return {
    mustKeep: (name: string): boolean => OF_NODE.test(name) || (OF_HOMES.test(name) && join.isUnderWay()),
    onFull: (): void => {
      window.giveUp().catch((cause: unknown) => fault('the end of the window', cause));
      if (!join.isUnderWay()) return;
      // The library would keep the home in memory and lose it with the next start.
      store.abandon();
      say({ type: 'not_joined' });
    },
    onRoom: (): void => {
      if (hasLeft) return sayLeft();
      sayFabrics();
      return later('new devices', async () => {
        for (const endpoint of bridge.waiting()) await put(bridge, endpoint, fault);
      });
    },
  };
}

type Put = Parameters<BridgeNode['put']>[0];

async function put(bridge: BridgeNode, endpoint: Put, fault: Channel['fault']): Promise<void> {
  try {
    await bridge.put(endpoint);
  } catch (cause) {
    fault(`${endpoint.kind} ${endpoint.id}`, cause);
  }
}

async function carryOutIn({ bridge, window, network }: Running, message: ToNode, { fault }: Channel): Promise<void> {
  switch (message.type) {
    case 'addresses':
      return network.setAddresses(message.addresses);
    case 'put':
      return put(bridge, message.endpoint, fault);
    case 'remove':
      return bridge.remove(message.id);
    case 'rename':
      return bridge.rename(message.name);
    case 'press':
      return bridge.press(message);
    case 'open_window':
      return window.open(message.seconds);
    case 'close_window':
      return window.close();
    case 'remove_fabric':
      return bridge.removeFabric(message.index);
    default:
  }
}

function isPortInUse(cause: unknown): boolean {
  if (cause instanceof AddressInUseError) return true;
  return cause instanceof Error && cause.cause !== undefined && isPortInUse(cause.cause);
}

type UnfinishedJoinDeps = {
  readonly node: ServerNode;
  readonly driver: StorageDriver;
  readonly onFailure: (cause: unknown) => void;
};

const CONTEXT = ['unfinished-join'];
const KEY = 'fabric';
const NONE: number = 0;

/**
 * Forgets a home that was alone and had not finished, before the node is there: a node whose last home leaves begins anew
 * while it runs.
 */
export async function forgetOnlyHome(driver: StorageDriver): Promise<void> {
  const index = driver.get(CONTEXT, KEY);
  if (typeof index !== 'number' || index === NONE) return;
  const fabrics = driver.get(['fabrics'], 'fabrics') as readonly { readonly fabricIndex: number }[] | undefined;
  if ((fabrics ?? []).every(({ fabricIndex }) => fabricIndex === index)) await driver.clearAll([]);
}

/**
 * A home that takes the bridge in has it once it has said so, and not at all if the bridge ends before. * Matter
 * undoes at the next start what was not finished (Matter 1.4, 11.10.7.2). The library writes a new fabric with
 * whatever else changes in the fabrics, and takes it for finished when it reads it again.
 */
export function watchUnfinishedJoin({ node, driver, onFailure }: UnfinishedJoinDeps) {
  const fabrics = node.env.get(FabricManager);
  const commissioner = node.env.get(DeviceCommissioner);
  let joining = NONE;
  fabrics.events.added.on(({ fabricIndex }) => {
    if (!commissioner.isFailsafeArmed) return;
    joining = fabricIndex;
    Promise.resolve(driver.set(CONTEXT, KEY, fabricIndex)).catch(onFailure);
    // Before the home hears that it is finished.
    commissioner.failsafeContext.commissioned.on(async () => {
      await driver.set(CONTEXT, KEY, NONE);
      joining = NONE;
    });
  });
  fabrics.events.deleted.on(({ fabricIndex }) => {
    if (joining === fabricIndex) joining = NONE;
  });
  return {
    /** A home has its keys, and has not yet said that it is finished. */
    isUnderWay: (): boolean => joining !== NONE,
    /** Forgets the home that was taking the bridge in when the program ended. On disk once resolved. */
    undo: async (): Promise<void> => {
      const index = driver.get(CONTEXT, KEY);
      if (typeof index !== 'number' || index === NONE) return;
      await fabrics.maybeFor(index as FabricIndex)?.delete();
      await driver.set(CONTEXT, KEY, NONE);
    },
  };
}
