import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { Cause } from '#core/command/cause.ts';
import type { ChangeGiven } from '#core/person/authorized-change.ts';
import type { AvailabilityState, Device, DeviceDescription, DeviceId, DeviceRecord } from './device.ts';
import type { RoomId } from '#core/room/room.ts';
import { createDeviceIdentity, type DeviceIdentity, type Intake } from './device-identity.ts';
import type { DeviceLimits, ListGauge } from './device-limits.ts';
import {
  createDeviceReporting,
  type DerivedValue,
  type DeviceReporting,
  type FindCause,
  type ValuesListener,
} from './device-reports.ts';
import type { DeviceStore } from './device-store.ts';
import {
  createDeviceTable,
  type DeviceChangeKind,
  type DeviceEntry,
  type DeviceTable,
  entryFromRecord,
  hiddenRecord,
  recordFromEntry,
} from './device-table.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { FeatureState, Occurrence } from '#core/feature/feature.ts';
import { unknownAvailability } from './record-show.ts';
import { isReportable } from '#core/feature/feature-value.ts';

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
   * Values by feature key, already in the vocabulary's units and polarity. `null` is not a value: leave it out.
   * `observedAtMs` (wall time) if the device had them earlier than now.
   */
  readonly reportValues: (externalId: string, values: ReadonlyMap<string, JsonValue>, observedAtMs?: number) => void;
  /** Values that a broker kept for the device, of unknown age: shown as `restored`. */
  readonly reportKeptValues: (externalId: string, values: ReadonlyMap<string, JsonValue>) => void;
  readonly reportOccurrence: (externalId: string, key: string, occurrence: Occurrence) => void;
  /** `reason` is a short snake_case word if the state is not `online`. */
  readonly reportAvailability: (externalId: string, state: AvailabilityState, reason: string | null) => void;
  /** When the device last sent anything, as its protocol says, in wall milliseconds. */
  readonly reportSeen: (externalId: string, seenAtMs: number) => void;
};

export type DeviceUpdate = {
  readonly ownName?: string | null;
  readonly roomId?: RoomId | null;
  readonly markedSensitive?: boolean;
  readonly isLeftOn?: boolean;
};

const MARKS = ['markedSensitive', 'isLeftOn'] as const;

/** The only writer of device state. It changes devices in place, so readers must not keep what they get. */
export type DeviceRegistry = {
  /** All visible devices by name, then id. */
  readonly devices: () => readonly Device[];
  /** `undefined` for an unknown or removed device. */
  readonly findDevice: (idOrSelector: string) => Device | undefined;
  readonly devicesOf: (integration: string) => readonly Device[];
  readonly findByExternalId: (integration: string, externalId: string) => Device | undefined;
  /** Rises with every visible change, but not with a change of only `last_seen_at` or `observed_at`. */
  readonly version: () => number;
  /** The listener is called synchronously after each change; the hub logs what it throws. */
  readonly onChange: (listener: (kind: DeviceChangeKind, device: Device) => void) => () => void;
  /**
   * Throws HubError NOT_FOUND, PRECONDITION_FAILED (another revision than `ifRevision`), ROOM_NOT_FOUND, and what
   * `authorize` throws.
   */
  readonly updateDevice: (id: DeviceId, change: DeviceUpdate, given?: ChangeGiven<Device>) => Promise<Device>;
  /** Checks the revision after all changes under way. Throws HubError NOT_FOUND, PRECONDITION_FAILED. */
  readonly requireRevision: (id: DeviceId, revision: number) => Promise<void>;
  /**
   * Hides the device and keeps its id, selector, own name and room for its return. Throws HubError NOT_FOUND, and what
   * `authorize` throws.
   */
  readonly removeDevice: (id: DeviceId, given?: Pick<ChangeGiven<Device>, 'authorize'>) => Promise<void>;
  /**
   * Hides all devices of an integration that was removed, as `removeDevice` does; with `forget` none of them returns with
   * its id, name or room.
   */
  readonly removeDevicesOf: (integration: string, options: { readonly forget: boolean }) => Promise<void>;
  readonly reportsOf: (integration: string) => DeviceReports;
  /**
   * Only for devices of the hub itself: values that it makes of those of others, each with the least sure quality of
   * those; `null` where a part of them is unknown.
   */
  readonly reportDerived: (id: DeviceId, values: ReadonlyMap<string, DerivedValue | null>) => void;
  /** Whether these values fit within the limits of the device and the home, in place of the ones before. */
  readonly hasRoomFor: (id: DeviceId, values: ReadonlyMap<string, JsonValue>) => boolean;
  /** The listener is called synchronously after each report of values, even if it only repeats them. */
  readonly onValues: (listener: ValuesListener) => () => void;
  /** Shows values that the hub sent and the device has not reported yet. A report always wins. */
  readonly assumeValues: (id: DeviceId, values: ReadonlyMap<string, JsonValue>, cause: Cause) => void;
  /** Shows the last reported state of these features again, with its quality, where a value is still assumed. */
  readonly dropAssumed: (id: DeviceId, keys: readonly string[], cause: Cause) => void;
  /** The state that the device reported last, also while another value is assumed. */
  readonly findReported: (id: DeviceId, key: string) => FeatureState | undefined;
  /**
   * Takes all devices, hidden ones too, out of the room. `commit` writes them to disk together with the room's removal.
   * To call in the room registry's turn.
   */
  readonly leaveRoom: (id: RoomId, commit: (records: readonly DeviceRecord[]) => Promise<void>) => Promise<void>;
  /** To call after a room's name changed, because its devices show the name. */
  readonly touchRoom: (id: RoomId) => void;
  /** Marks the values of devices that have not reported for longer than their rule; to call every few seconds. */
  readonly markStale: () => void;
};

