import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { commandEnded } from './command.ts';
import type { Errand } from './command-errand.ts';
import type { CommandUpdate } from './command-progress.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';

/**
 * Looks at the issuer's right to what was not sent yet: ends it where the issuer may not ask for it any more, and is true
 * where it may be sent.
 */
export type CommandReview = (errand: Errand) => boolean;

type Deps = {
  readonly registry: Pick<DeviceRegistry, 'findDevice'>;
  readonly update: CommandUpdate;
  readonly log: Log;
};

const ISSUER_ENDED = 'The session or API token that asked for it has ended.';
const ISSUER_NOT_ALLOWED = 'Whoever asked for it may no longer do so.';

export function createCommandReview({ registry, update, log }: Deps): CommandReview {
  return ({ commandId, deviceId, authorize }) => {
    const device = registry.findDevice(deviceId);
    if (device === undefined) return false;
    try {
      authorize(device);
      return true;
    } catch (cause) {
      if (!(cause instanceof HubError)) log.error('the right to a command could not be looked at', { cause });
      const hasEnded = cause instanceof HubError && cause.code === 'INVALID_TOKEN';
      // `expired` touches only what was not sent.
      const end = { deviceId, status: 'expired', reason: hasEnded ? ISSUER_ENDED : ISSUER_NOT_ALLOWED } as const;
      update(commandId, (command, nowMs) => commandEnded(command, end, nowMs));
      return false;
    }
  };
}
