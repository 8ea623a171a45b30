import { type FieldError, HubError } from '#base/hub-error.ts';
import type { Issuer } from './command.ts';
import type { Device } from '#core/device/device.ts';
import { type CheckedRequest, readRequest, type CommandRequest } from './command-request.ts';

/** What a caller wants of devices; nothing of it was checked yet but that the devices exist and may be asked. */
export type IssuedRequest = {
  /** At least one, each once. */
  readonly devices: readonly Device[];
  /** Whether it is asked of one device by its own call. */
  readonly isForOne: boolean;
  readonly request: CommandRequest;
  readonly transitionMs: number | null;
  /** How long it may wait to be sent. */
  readonly expiresInS: number | null;
  readonly issuer: Issuer;
  /** Throws HubError where the issuer may not ask this of the device any more. Called right before it is sent. */
  readonly authorize: (device: Device) => void;
};

/** How long a lamp may take to its new state: well within what Zigbee can say (16 bits of tenths of a second). */
export const MAX_TRANSITION_MS = 3_600_000;
export const MAX_EXPIRES_IN_S = 86_400;
/** Also how many targets a command can have: each of them is shown in every event of it. */
export const MAX_TARGETS = 200;

/** The request as each device can fulfil it. Throws HubError VALIDATION_FAILED with every fault of every device. */
export function checkRequest({ devices, request, isForOne }: IssuedRequest): ReadonlyMap<Device, CheckedRequest> {
  const errors: FieldError[] = [];
  const requests = new Map<Device, CheckedRequest>();
  for (const device of devices) {
    const reading = readRequest(device, request);
    if ('request' in reading) requests.set(device, reading.request);
    else errors.push(...reading.errors.map((error) => (isForOne ? error : namedError(error, device))));
  }
  if (errors.length > 0) throw new HubError('VALIDATION_FAILED', 'The device cannot do this.', { errors });
  return requests;
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
