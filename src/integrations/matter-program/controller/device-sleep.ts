import type { ClientNode } from '@matter/main';
import { IcdManagementClient } from '@matter/main/behaviors/icd-management';
import { CommissioningClient, IcdClient, IcdMultiAdminError } from '@matter/main/node';
import { IcdManagement } from '@matter/main/clusters/icd-management';
import { FabricManager, IcdPeerWakefulness } from '@matter/main/protocol';

/** `isInTime`: it was heard when it said that it would be. */
type Sleep = { readonly isAwake: boolean; readonly isInTime: boolean; readonly longestMs: number };

/**
 * The sleep of a device that hears nothing for minutes or hours, and has promised to say when it wakes. Calls back
 * when the device wakes, falls asleep, or is not heard in time.
 */
export function followSleep(node: ClientNode, onChange: () => void) {
  let followed: IcdPeerWakefulness | undefined;
  let hasEvents = false;
  const release = (): void => {
    followed?.awake.off(change);
    followed?.available.off(change);
    followed = undefined;
  };
  const look = (): void => {
    if (!hasEvents && node.behaviors.has(IcdClient)) {
      hasEvents = true;
      node.eventsOf(IcdClient).registered.on(change);
    }
    const found = wakefulnessOf(node);
    if (found === followed) return;
    // The library makes another one when the device promises anew.
    release();
    followed = found;
    followed?.awake.on(change);
    followed?.available.on(change);
  };
  const change = (): void => {
    look();
    onChange();
  };
  return {
    /** `undefined` of one that does not. */
    now: (): Sleep | undefined => {
      look();
      if (!isSleeper(node)) return undefined;
      const idleS = node.maybeStateOf(IcdManagementClient)?.idleModeDuration ?? 0;
      return {
        isAwake: followed?.awake.value === true,
        isInTime: followed?.available.value === true,
        longestMs: idleS * 1_000 + IcdPeerWakefulness.CHECK_IN_MARGIN,
      };
    },
    stop: (): void => {
      release();
      if (hasEvents) node.eventsOf(IcdClient).registered.off(change);
    },
  };
}

/**
 * Lets it sleep for long, which spares its battery: from then on it says when it wakes. Not where another home has it,
 * which may not wait for that. True where that is new.
 */
export async function letSleep(node: ClientNode): Promise<boolean> {
  if (!node.behaviors.has(IcdClient) || !IcdClient.litSupported(node)) return false;
  // One that sleeps so already has been let by another home, and the library asks it by itself.
  const { operatingMode } = node.maybeStateOf(IcdManagementClient) ?? {};
  if (node.maybeStateOf(IcdClient)?.registered === true || operatingMode !== IcdManagement.OperatingMode.Sit)
    return false;
  try {
    await node.act('sleep', (agent) => agent.get(IcdClient).register());
    return true;
  } catch (cause) {
    if (cause instanceof IcdMultiAdminError) return false;
    throw cause;
  }
}

/** It has this home's key to say that it wakes, and uses it. */
function isSleeper(node: ClientNode): boolean {
  if (!node.behaviors.has(IcdClient) || node.maybeStateOf(IcdClient)?.registered !== true) return false;
  return wakefulnessOf(node)?.requiresAwait ?? true;
}

function wakefulnessOf(node: ClientNode): IcdPeerWakefulness | undefined {
  const address = node.maybeStateOf(CommissioningClient)?.peerAddress;
  if (address === undefined) return undefined;
  return node.env.get(FabricManager).maybeFor(address.fabricIndex)?.icd.wakefulnessFor(address.nodeId);
}
