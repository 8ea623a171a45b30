import type { JsonValue } from '#base/json.ts';
import type { SendEvidence } from '#core/command/command-way.ts';
import type { AvailabilityState, DeviceDescription } from '#core/device/device.ts';
import type { IntegrationState } from '#core/integration/integration-status.ts';
import type { PairingProgress } from '#core/integration/pairing.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { withLockRule } from '#core/feature/lock-state.ts';
import type { DeviceSink } from '#integrations/integration.ts';

export type RecordedDevice = {
  description: DeviceDescription;
  readonly values: Map<string, JsonValue>;
  /** What was no value of its feature, by its key. */
  readonly refused: Map<string, JsonValue>;
  /** Features whose values were reported as too old since they came. */
  readonly stale: Set<string>;
  readonly occurrences: { readonly key: string; readonly occurrence: Occurrence }[];
  availability: { readonly state: AvailabilityState; readonly reason: string | null } | null;
  seenAtMs: number | null;
};

/** Keeps all reports of an integration, in the form in which the registry would hold them. */
export type RecordingSink = DeviceSink & {
  readonly devices: Map<string, RecordedDevice>;
  readonly statuses: {
    readonly state: IntegrationState;
    readonly code: string | null;
    readonly message: string | null;
  }[];
  readonly pairing: Omit<PairingProgress, 'deviceId'>[];
  readonly commandFailures: {
    readonly externalId: string;
    readonly keys: readonly string[];
    readonly reason: string;
  }[];
  readonly acknowledgements: {
    readonly externalId: string;
    readonly keys: readonly string[];
    readonly evidence: SendEvidence;
  }[];
  /** How often each method was called. */
  readonly calls: Map<string, number>;
  /** The recorded device; throws if it was never described. */
  readonly device: (externalId: string) => RecordedDevice;
};

export function createRecordingSink(): RecordingSink {
  const devices = new Map<string, RecordedDevice>();
  const calls = new Map<string, number>();
  const count = (name: string): void => void calls.set(name, (calls.get(name) ?? 0) + 1);
  const describe = (description: DeviceDescription): void => {
    const known = devices.get(description.externalId);
    if (known !== undefined) {
      known.description = description;
      return;
    }
    devices.set(description.externalId, {
      description,
      values: new Map(),
      refused: new Map(),
      stale: new Set(),
      occurrences: [],
      availability: null,
      seenAtMs: null,
    });
  };
  const sink: RecordingSink = {
    devices,
    statuses: [],
    pairing: [],
    commandFailures: [],
    acknowledgements: [],
    calls,
    device: (externalId) => {
      const found = devices.get(externalId);
      if (found === undefined) throw new Error(`no device ${externalId} was described`);
      return found;
    },
    openList: async () => () => true,
    syncDevices: async (descriptions) => {
      count('syncDevices');
      const listed = new Set(descriptions.map((description) => description.externalId));
      for (const externalId of devices.keys()) if (!listed.has(externalId)) devices.delete(externalId);
      for (const description of descriptions) describe(description);
      return true;
    },
    describeDevice: async (description) => {
      count('describeDevice');
      describe(description);
      return true;
    },
    removeDevice: async (externalId) => {
      count('removeDevice');
      devices.delete(externalId);
    },
    reportValues: (externalId, reported) => {
      count('reportValues');
      const device = devices.get(externalId);
      if (device === undefined) return;
      const features = new Map(device.description.features.map((feature) => [feature.key, feature]));
      const values = withLockRule(features, reported);
      for (const [key, value] of values) {
        // Of what was never known that is no news.
        if (value === null && !device.values.has(key)) continue;
        device.values.set(key, value);
        device.stale.delete(key);
      }
      // As in the registry, values set the time when the device was last seen.
      device.seenAtMs = Infinity;
    },
    reportKeptValues: (externalId, values) => {
      count('reportKeptValues');
      for (const [key, value] of values) devices.get(externalId)?.values.set(key, value);
    },
    reportStale: (externalId, keys) => {
      count('reportStale');
      for (const key of keys) devices.get(externalId)?.stale.add(key);
    },
    reportRefused: (externalId, key, value) => void devices.get(externalId)?.refused.set(key, value),
    reportOccurrence: (externalId, key, occurrence) => {
      count('reportOccurrence');
      devices.get(externalId)?.occurrences.push({ key, occurrence });
    },
    reportAvailability: (externalId, state, reason) => {
      count('reportAvailability');
      const device = devices.get(externalId);
      if (device !== undefined) device.availability = { state, reason };
    },
    reportLost: (...lost) => {
      for (const externalId of devices.keys()) sink.reportAvailability(externalId, ...lost);
    },
    reportSeen: (externalId, seenAtMs) => {
      const device = devices.get(externalId);
      if (device !== undefined) device.seenAtMs = seenAtMs;
    },
    reportCommandFailure: (externalId, keys, reason) => void sink.commandFailures.push({ externalId, keys, reason }),
    reportCommandAcknowledged: (externalId, keys, evidence) =>
      void sink.acknowledgements.push({ externalId, keys, evidence }),
    reportStatus: (state, error) =>
      void sink.statuses.push({ state, code: error?.code ?? null, message: error?.message ?? null }),
    reportPairing: (progress) => void sink.pairing.push(progress),
  };
  return sink;
}
