import { type FieldError, HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { CommandResult } from './command.ts';
import { type CommandRequest, readRequest } from './command-request.ts';
import type { DeviceCommand } from './command-way.ts';
import type { Issuer } from '#core/cause/issuer.ts';

/** At least one, in the order in which they go out. The devices exist, and the issuer may use them. */
export type CommandRequests = ReadonlyMap<Device, CommandRequest>;

/** These terms hold for all requests of a command. */
export type CommandTerms = {
  /** The caller used the call for a single device. */
  readonly isForOne: boolean;
  readonly transitionMs: number | null;
  /** How long the command may wait to be sent. */
  readonly expiresInS: number | null;
  readonly issuer: Issuer;
  readonly cause: Cause;
  /** Results that need nothing to be sent. With them, the command is accepted even if no device can be reached. */
  readonly settled?: readonly CommandResult[];
  /** Throws HubError if the issuer may not request this of the device any more. Called right before it is sent. */
  readonly authorize: (device: Device) => void;
};

/** The longest time that a lamp may take to its new state. Zigbee would allow more (16 bits of tenths of a second). */
export const MAX_TRANSITION_MS = 3_600_000;
export const MAX_EXPIRES_IN_S = 86_400;
/** Limits the results of a command, because each of its events has them all. */
export const MAX_TARGETS = 200;

/** Returns what each integration gets. Throws HubError VALIDATION_FAILED with every fault of every device. */
export function checkRequests(
  requests: CommandRequests,
  { isForOne }: Pick<CommandTerms, 'isForOne'>,
): ReadonlyMap<Device, DeviceCommand> {
  const errors: FieldError[] = [];
  const commands = new Map<Device, DeviceCommand>();
  for (const [device, request] of requests) {
    const { transitionMs = null, pointer = '' } = request;
    const reading = readRequest(device, request);
    if ('request' in reading) commands.set(device, { externalId: device.externalId, ...reading.request, transitionMs });
    else {
      const own = reading.errors.map((error) => ({ ...error, pointer: pointer + error.pointer }));
      errors.push(...(isForOne ? own : own.map((error) => namedError(error, device))));
    }
  }
  if (errors.length > 0) throw new HubError('VALIDATION_FAILED', 'The device cannot do this.', { errors });
  return commands;
}

function namedError(error: FieldError, { selector }: Device): FieldError {
  return { ...error, message: `${error.message} (${selector})` };
}
