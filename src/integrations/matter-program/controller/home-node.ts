import { type ClientNode, ControllerBehavior, Seconds, ServerNode, VendorId } from '@matter/main';
import type { ToController } from '#integrations/matter/controller-message.ts';
import type { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import type { NodeStore } from '#integrations/matter-program/process/node-store.ts';
import { createRoleEnvironment } from '#integrations/matter-program/process/role-environment.ts';
import { installAuthority } from './home-authority.ts';
import { guardParts } from './part-circles.ts';

const Root = ServerNode.RootEndpoint.with(ControllerBehavior);
export type HomeNode = ServerNode<typeof Root>;

type HomeNodeDeps = {
  readonly start: ToController & { readonly type: 'start' };
  readonly network: LanNetwork;
  readonly store: NodeStore;
  readonly fault: (what: string, cause: unknown) => void;
};

/** The library asks a device that is away every two to five minutes: a home wants it back sooner, and has few devices. */
const TIMING = {
  maxDelayBetweenInitialContactRetries: Seconds(10),
  delayBeforeNextAddress: Seconds(5),
  delayAfterNetworkError: Seconds(5),
  delayAfterPeerError: Seconds(20),
};
const MOST_LABEL = 32;

/** The node of the hub itself, which has the keys of this home. Nobody can take it into another one. */
export async function createHomeNode({ start, network, store, fault }: HomeNodeDeps): Promise<HomeNode> {
  const environment = createRoleEnvironment('controller', network, store);
  await installAuthority(environment, store);
  const name = start.about.name.slice(0, MOST_LABEL);
  const home = await ServerNode.create(Root, {
    id: 'hub',
    environment,
    network: { port: start.port, tcp: false, ble: false, timing: TIMING },
    commissioning: { enabled: false },
    controller: { adminFabricLabel: name, ble: false },
    // The standard keeps these ids for tests: nobody sees them but the devices of this home.
    basicInformation: { vendorId: VendorId(0xfff1), vendorName: 'hearthd', productId: 0x8001, productName: 'hearthd' },
  });
  const guard = (node: ClientNode): void =>
    guardParts(node, () => fault('the parts of a device', 'one is a part of itself'));
  for (const node of home.peers) guard(node);
  home.peers.added.on((node) => {
    // The library says so while it still builds the node, and hears nothing of it before it has.
    Promise.resolve(node)
      .then(guard)
      .catch((cause: unknown) => fault('the parts of a device', cause));
  });
  return home;
}
