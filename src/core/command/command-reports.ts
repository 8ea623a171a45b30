import { type Command, commandEnded, commandObserved } from './command.ts';
import type { Errands } from './command-errand.ts';
import type { CommandUpdate } from './command-progress.ts';
import type { CommandReview } from './command-review.ts';
import type { CommandSender } from './command-sender.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';

/** What an integration learned of something that was sent: it did not reach the device. `reason` is for people. */
export type CommandFailure = { readonly keys: readonly string[]; readonly reason: string };

type Deps = {
  readonly registry: Pick<DeviceRegistry, 'findByExternalId' | 'onChange' | 'onValues'>;
  readonly errands: Errands;
  readonly sender: CommandSender;
  readonly review: CommandReview;
  readonly findCommand: (id: string) => Command | undefined;
  readonly update: CommandUpdate;
};

/** Listens to the devices for what becomes of the commands; the result tells of failures. */
export function followReports({ registry, errands, sender, review, findCommand, update }: Deps) {
  registry.onValues((device, values) => {
    for (const errand of errands.at(device.id)) {
      const { commandId, deviceId } = errand;
      const before = findCommand(commandId);
      for (const [key, value] of values) {
        update(commandId, (command, nowMs) => commandObserved(command, { deviceId, key, value }, nowMs));
      }
      if (before !== findCommand(commandId)) sender.prolong(errand);
    }
    // Whoever speaks is awake.
    sender.wake(device.id);
  });
  registry.onChange((kind, device) => {
    // It may have been moved to where the issuer of a command that still waits has no right to it.
    if (kind === 'changed') for (const errand of errands.at(device.id)) review(errand);
    if (kind === 'changed' && device.availability.state === 'online') sender.wake(device.id);
    if (kind !== 'removed') return;
    for (const { commandId, deviceId } of errands.at(device.id)) {
      const end = { deviceId, status: 'failed', reason: 'The device was removed.' } as const;
      update(commandId, (command, nowMs) => commandEnded(command, end, nowMs));
    }
  });
  return (integration: string, externalId: string, { keys, reason }: CommandFailure): void => {
    const device = registry.findByExternalId(integration, externalId);
    if (device === undefined) return;
    for (const { commandId, deviceId } of errands.at(device.id)) {
      update(commandId, (command, nowMs) => {
        const failed = sentKeys(command, deviceId).filter((key) => keys.includes(key));
        return commandEnded(command, { deviceId, keys: failed, status: 'failed', reason }, nowMs);
      });
    }
  };
}

function sentKeys({ results }: Command, deviceId: DeviceId): readonly string[] {
  return results.flatMap((result) =>
    result.deviceId === deviceId && result.status === 'sent' ? [result.feature.key] : [],
  );
}
