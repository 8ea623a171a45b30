import { Crypto, Entropy, Environment, Network, StorageService } from '@matter/main';
import type { LanNetwork } from './lan-network.ts';
import type { NodeStore } from './node-store.ts';

const STORAGE = 'hub';

/**
 * Makes what a node finds around it: the network of the hub, and one file, which the hub keeps. Each role has its own,
 * because the library ends all that is in one when a task in it fails.
 */
export function createRoleEnvironment(name: string, network: LanNetwork, store: NodeStore): Environment {
  const environment = new Environment(name);
  environment.set(Entropy, Environment.default.get(Entropy));
  environment.set(Crypto, Environment.default.get(Crypto));
  environment.set(Network, network);
  const storage = environment.get(StorageService);
  storage.registerDriver({ id: STORAGE, create: () => store.driver });
  storage.configuredDriver = STORAGE;
  return environment;
}
