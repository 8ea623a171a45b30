import type { ClientNode, StorageDriver } from '@matter/main';
import { BasicInformationClient } from '@matter/main/behaviors/basic-information';
import { nodeIdOf } from './node-json.ts';

/**
 * Under which number the hub has each device: its own in this home or, where it was reset and joined again, the one that
 * it had before, so that it stays the same device with its name, history and automations.
 */
export type NodeNames = ReturnType<typeof createNodeNames>;

const CONTEXT = ['names'];

export function createNodeNames(driver: StorageDriver) {
  const kept = (id: string): string => {
    const value = driver.get(CONTEXT, id);
    return typeof value === 'string' ? value : id;
  };
  const nameOf = (node: ClientNode): string | undefined => {
    const id = nodeIdOf(node);
    return id === undefined ? undefined : kept(id);
  };
  return {
    nameOf,
    /** The nodes whose place another one has taken: where the power failed before they were forgotten. */
    replaced: (nodes: readonly ClientNode[]): ReadonlySet<ClientNode> => {
      const newest = new Map<string, ClientNode>();
      const left = new Set<ClientNode>();
      const inOrder = nodes.flatMap((node) => [[BigInt(nodeIdOf(node) ?? 0), nameOf(node), node] as const]);
      for (const [, name, node] of inOrder.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        if (name === undefined) continue;
        const before = newest.get(name);
        if (before !== undefined) left.add(before);
        newest.set(name, node);
      }
      return left;
    },
    /** From now on `node` is the device that had the name `from`. On disk once resolved. */
    inherit: async (node: ClientNode, from: string): Promise<void> => {
      const id = nodeIdOf(node);
      if (id !== undefined) await driver.set(CONTEXT, id, from);
    },
  };
}

/** Whether both say that they are the same thing: of one maker and product, with the same id or serial number. */
export function isSameThing(left: ClientNode, right: ClientNode): boolean {
  const [one, other] = [left, right].map((node) => node.maybeStateOf(BasicInformationClient));
  if (one === undefined || other === undefined) return false;
  if (one.vendorId !== other.vendorId || one.productId !== other.productId) return false;
  const isSame = (name: 'uniqueId' | 'serialNumber'): boolean => {
    const value = one[name];
    return typeof value === 'string' && value !== '' && value === other[name];
  };
  return isSame('uniqueId') || isSame('serialNumber');
}
