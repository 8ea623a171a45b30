import type { Log } from '#base/log.ts';
import type { Intake } from '#core/device/device-identity.ts';
import type { IntakeFault } from '#core/device/device-limits.ts';
import type { DeviceReports } from '#core/device/reports/integration-reports.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import type { DeviceSink, OfferedDevice } from './integration.ts';

export type DeviceIntakeDeps = {
  readonly name: string;
  readonly reports: Pick<DeviceReports, 'syncDevices' | 'describeDevice' | 'openGauge'>;
  /** Puts a device that is new to the hub into the room of this name. */
  readonly offerRoom: (externalId: string, roomName: string) => void;
  /** Called before a list or a device is taken. */
  readonly noteServed: () => void;
  /** Sets the hub's own complaint about the integration; `null` if there is none. */
  readonly setFault: (fault: IntakeFault | null) => void;
  readonly log: Log;
};

/**
 * Takes the devices of one run of an integration, within the limits of the home. Excess shows as the integration's
 * fault.
 */
export function createDeviceIntake(
  deps: DeviceIntakeDeps,
): Pick<DeviceSink, 'openList' | 'syncDevices' | 'describeDevice'> {
  const { name, reports, noteServed, log } = deps;
  let refused: { readonly fault: IntakeFault; readonly isList: boolean } | null = null;
  let tooLarge: ReadonlySet<string> = new Set();

  const showFault = (): void => deps.setFault(refused?.fault ?? faultOf(tooLarge));
  const refuse = (fault: IntakeFault, isList: boolean): false => {
    if (refused?.fault.code !== fault.code) log.error(`${name}: ${fault.message}`, { code: fault.code });
    refused = { fault, isList };
    showFault();
    return false;
  };
  const noteTooLarge = (next: ReadonlySet<string>): void => {
    const first = [...next].find((externalId) => !tooLarge.has(externalId));
    tooLarge = next;
    const fault = faultOf(next);
    if (fault !== null && first !== undefined)
      log.warn(`${name}: ${fault.message}`, { code: fault.code, device: first });
  };

  const offerRoom = ({ externalId, suggestedRoom }: OfferedDevice): void => {
    if (suggestedRoom !== undefined) deps.offerRoom(externalId, suggestedRoom);
  };

  return {
    openList: async () => {
      noteServed();
      const gauge = await reports.openGauge();
      return (device) => {
        noteServed();
        const fault = gauge(device);
        return fault === null || refuse(fault, true);
      };
    },
    syncDevices: async (devices) => {
      noteServed();
      const intake: Intake = await reports.syncDevices(devices.map(descriptionOf));
      noteServed();
      if (intake.refusal !== null) return refuse(intake.refusal, true);
      refused = null;
      noteTooLarge(new Set(intake.tooLarge));
      showFault();
      for (const device of devices) offerRoom(device);
      return true;
    },
    describeDevice: async (device) => {
      noteServed();
      const intake = await reports.describeDevice(descriptionOf(device));
      noteServed();
      if (intake.refusal !== null) return refuse(intake.refusal, false);
      // Room for this device does not mean room for a whole list.
      if (refused?.isList === false) refused = null;
      const others = [...tooLarge].filter((externalId) => externalId !== device.externalId);
      noteTooLarge(new Set([...others, ...intake.tooLarge]));
      showFault();
      offerRoom(device);
      return true;
    },
  };
}

/** Without the room, which is no part of what the hub keeps of a device. */
function descriptionOf(device: OfferedDevice): DeviceDescription {
  const { suggestedRoom: _, ...description } = device;
  return description;
}

function faultOf({ size }: ReadonlySet<string>): IntakeFault | null {
  if (size === 0) return null;
  const devices = size === 1 ? 'A device describes' : `${size} devices describe`;
  return {
    code: 'DEVICE_TOO_LARGE',
    message: `${devices} more features than the hub allows. Until that is fixed, ${size === 1 ? 'it keeps' : 'they keep'} the earlier features, or none`,
  };
}
