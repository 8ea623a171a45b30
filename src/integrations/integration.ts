import type { DeviceCommand, Pace, SendEvidence } from '#core/command/command-way.ts';
import type { AvailabilityState, DeviceDescription } from '#core/device/device.ts';
import type { DeviceReports } from '#core/device/reports/integration-reports.ts';
import type { IntegrationState, StatusError } from '#core/integration/integration-status.ts';
import type { PairingProgress } from '#core/integration/pairing.ts';
import type { Instance } from '#core/integration/instance.ts';
import type { IntegrationReport } from '#core/integration/integration-report.ts';
import type { ProviderDoor } from '#core/provider/provider.ts';

/** A device, with what its integration suggests for its first day in the hub. */
export type OfferedDevice = DeviceDescription & {
  /** The name of its room upstream. A device that nobody has changed at the hub yet goes to the room of this name. */
  readonly suggestedRoom?: string;
};

/** Where an integration reports what it learns. */
export type DeviceSink = Omit<DeviceReports, 'syncDevices' | 'describeDevice' | 'openGauge'> & {
  /**
   * To be called before an inventory is read. The result is to be called with each device as it is read: it returns
   * false once the list is too large for the home. Then stop reading: the status already says so.
   */
  readonly openList: () => Promise<(device: DeviceDescription) => boolean>;
  /**
   * Takes the whole inventory: adds, updates, and removes what is not listed. Resolves when the identities are on disk
   * and the devices are visible: report values only after that. False if the list is too large for the home: then
   * nothing has changed, and the status says so.
   */
  readonly syncDevices: (devices: readonly OfferedDevice[]) => Promise<boolean>;
  /** Adds or updates one device. False if the home has no room for it. */
  readonly describeDevice: (device: OfferedDevice) => Promise<boolean>;
  /** Reports the same of every device that the hub has of this instance: what leads to all of them is gone. */
  readonly reportLost: (state: AvailabilityState, reason: string) => void;
  /** Reports that an earlier command did not reach the device. `reason` is for people. */
  readonly reportCommandFailure: (externalId: string, keys: readonly string[], reason: string) => void;
  /** Reports what became known of an earlier command's arrival after `sendCommand` had resolved. */
  readonly reportCommandAcknowledged: (externalId: string, keys: readonly string[], evidence: SendEvidence) => void;
  readonly reportStatus: (state: IntegrationState, error: StatusError | null) => void;
  readonly reportPairing: (progress: Omit<PairingProgress, 'deviceId'>) => void;
};

/** A way to reach devices. What it is called is known to the frame alone. */
export type Integration = {
  /**
   * Runs until the signal aborts, reconnecting by itself, then resolves with no subscription, timer or socket left.
   * Rejects only for its own bugs: the supervisor reports them and starts it again.
   */
  readonly run: (sink: DeviceSink, signal: AbortSignal) => Promise<void>;
  /** Puts a command on the wire. Throws HubError INTEGRATION_DOWN at once while not connected; never queues. */
  readonly sendCommand: (command: DeviceCommand) => Promise<SendEvidence>;
  /**
   * Sends commands that a person gave as one, by a shorter way than one by one where there is one. Each has its own
   * outcome, in their order. Absent if the protocol has no groups.
   */
  readonly sendGroup?: (commands: readonly DeviceCommand[]) => readonly Promise<SendEvidence>[];
  /**
   * Finds the parts of commands that a person gave as one that `sendGroup` can send as one message each. Without it,
   * `sendGroup` gets all of them and keeps a pace of its own.
   */
  readonly findGroups?: (commands: readonly DeviceCommand[]) => readonly (readonly DeviceCommand[])[];
  /** How fast commands may follow each other, if not at the usual pace. */
  readonly pace?: Pace;
  /** What `sendCommand` brings about is reported in a later turn of the event loop, never inside of the call. */
  readonly answersLater?: true;
  /** Removes the device upstream. Absent if the protocol cannot. `force` is for a device that no longer answers. */
  readonly removeDevice?: (externalId: string, force: boolean) => Promise<void>;
  /**
   * Takes the keys of this home from all of its devices, before it is removed. Resolves with those that did not answer
   * and keep them. Throws HubError INTEGRATION_DOWN. Absent if devices have none.
   */
  readonly dismissDevices?: () => Promise<readonly string[]>;
  /** Lets new devices join for this long; 0 ends it. Absent if the protocol has no pairing. */
  readonly openPairing?: (seconds: number) => Promise<void>;
  /**
   * Takes a new name and new settings while it runs. False where it must be made anew for them; absent if it always
   * must.
   */
  readonly takeSettings?: (instance: Pick<Instance, 'name' | 'settings'>) => boolean;
  /**
   * Takes in the device with this code, which a person typed or scanned; `openPairing(0)` ends it. Resolves once it has
   * begun, with the seconds that it may take. Throws HubError VALIDATION_FAILED for what is no code. Absent if devices
   * have none.
   */
  readonly pairByCode?: (code: string) => Promise<number>;
  /** Lets other homes take it in for this long, by the codes in its report; 0 ends it. Absent if none can. */
  readonly openBridge?: (seconds: number) => Promise<void>;
  /** Takes another home's hold of it away. */
  readonly removeFabric?: (fabric: number) => Promise<void>;
  /** What it does beside reaching devices. */
  readonly report?: () => IntegrationReport;
  /** What a script may ask of it. Absent if its devices are not a script's. */
  readonly provider?: ProviderDoor;
};
