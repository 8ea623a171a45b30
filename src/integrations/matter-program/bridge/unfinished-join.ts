import type { FabricIndex, ServerNode, StorageDriver } from '@matter/main';
import { DeviceCommissioner, FabricManager } from '@matter/main/protocol';

/** A home that takes the bridge in has it once it has said so, and not at all if the bridge ends before. */
type UnfinishedJoin = {
  /** Forgets the home that was taking the bridge in when the program ended. On disk once resolved. */
  readonly undo: () => Promise<void>;
  /** A home has its keys, and has not yet said that it is finished. */
  readonly isUnderWay: () => boolean;
};

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
 * Matter undoes at the next start what was not finished (Matter 1.4, 11.10.7.2). The library writes a new fabric with
 * whatever else changes in the fabrics, and takes it for finished when it reads it again.
 */
export function watchUnfinishedJoin({ node, driver, onFailure }: UnfinishedJoinDeps): UnfinishedJoin {
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
    isUnderWay: () => joining !== NONE,
    undo: async () => {
      const index = driver.get(CONTEXT, KEY);
      if (typeof index !== 'number' || index === NONE) return;
      await fabrics.maybeFor(index as FabricIndex)?.delete();
      await driver.set(CONTEXT, KEY, NONE);
    },
  };
}
