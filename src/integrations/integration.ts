import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, DeviceDescription } from '#core/device.ts';
import type { IntegrationState, PairingProgress } from '#core/event.ts';
import type { Occurrence } from '#core/feature.ts';

/**
 * Where an integration tells what it learns. Bound to one integration; unknown external ids are ignored, for a report
 * may overtake a removal. Nothing here throws for anything a device can send.
 */
export type DeviceSink = {
  /**
   * The whole inventory: adds, updates, and removes what is not listed. Resolves when the identities are on disk and
   * the devices are visible: report values only after that.
   */
  readonly syncDevices: (devices: readonly DeviceDescription[]) => Promise<void>;
  /** Adds or updates one device. */
  readonly describeDevice: (device: DeviceDescription) => Promise<void>;
  readonly removeDevice: (externalId: string) => Promise<void>;
  /** Values by feature key, already in the vocabulary's units and polarity. `null` is not a value: leave it out. */
  readonly reportValues: (externalId: string, values: ReadonlyMap<string, JsonValue>) => void;
  readonly reportOccurrence: (externalId: string, key: string, occurrence: Occurrence) => void;
  /** `reason` is a short snake_case word where the state is not `online`. */
  readonly reportAvailability: (externalId: string, state: AvailabilityState, reason: string | null) => void;
  /** The protocol's own word on when the device was last heard, in wall milliseconds. */
  readonly reportSeen: (externalId: string, seenAtMs: number) => void;
  /** Evidence that an earlier command did not reach the device: `reason` is for people. */
  readonly reportCommandFailure: (externalId: string, keys: readonly string[], reason: string) => void;
  readonly reportStatus: (state: IntegrationState, error: { code: string; message: string } | null) => void;
  readonly reportPairing: (progress: Omit<PairingProgress, 'deviceId'>) => void;
};

/** One validated wish for one device: each key is a writable feature of it and each value fits that feature. */
export type DeviceCommand = {
  readonly externalId: string;
  readonly set: ReadonlyMap<string, JsonValue>;
  /** Key of an action feature, or `null`. */
  readonly action: string | null;
  readonly transitionMs: number | null;
};

/** How far a command is known to have come; the state report that confirms it arrives through the sink. */
export type CommandEvidence = 'none' | 'transport_ack' | 'device_ack';

/** A way to reach devices. `id` and `name` are constants of the implementation. */
export type Integration = {
  readonly id: string;
  readonly name: string;
  /**
   * Runs until the signal aborts, reconnecting by itself; then resolves with no subscription, timer or socket left.
   * Rejects only for a fault of its own: the supervisor reports it and starts it again.
   */
  readonly run: (sink: DeviceSink, signal: AbortSignal) => Promise<void>;
  /** Puts a command on the wire. Throws HubError INTEGRATION_DOWN at once while not connected; never queues. */
  readonly sendCommand: (command: DeviceCommand) => Promise<CommandEvidence>;
  /** Removes the device upstream; absent where the protocol cannot. `force` for one that no longer answers. */
  readonly removeDevice?: (externalId: string, force: boolean) => Promise<void>;
  /** Lets new devices join for this long; 0 closes. Absent where the protocol has no pairing. */
  readonly openPairing?: (seconds: number) => Promise<void>;
};
