import { HubError } from '#base/hub-error.ts';
import { servedInstance } from '#base/safe-mode/safe-mode.ts';
import { deviceName } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { ShownInstance } from '#core/integration/instance.ts';
import type { IntegrationDirectory } from '#http/integration/directory.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { Integrations } from './hub-integrations.ts';

type DirectoryDeps = Pick<Integrations, 'instances' | 'supervisor' | 'pairings'> &
  Pick<HubContext, 'safeMode'> & { readonly devices: Pick<DeviceRegistry, 'devicesOf'> };

const MOST_NAMED = 20;

/** The integrations as the API needs them. */
export function createIntegrationDirectory(deps: DirectoryDeps): IntegrationDirectory {
  const { instances, supervisor, safeMode, devices, pairings } = deps;
  const countOf = (id: string): number => devices.devicesOf(id).length;
  // Devices from an earlier version show that it was in use.
  const shown = (one: ShownInstance): ShownInstance => ({ ...one, isChosen: one.isChosen || countOf(one.id) > 0 });
  const canPair = (id: string): boolean => instances.kindOf(id)?.canPair === true;
  const isBridge = (id: string): boolean => instances.kindOf(id)?.isBridge === true;
  const pairByCode = async (id: string, code: string): Promise<number> => {
    const pair = supervisor.findIntegration(id)?.pairByCode;
    if (pair === undefined) throw doesNotRun();
    return pair(code);
  };
  return {
    list: () => instances.list().map(shown),
    find: (id) => {
      const instance = instances.find(id);
      return instance && shown(instance);
    },
    stateOf: (id) => ({
      status: supervisor.statusOf(id),
      devices: countOf(id),
      canPair: canPair(id),
      pairsByCode: instances.kindOf(id)?.pairsByCode === true,
      report: supervisor.findIntegration(id)?.report?.() ?? null,
    }),
    add: instances.add,
    change: instances.change,
    check: instances.check,
    remove: async (id, fate, { isForced, ...change }) => {
      change.authorize();
      if (instances.find(id)?.fixedBy === null) await dismissDevices(deps, id, isForced);
      await instances.remove(id, fate, change);
    },
    findPairing: (id) => {
      const isOfBridge = isBridge(id);
      if (!canPair(id) && !isOfBridge) return undefined;
      return {
        isOfBridge,
        state: () => pairings.stateOf(id),
        ...(instances.kindOf(id)?.pairsByCode === true ? { byCode: (code: string) => pairByCode(id, code) } : {}),
        open: async (seconds) => {
          const running = supervisor.findIntegration(id);
          const open = isOfBridge ? running?.openBridge : running?.openPairing;
          if (open === undefined) throw doesNotRun();
          await open(seconds);
        },
      };
    },
    removeFabric: async (id, fabric) => {
      if (!isBridge(id)) throw new HubError('NOT_SUPPORTED', 'The integration is no bridge.');
      const remove = supervisor.findIntegration(id)?.removeFabric;
      if (remove === undefined) throw doesNotRun();
      await remove(fabric);
    },
    isInSafeMode: (id) => safeMode.holds(servedInstance(id)),
    endSafeMode: async (id, { authorize }) => {
      authorize();
      await safeMode.release(servedInstance(id));
      await supervisor.restart(id);
    },
  };
}

/** Takes the keys of this home from the devices of an integration that is to be removed. */
async function dismissDevices(
  { instances, supervisor, devices }: DirectoryDeps,
  id: string,
  isForced: boolean,
): Promise<void> {
  if (instances.kindOf(id)?.removalHint === undefined) return;
  const owned = devices.devicesOf(id);
  try {
    const dismiss = supervisor.findIntegration(id)?.dismissDevices;
    if (dismiss === undefined) throw doesNotRun();
    const stayed = new Set(await dismiss());
    const names = owned.flatMap((one) => (stayed.has(one.externalId) ? [deviceName(one)] : []));
    if (stayed.size > 0) throw keysStay(names);
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    const isEmpty = cause.code === 'INTEGRATION_DOWN' && owned.length === 0;
    if (!isForced && !isEmpty) throw cause;
  }
}

function keysStay(names: readonly string[]): HubError {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return new HubError(
    'DEVICE_OFFLINE',
    `These do not answer and keep the keys of this home: ${names.slice(0, MOST_NAMED).join(', ')}${more}. Switch them on and try again, or remove it by force and reset each of them.`,
  );
}

function doesNotRun(): HubError {
  return new HubError('INTEGRATION_DOWN', 'The integration does not run.');
}
