import { setTimeout as delay } from 'node:timers/promises';
import { Crypto, Endpoint, FabricIndex, ServerNode, VendorId } from '@matter/main';
import { DescriptorServer } from '@matter/main/behaviors/descriptor';
import { AggregatorEndpoint } from '@matter/main/endpoints/aggregator';
import { FabricManager } from '@matter/main/protocol';
import type { JsonObject } from '#base/json.ts';
import type { BridgedEndpoint, ClusterState, Fabric, ToNode } from '#integrations/matter-bridge/node-message.ts';
import type { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import type { NodeStore } from '#integrations/matter-program/process/node-store.ts';
import { createRoleEnvironment } from '#integrations/matter-program/process/role-environment.ts';
import { createCertification } from './certification.ts';
import type { CommandBehaviors } from './command-behaviors.ts';
import { ButtonServer, endpointTypeOf } from './endpoint-types.ts';

/** The Matter node: a bridge with an endpoint for each function of a device. */
export type BridgeNode = Awaited<ReturnType<typeof createBridgeNode>>;

type BridgeNodeDeps = {
  readonly start: ToNode & { readonly type: 'start' };
  readonly network: LanNetwork;
  readonly store: NodeStore;
  readonly behaviors: CommandBehaviors;
};

/** Ids that the standard keeps for tests: a certificate of the alliance belongs to a maker of devices. */
const VENDOR = { vendorId: VendorId(0xfff1), productId: 0x8000 };
/** A cover that has not come where it was sent by then stands somewhere else. */
const MOVING_MS = 90_000;
/** A home that is away never answers it. */
const FAREWELL_MS = 2_000;

type Known = { readonly endpoint: Endpoint; readonly build: string };

/** The node before it is online. */
export async function createBridgeNode({ start, network, store, behaviors }: BridgeNodeDeps) {
  const node = await createNode(start, network, store);
  const aggregator = new Endpoint(AggregatorEndpoint, { id: 'aggregator', number: 1 });
  await node.add(aggregator);
  const known = new Map<string, Known>();
  const waiting = new Map<string, BridgedEndpoint>();

  const add = async (bridged: BridgedEndpoint): Promise<void> => {
    const number = (await store.numbersOf([bridged.id])).get(bridged.id);
    // Another number after a power cut would be another accessory to the homes.
    if (number === undefined) return void waiting.set(bridged.id, bridged);
    waiting.delete(bridged.id);
    const type = endpointTypeOf(bridged, behaviors);
    const endpoint = new Endpoint(type, { id: bridged.id, number, ...bridged.state });
    try {
      await aggregator.add(endpoint);
      if (bridged.parts.includes('battery')) await describePowerSource(endpoint);
    } catch (cause) {
      // It is half there, and may not know how to end: what it failed of is what counts.
      throw await endpoint.delete().then(
        () => cause,
        () => cause,
      );
    }
    known.set(bridged.id, { endpoint, build: buildOf(bridged) });
  };
  const remove = async (id: string): Promise<void> => {
    const found = known.get(id);
    known.delete(id);
    waiting.delete(id);
    await found?.endpoint.delete();
  };
  return {
    node,
    /** The endpoints that wait for a number. */
    waiting: (): readonly BridgedEndpoint[] => [...waiting.values()],
    /** Adds it, or brings it up to date. Rejects where Matter does not take it. Without a number on disk it waits. */
    put: async (bridged: BridgedEndpoint): Promise<void> => {
      const found = known.get(bridged.id);
      if (found?.build === buildOf(bridged)) {
        await found.endpoint.set(bridged.state);
        followCover(found.endpoint, bridged);
        return;
      }
      await remove(bridged.id);
      await add(bridged);
    },
    remove,
    rename: async (name: string): Promise<void> =>
      node.set({ basicInformation: { nodeLabel: name }, productDescription: { name } }),
    press: async ({ id, how, count }: ToNode & { readonly type: 'press' }): Promise<void> => {
      const endpoint = known.get(id)?.endpoint;
      if (endpoint !== undefined) await pressButton(endpoint, how, count);
    },
    fabrics: (): readonly Fabric[] =>
      Object.values(node.state.commissioning.fabrics).map((fabric) => ({
        index: fabric.fabricIndex,
        label: fabric.label,
        vendorId: fabric.rootVendorId,
      })),
    removeFabric: async (index: number): Promise<void> => {
      const fabric = node.env.get(FabricManager).maybeFor(FabricIndex(index));
      if (fabric === undefined) return;
      // The library sends the farewell again and again, for each session, before it deletes anything.
      await Promise.race([fabric.leave(), delay(FAREWELL_MS)]);
      await fabric.delete();
    },
  };
}

async function createNode(
  { about, port }: BridgeNodeDeps['start'],
  network: LanNetwork,
  store: NodeStore,
): Promise<ServerNode> {
  const environment = createRoleEnvironment('bridge', network, store);
  const { name } = about;
  return ServerNode.create({
    id: 'hub',
    environment,
    network: { port, tcp: false, ble: false },
    // A window opens when a person opens it.
    commissioning: { enabled: false },
    operationalCredentials: { certification: () => createCertification(environment.get(Crypto), VENDOR) },
    productDescription: { name, deviceType: AggregatorEndpoint.deviceType, ...VENDOR },
    basicInformation: {
      ...VENDOR,
      vendorName: 'hearthd',
      productName: 'hearthd',
      productLabel: 'hearthd',
      nodeLabel: name,
      serialNumber: about.id.replaceAll('-', '').slice(0, 32),
      uniqueId: about.id.replaceAll('-', '').slice(0, 32),
      softwareVersionString: about.version,
      hardwareVersionString: '1',
    },
  });
}

/** Another build needs another endpoint: Matter fixes its clusters when it is added. */
function buildOf({ kind, parts }: BridgedEndpoint): string {
  return [kind, ...parts].join(' ');
}

async function describePowerSource(endpoint: Endpoint): Promise<void> {
  await endpoint.act((agent) => agent.get(DescriptorServer).addDeviceTypes('PowerSource'));
}

const coverTimers = new WeakMap<Endpoint, NodeJS.Timeout>();

/** Ends a movement that nobody reports any more. */
function followCover(endpoint: Endpoint, { kind, state }: BridgedEndpoint): void {
  if (kind !== 'window_covering') return;
  clearTimeout(coverTimers.get(endpoint));
  const { currentPositionLiftPercent100ths: lift, currentPositionTiltPercent100ths: tilt } =
    state['windowCovering'] ?? {};
  const still = {
    ...(lift === undefined ? {} : { targetPositionLiftPercent100ths: lift }),
    ...(tilt === undefined ? {} : { targetPositionTiltPercent100ths: tilt }),
  };
  const timer = setTimeout(() => void endpoint.set(coverState(still)), MOVING_MS);
  coverTimers.set(endpoint, timer.unref());
}

/** The type of an endpoint says which clusters it has; here it can be any. */
function coverState(windowCovering: JsonObject): Parameters<Endpoint['set']>[0] {
  const state: ClusterState = { windowCovering };
  return state;
}

/** The events of one press, or of several in a row, as Matter has them. */
async function pressButton(endpoint: Endpoint, how: 'short' | 'hold' | 'release', count: number): Promise<void> {
  await endpoint.act((agent) => {
    const { events, context } = agent.get(ButtonServer);
    if (how === 'release') return void events.longRelease.emit({ previousPosition: 1 }, context);
    if (how === 'hold') {
      events.initialPress.emit({ newPosition: 1 }, context);
      events.longPress.emit({ newPosition: 1 }, context);
      return undefined;
    }
    for (let press = 1; press <= count; press += 1) {
      events.initialPress.emit({ newPosition: 1 }, context);
      if (press > 1) events.multiPressOngoing.emit({ newPosition: 1, currentNumberOfPressesCounted: press }, context);
      events.shortRelease.emit({ previousPosition: 1 }, context);
    }
    events.multiPressComplete.emit({ previousPosition: 1, totalNumberOfPressesCounted: count }, context);
    return undefined;
  });
}
