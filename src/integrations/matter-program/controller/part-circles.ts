import type { ClientNode } from '@matter/main';
import { Descriptor } from '@matter/main/clusters/descriptor';
import { DescriptorClient } from '@matter/main/behaviors/descriptor';
import { type ClientEndpointInitializer, ClientNodeStore, EndpointInitializer } from '@matter/main/node';
import type { ReadResult } from '@matter/main/protocol';
import { EndpointNumber } from '@matter/main/types';

type Structure = ClientEndpointInitializer['structure'];

const PARTS = { cluster: Descriptor.id, attribute: Descriptor.attributes.partsList.id };

/**
 * Takes out of what a device says of its parts whatever would make one a part of itself. The library (0.17.9) follows
 * the owners of a part without looking whether it has been there, and would do so for ever.
 */
export function guardParts(node: ClientNode, onCircle: () => void): void {
  const { structure } = node.env.get(EndpointInitializer) as ClientEndpointInitializer;
  const tree = createPartTree((part) => structure.endpointFor(EndpointNumber(part))?.owner?.maybeNumber);
  for (const { id } of node.env.get(ClientNodeStore).endpointStores) {
    const number = Number(id);
    if (Number.isInteger(number)) tree.take(number, keptParts(structure, number));
  }
  tree.settle();
  let open = 0;
  const clean = (report: ReadResult.Report): ReadResult.Report => {
    if (report.kind !== 'attr-value' || !Array.isArray(report.value)) return report;
    const { endpointId, clusterId, attributeId } = report.path;
    if (clusterId !== PARTS.cluster || attributeId !== PARTS.attribute) return report;
    const parts = report.value as readonly unknown[];
    const value = tree.take(endpointId, parts);
    if (value.length < parts.length) onCircle();
    return { ...report, value };
  };
  async function* cleanAll(changes: ReadResult): AsyncGenerator<ReadResult.Chunk> {
    for await (const chunk of changes) yield cleanChunk(chunk);
  }
  async function* cleanChunk(chunk: ReadResult.Chunk): AsyncGenerator<ReadResult.Report> {
    for await (const report of chunk) yield clean(report);
  }
  const mutate = structure.mutate.bind(structure);
  structure.mutate = async function* (request, changes) {
    // Until all is taken, a list that has been replaced may still decide where the library puts a part.
    if (open === 0) tree.settle();
    open += 1;
    try {
      yield* mutate(request, cleanAll(changes));
    } finally {
      open -= 1;
    }
  };
}

function keptParts(structure: Structure, number: number): readonly unknown[] {
  const endpoint = structure.endpointFor(EndpointNumber(number));
  const values = endpoint && structure.storeForRemote(endpoint, DescriptorClient).currentValues;
  const parts: unknown = values?.[PARTS.attribute] ?? values?.['partsList'];
  return Array.isArray(parts) ? (parts as readonly unknown[]) : [];
}

/** `ownerOf` gives the one endpoint under which the library has a part: it may do so after no list says it any more. */
export function createPartTree(ownerOf: (part: number) => number | undefined) {
  const lists = new Map<number, readonly number[]>();
  let owners = new Map<number, Set<number>>();
  let isSettled = true;
  const own = (part: number, owner: number): void => {
    owners.set(part, (owners.get(part) ?? new Set()).add(owner));
  };
  const above = (start: number): ReadonlySet<number> => {
    const found = new Set([0, start]);
    // A set is walked over with what is added meanwhile.
    for (const number of found) for (const owner of owners.get(number) ?? []) found.add(owner);
    return found;
  };
  return {
    /** What an endpoint says that its parts are, without those that it is itself a part of. */
    take: (owner: number, parts: readonly unknown[]): readonly unknown[] => {
      const barred = above(owner);
      const kept = parts.filter((part) => typeof part !== 'number' || !barred.has(part));
      const numbers = kept.filter((part) => typeof part === 'number');
      lists.set(owner, numbers);
      for (const part of numbers) own(part, owner);
      isSettled = false;
      return kept;
    },
    /** Forgets what lists said that have been replaced. */
    settle: (): void => {
      if (isSettled) return;
      const parts = [...owners.keys()];
      owners = new Map();
      for (const part of parts) {
        const owner = ownerOf(part);
        if (owner !== undefined) own(part, owner);
      }
      for (const [owner, list] of lists) for (const part of list) own(part, owner);
      isSettled = true;
    },
  };
}