export type DeviceRegistryDeps = {
  readonly store: DeviceStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly emit: (event: HomeEvent) => void;
  /** Shared with the room registry, so that changes of devices and rooms happen one after the other. */
  readonly turn: TurnQueue;
  readonly roomExists: (id: RoomId) => boolean;
  readonly findCause: FindCause;
  readonly limits: DeviceLimits;
  readonly log: Log;
};

/** Loads the devices from disk, with values as `restored` and availability as unknown. */
export async function openDeviceRegistry(deps: DeviceRegistryDeps): Promise<DeviceRegistry> {
  const { clock, turn } = deps;
  const table = createDeviceTable(deps.log);
  const reporting = createDeviceReporting({ table, ...deps });
  const identity = createDeviceIdentity({ table, reporting, ...deps });
  const entryOf = (id: DeviceId, { authorize, ifRevision }: ChangeGiven<Device> = {}): DeviceEntry => {
    const entry = table.find(id);
    if (entry === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
    authorize?.(entry);
    refuseOther(entry, ifRevision);
    return entry;
  };

  await loadDevices(deps, { table, reporting, identity });

  const updateDevice: DeviceRegistry['updateDevice'] = (id, change, given) =>
    turn(async () => {
      const entry = entryOf(id, given);
      if (typeof change.roomId === 'string' && !deps.roomExists(change.roomId)) {
        throw new HubError('ROOM_NOT_FOUND', 'There is no such room.');
      }
      const old = recordFromEntry(entry);
      const changed = { ...old, ...change };
      const isSame = changed.ownName === old.ownName && changed.roomId === old.roomId;
      if (isSame && MARKS.every((mark) => (changed[mark] ?? false) === (old[mark] ?? false))) return entry;
      const record = { ...changed, revision: old.revision + 1, updatedAtMs: clock.wallMs() };
      await identity.applyRecords([record], () => deps.store.saveDevices([record]));
      return entry;
    });

  const devicesIn = (id: RoomId): DeviceEntry[] =>
    table.devices().flatMap((device) => (device.roomId === id ? (table.find(device.id) ?? []) : []));

  return {
    devices: table.devices,
    findDevice: table.find,
    devicesOf: table.ofIntegration,
    findByExternalId: table.findExternal,
    version: table.version,
    onChange: table.onChange,
    updateDevice,
    requireRevision: (id, ifRevision) => turn(async () => void entryOf(id, { ifRevision })),
    removeDevice: (id, given) => turn(() => identity.hideDevices([entryOf(id, given)])),
    removeDevicesOf: (integration, { forget }) =>
      turn(async () => {
        await identity.hideDevices(table.ofIntegration(integration));
        if (forget) identity.selectors.giveBack(table.dropRemoved(await deps.store.forgetDevicesOf(integration)));
      }),
    reportsOf: (integration) => createReports({ integration, table, reporting, identity, turn }),
    leaveRoom: async (id, commit) => {
      const hidden = table.removedIn(id).map((record) => ({ ...record, roomId: null }));
      const records = devicesIn(id).map((entry) => ({
        ...recordFromEntry(entry),
        roomId: null,
        revision: entry.revision + 1,
        updatedAtMs: clock.wallMs(),
      }));
      await identity.applyRecords(records, () => commit([...records, ...hidden]));
      for (const record of hidden) table.addRemoved(record);
    },
    touchRoom: (id) => {
      for (const entry of devicesIn(id)) table.changed(entry, 'changed');
    },
    markStale: reporting.markStale,
    reportDerived: (id, values) => table.use(id, (entry) => reporting.reportDerived(entry, values)),
    hasRoomFor: (id, values) => {
      const entry = table.find(id);
      return entry !== undefined && reporting.hasRoomFor(entry, values);
    },
    onValues: reporting.onValues,
    assumeValues: (id, values, cause) =>
      table.use(id, (entry) => {
        if (reporting.assumptions.assume(entry, values, cause)) table.changed(entry, 'changed');
      }),
    dropAssumed: (id, keys, cause) =>
      table.use(id, (entry) => {
        if (reporting.assumptions.drop(entry, keys, cause)) table.changed(entry, 'changed');
      }),
    findReported: (id, key) => {
      const entry = table.find(id);
      return entry === undefined ? undefined : reporting.assumptions.reported(entry, key);
    },
  };
}

type LoadParts = {
  readonly table: DeviceTable;
  readonly reporting: Pick<DeviceReporting, 'watch' | 'hasRoom'>;
  readonly identity: Pick<DeviceIdentity, 'selectors'>;
};

async function loadDevices({ store, clock, limits, log }: DeviceRegistryDeps, parts: LoadParts): Promise<void> {
  const { table, reporting, identity } = parts;
  const forgotten = await store.limitDevices(limits);
  if (forgotten > 0)
    log.warn('the database had more devices than the hub can have: the hub forgot the excess ones', { forgotten });
  const entries: DeviceEntry[] = [];
  for (const record of await store.loadDevices()) {
    identity.selectors.reserve(record.selector);
    if (record.removedAtMs === null) entries.push(entryFromRecord(record, unknownAvailability(clock.wallMs())));
    else table.addRemoved(hiddenRecord(record, record.removedAtMs));
  }
  table.addAll(entries);
  for (const entry of entries) table.parents.attach(entry);
  for (const value of await store.loadValues()) {
    const entry = table.find(value.deviceId);
    const feature = entry?.featuresByKey.get(value.key);
    if (entry === undefined || value.value === null) continue;
    if (feature?.kind !== 'state' || !isReportable(feature, value.value)) continue;
    if (!reporting.hasRoom(entry, value.key, value.value)) continue;
    const { observedAtMs, changedAtMs } = value;
    entry.states.set(value.key, { value: value.value, quality: 'restored', observedAtMs, changedAtMs });
  }
  for (const entry of entries) reporting.watch(entry);
}

function refuseOther({ revision }: DeviceEntry, ifRevision: number | undefined): void {
  if (ifRevision === undefined || ifRevision === revision) return;
  throw new HubError('PRECONDITION_FAILED', `The device is at revision ${revision}.`);
}

type ReportParts = {
  readonly integration: string;
  readonly table: DeviceTable;
  readonly reporting: DeviceReporting;
  readonly identity: DeviceIdentity;
  readonly turn: TurnQueue;
};

function createReports({ integration, table, reporting, identity, turn }: ReportParts): DeviceReports {
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
    reportOccurrence: (externalId, key, occurrence) =>
      withDevice(externalId, (entry) => reporting.reportOccurrence(entry, key, occurrence)),
    reportAvailability: (externalId, state, reason) =>
      withDevice(externalId, (entry) => reporting.reportAvailability(entry, state, reason)),
    reportSeen: (externalId, seenAtMs) => withDevice(externalId, (entry) => reporting.reportSeen(entry, seenAtMs)),
  };
}
