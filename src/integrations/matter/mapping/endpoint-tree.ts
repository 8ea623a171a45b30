import type { MatterEndpoint } from '#integrations/matter/matter-node.ts';
import { DEVICE } from './device-types.ts';

/** One device of a node, with the endpoints that it is made of. */
export type Branch = {
  /** 0, or the endpoint under which a bridge has it. */
  readonly root: number;
  /** The root of the device that reaches it; `null` for the node. */
  readonly parent: number | null;
  /** By their numbers, its root first. */
  readonly endpoints: readonly MatterEndpoint[];
};

/** As many as the devices of an integration. */
export const MAX_ENDPOINTS = 5_000;

/** The devices that a node is: itself, and each that it bridges. What names no known parent is the node's own. */
export function branchesOf(endpoints: readonly MatterEndpoint[]): readonly Branch[] {
  const byNumber = new Map<number, MatterEndpoint>();
  for (const endpoint of endpoints) {
    if (byNumber.size === MAX_ENDPOINTS) break;
    if (!byNumber.has(endpoint.number)) byNumber.set(endpoint.number, endpoint);
  }
  const rootOf = rootFinder(byNumber);
  const branches = new Map<number, MatterEndpoint[]>([[0, []]]);
  const parents = new Map<number, number>();
  for (const endpoint of [...byNumber.values()].toSorted((left, right) => left.number - right.number)) {
    const root = rootOf(endpoint.number);
    const own = branches.get(root) ?? [];
    branches.set(root, own);
    if (endpoint.number === root) own.unshift(endpoint);
    else own.push(endpoint);
    if (root !== 0) parents.set(root, rootOf(byNumber.get(root)?.parent ?? 0));
  }
  cutCircles(parents);
  return [...branches].map(([root, own]) => ({ root, parent: parents.get(root) ?? null, endpoints: own }));
}

/** Bridged devices that reach each other hang at the node. Each is walked over once. */
function cutCircles(parents: Map<number, number>): void {
  const done = new Set<number>([0]);
  for (const start of parents.keys()) {
    const way = new Set<number>();
    let number = start;
    while (!done.has(number)) {
      way.add(number);
      const parent = parents.get(number) ?? 0;
      if (way.has(parent)) parents.set(number, 0);
      number = parents.get(number) ?? 0;
    }
    for (const one of way) done.add(one);
  }
}

/** Finds the device of an endpoint. Each endpoint is walked over once, also in a circle. */
function rootFinder(byNumber: ReadonlyMap<number, MatterEndpoint>): (number: number) => number {
  const roots = new Map<number, number>([[0, 0]]);
  return (start) => {
    const way: number[] = [];
    const walked = new Set<number>();
    let number = start;
    while (!roots.has(number)) {
      const endpoint = byNumber.get(number);
      if (endpoint === undefined || walked.has(number)) {
        number = 0;
        break;
      }
      way.push(number);
      walked.add(number);
      if (isRoot(endpoint, byNumber)) {
        roots.set(number, number);
        break;
      }
      number = endpoint.parent ?? 0;
    }
    const root = roots.get(number) ?? 0;
    for (const one of way) roots.set(one, root);
    return root;
  };
}

/** Whether a bridge has taken this device in; some bridges do not say so of each. */
function isRoot(endpoint: MatterEndpoint, byNumber: ReadonlyMap<number, MatterEndpoint>): boolean {
  if (endpoint.number === 0) return true;
  if (endpoint.deviceTypes.includes(DEVICE.bridgedNode)) return true;
  if (Object.hasOwn(endpoint.state, 'bridgedDeviceBasicInformation')) return true;
  const above = endpoint.parent === null ? undefined : byNumber.get(endpoint.parent);
  return above !== undefined && above !== endpoint && above.deviceTypes.includes(DEVICE.aggregator);
}
