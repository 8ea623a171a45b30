import type { JsonValue } from '#base/json.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import type { AvailabilityState, DeviceDescription } from '#core/device/device.ts';
import type { DeviceIdentity, Intake } from '#core/device/device-identity.ts';
import type { ListGauge } from '#core/device/device-limits.ts';
import type { DeviceReporting } from './device-reports.ts';
import type { DeviceEntry, DeviceTable } from '#core/device/device-table.ts';

/**
 * Takes what one integration reports of its devices. Ignores unknown external ids, because a removal may overtake a
 * report. Nothing that a device sends makes a call throw.
 */
export type DeviceReports = {
  /**
   * Takes the whole inventory: adds and updates the listed devices and removes all others. Resolves when the identities
   * are on disk and the devices are visible; report values only after that.
   */
  readonly syncDevices: (devices: readonly DeviceDescription[]) => Promise<Intake>;
  /** Adds or updates one device. */
  readonly describeDevice: (device: DeviceDescription) => Promise<Intake>;
  /** Counts a list while the integration reads it, so that it can refuse too long a list before all is in memory. */
  readonly openGauge: () => Promise<ListGauge>;
  readonly removeDevice: (externalId: string) => Promise<void>;
  /**
   * Values by feature key, already in the vocabulary's units and polarity. What a message says nothing of is left out;
   * `null` is what the device says that it does not know, which ends the value.
   * `observedAtMs` (wall time) if the device had them earlier than now.
   */
  readonly reportValues: (externalId: string, values: ReadonlyMap<string, JsonValue>, observedAtMs?: number) => void;
  /** Values that a broker kept for the device, of unknown age: shown as `restored`. */
  readonly reportKeptValues: (externalId: string, values: ReadonlyMap<string, JsonValue>) => void;
  /** The device has been silent about these features for longer than it allows: their values are stale until it speaks. */
  readonly reportStale: (externalId: string, keys: readonly string[]) => void;
  /** The device said something of this feature that is no value of it: the log has it once. */
  readonly reportRefused: (externalId: string, key: string, value: JsonValue) => void;
  readonly reportOccurrence: (externalId: string, key: string, occurrence: Occurrence) => void;
  /** `reason` is a short snake_case word if the state is not `online`. */
  readonly reportAvailability: (externalId: string, state: AvailabilityState, reason: string | null) => void;
  /** When the device last sent anything, as its protocol says, in wall milliseconds. */
  readonly reportSeen: (externalId: string, seenAtMs: number) => void;
};

type ReportParts = {
  readonly integration: string;
  readonly table: DeviceTable;
  readonly reporting: DeviceReporting;
  readonly identity: DeviceIdentity;
  readonly turn: TurnQueue;
};

/** The reports of one integration. */
export function createReports({ integration, table, reporting, identity, turn }: ReportParts): DeviceReports {
  const find = (externalId: string): DeviceEntry | undefined => table.findExternal(integration, externalId);
  const withDevice = (externalId: string, report: (entry: DeviceEntry) => void): void => {
    const entry = find(externalId);
    if (entry !== undefined) report(entry);
  };
  return {
    syncDevices: (devices) => turn(() => identity.syncDevices(integration, devices)),
    describeDevice: (device) => turn(() => identity.describeDevice(integration, device)),
    openGauge: () => identity.openGauge(integration),
    removeDevice: (externalId) =>
      turn(async () => {
        const entry = find(externalId);
        if (entry !== undefined) await identity.hideDevices([entry]);
      }),
    reportValues: (externalId, values, observedAtMs) =>
      withDevice(externalId, (entry) => reporting.reportValues(entry, values, observedAtMs)),
    reportKeptValues: (externalId, values) =>
      withDevice(externalId, (entry) => reporting.reportKeptValues(entry, values)),
    reportStale: (externalId, keys) => withDevice(externalId, (entry) => reporting.reportStale(entry, keys)),
    reportRefused: (externalId, key, value) =>
      withDevice(externalId, (entry) => reporting.reportRefused(entry, key, value)),
    reportOccurrence: (externalId, key, occurrence) =>
      withDevice(externalId, (entry) => reporting.reportOccurrence(entry, key, occurrence)),
    reportAvailability: (externalId, state, reason) =>
      withDevice(externalId, (entry) => reporting.reportAvailability(entry, state, reason)),
    reportSeen: (externalId, seenAtMs) => withDevice(externalId, (entry) => reporting.reportSeen(entry, seenAtMs)),
  };
}
