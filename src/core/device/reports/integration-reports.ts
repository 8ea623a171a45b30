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
export type DeviceReports = ReturnType<typeof createReports>;

type ReportParts = {
  readonly integration: string;
  readonly table: DeviceTable;
  readonly reporting: DeviceReporting;
  readonly identity: DeviceIdentity;
  readonly turn: TurnQueue;
};

/** The reports of one integration. */
export function createReports({ integration, table, reporting, identity, turn }: ReportParts) {
  const find = (externalId: string): DeviceEntry | undefined => table.findExternal(integration, externalId);
  const withDevice = (externalId: string, report: (entry: DeviceEntry) => void): void => {
    const entry = find(externalId);
    if (entry !== undefined) report(entry);
  };
  return {
    /**
     * Takes the whole inventory: adds and updates the listed devices and removes all others. Resolves when the identities
     * are on disk and the devices are visible; report values only after that.
     */
    syncDevices: (devices: readonly DeviceDescription[]): Promise<Intake> =>
      turn(() => identity.syncDevices(integration, devices)),
    /** Adds or updates one device. */
    describeDevice: (device: DeviceDescription): Promise<Intake> =>
      turn(() => identity.describeDevice(integration, device)),
    /** Counts a list while the integration reads it, so that it can refuse too long a list before all is in memory. */
    openGauge: (): Promise<ListGauge> => identity.openGauge(integration),
    removeDevice: (externalId: string): Promise<void> =>
      turn(async () => {
        const entry = find(externalId);
        if (entry !== undefined) await identity.hideDevices([entry]);
      }),
    /**
     * Values by feature key, already in the vocabulary's units and polarity. What a message says nothing of is left out;
     * `null` is what the device says that it does not know, which ends the value.
     * `observedAtMs` (wall time) if the device had them earlier than now.
     */
    reportValues: (externalId: string, values: ReadonlyMap<string, JsonValue>, observedAtMs?: number): void =>
      withDevice(externalId, (entry) => reporting.reportValues(entry, values, observedAtMs)),
    /** Values that a broker kept for the device, of unknown age: shown as `restored`. */
    reportKeptValues: (externalId: string, values: ReadonlyMap<string, JsonValue>): void =>
      withDevice(externalId, (entry) => reporting.reportKeptValues(entry, values)),
    /** The device has been silent about these features for longer than it allows: their values are stale until it speaks. */
    reportStale: (externalId: string, keys: readonly string[]): void =>
      withDevice(externalId, (entry) => reporting.reportStale(entry, keys)),
    /** The device said something of this feature that is no value of it: the log has it once. */
    reportRefused: (externalId: string, key: string, value: JsonValue): void =>
      withDevice(externalId, (entry) => reporting.reportRefused(entry, key, value)),
    reportOccurrence: (externalId: string, key: string, occurrence: Occurrence): void =>
      withDevice(externalId, (entry) => reporting.reportOccurrence(entry, key, occurrence)),
    /** `reason` is a short snake_case word if the state is not `online`. */
    reportAvailability: (externalId: string, state: AvailabilityState, reason: string | null): void =>
      withDevice(externalId, (entry) => reporting.reportAvailability(entry, state, reason)),
    /** When the device last sent anything, as its protocol says, in wall milliseconds. */
    reportSeen: (externalId: string, seenAtMs: number): void =>
      withDevice(externalId, (entry) => reporting.reportSeen(entry, seenAtMs)),
  };
}
