import { type FieldError, HubError } from '#base/hub-error.ts';
import type { CommandGiver } from './command.ts';
import type { Device } from '#core/device/device.ts';
import { type CheckedWish, readWish, type Wish } from './wish.ts';

/** What a caller wants of devices; nothing of it was checked yet but that the devices exist and may be asked. */
export type CommandOrder = {
  /** At least one, each once. */
  readonly devices: readonly Device[];
  /** Whether it is asked of one device by its own call. */
  readonly isForOne: boolean;
  readonly wish: Wish;
  readonly transitionMs: number | null;
  /** How long it may wait to be sent. */
  readonly expiresInS: number | null;
  readonly giver: CommandGiver;
  /** Throws HubError where the giver may not ask this of the device any more. Called right before it is sent. */
  readonly authorize: (device: Device) => void;
};

/** How long a lamp may take to its new state: well within what Zigbee can say (16 bits of tenths of a second). */
export const MAX_TRANSITION_MS = 3_600_000;
export const MAX_EXPIRES_IN_S = 86_400;
/** Also how many targets a command can have: each of them is shown in every event of it. */
export const MAX_TARGETS = 200;

/** The wish as each device can fulfil it. Throws HubError VALIDATION_FAILED with every fault of every device. */
export function checkWishes({ devices, wish, isForOne }: CommandOrder): ReadonlyMap<Device, CheckedWish> {
  const errors: FieldError[] = [];
  const wishes = new Map<Device, CheckedWish>();
  for (const device of devices) {
    const reading = readWish(device, wish);
    if ('wish' in reading) wishes.set(device, reading.wish);
    else errors.push(...reading.errors.map((error) => (isForOne ? error : namedError(error, device))));
  }
  if (errors.length > 0) throw new HubError('VALIDATION_FAILED', 'The device cannot do this.', { errors });
  return wishes;
}

function namedError(error: FieldError, { selector }: Device): FieldError {
  return { ...error, message: `${error.message} (${selector})` };
}

/** Why nothing can be sent to a device now; `undefined` where it can, or once it wakes. */
export function unreachableError(device: Device, isUp: boolean): HubError | undefined {
  if (!isUp) return new HubError('INTEGRATION_DOWN', `The integration ${device.integration} is not connected.`);
  if (device.availability.state === 'offline') return new HubError('DEVICE_OFFLINE', 'The device is offline.');
  return undefined;
}
