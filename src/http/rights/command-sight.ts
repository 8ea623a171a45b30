import { type Caller, callerId, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import type { Issuer } from '#core/command/command.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { findDeviceIn, sightFor } from './sight.ts';

/** A command, as far as it decides who may see it. */
export type IssuedCommand = {
  readonly issuer: Pick<Issuer, 'id' | 'userId'>;
  readonly deviceIds: readonly DeviceId[];
};

/**
 * The login or API token that gave it; further its person, and who manages the devices, as far as they see all devices
 * that it is for, by this right.
 */
export function maySeeCommand(
  caller: Caller,
  { issuer, deviceIds }: IssuedCommand,
  { right, findDevice }: { readonly right: Scope; readonly findDevice: (id: string) => Device | undefined },
): boolean {
  if (issuer.id === callerId(caller)) return true;
  if (issuer.userId !== caller.user.id && !canCaller(caller, 'device:manage')) return false;
  const sight = sightFor(caller, right);
  if (sight.isWhole) return true;
  const findSeen = findDeviceIn(sight, findDevice);
  return deviceIds.every((id) => findSeen(id) !== undefined);
}
