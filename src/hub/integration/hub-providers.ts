import { HubError } from '#base/hub-error.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { ProviderDoor } from '#core/provider/provider.ts';
import { LEASE_S } from '#core/provider/provider.ts';
import type { ProviderDirectory } from '#http/provider/directory.ts';
import type { Instances } from '#integrations/instances/instances.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import { KINDS } from '#integrations/table.ts';

type ProvidersDeps = {
  readonly instances: Pick<Instances, 'find' | 'add' | 'change' | 'remove'>;
  readonly supervisor: Pick<Supervisor, 'findIntegration' | 'statusOf'>;
  readonly devices: Pick<DeviceRegistry, 'devicesOf'>;
  readonly startTimer: StartTimer;
};

/** A provider is an instance of the kind that nobody sets up. */
const [KIND = ''] = KINDS.flatMap(({ id, comesByItself }) => (comesByItself === true ? [id] : []));
/** Loading its code takes some milliseconds. */
const START_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** The providers as the API needs them: each is an instance that has its name as its id. */
export function createProviderDirectory({
  instances,
  supervisor,
  devices,
  startTimer,
}: ProvidersDeps): ProviderDirectory {
  const doorOf = (name: string): ProviderDoor | undefined => supervisor.findIntegration(name)?.provider;
  const find: ProviderDirectory['find'] = (name) => {
    const shown = instances.find(name);
    if (shown?.kind !== KIND) return undefined;
    const lease = shown.settings['lease_s'];
    const leaseS = lease?.type === 'value' && typeof lease.value === 'number' ? lease.value : LEASE_S.usual;
    return {
      id: name,
      name: shown.name,
      leaseS,
      status: supervisor.statusOf(name),
      devices: devices.devicesOf(name).length,
    };
  };
  /** The script goes on at once, so its integration must be there. */
  const untilRunning = async (name: string): Promise<void> => {
    const never = new AbortController().signal;
    for (let waitedMs = 0; waitedMs < START_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
      if (doorOf(name) !== undefined || instances.find(name)?.enabled.value !== true) return;
      await waitMs(LOOK_EVERY_MS, startTimer, never);
    }
  };
  return {
    find,
    put: async (name, { name: title, leaseS }, given) => {
      const settings = leaseS === undefined ? {} : { lease_s: leaseS };
      if (find(name) === undefined) await instances.add({ kind: KIND, id: name, name: title ?? name, settings }, given);
      else await instances.change(name, { name: title, settings }, given);
      await untilRunning(name);
    },
    remove: async (name, given) => {
      if (find(name) === undefined) throw new HubError('NOT_FOUND', 'There is no such provider.');
      await instances.remove(name, 'keep', given);
    },
    doorOf: (name) => {
      if (find(name) === undefined) throw new HubError('NOT_FOUND', 'There is no such provider.');
      const door = doorOf(name);
      if (door !== undefined) return door;
      throw new HubError('INTEGRATION_DOWN', 'The provider does not run: it is switched off, or about to start.', {
        retryAfterS: 1,
      });
    },
  };
}
