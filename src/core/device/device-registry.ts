import { HubError, requireThing } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { Device, DeviceDescription, DeviceId, DeviceRecord } from './device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { RoomDevices } from '#core/room/room-registry.ts';
import { createDeviceIdentity, type DeviceIdentity } from './device-identity.ts';
import type { DeviceLimits } from './device-limits.ts';
import {
  createDeviceReporting,
  type DerivedValue,
  type DeviceReporting,
  type FindCause,
  type ValuesListener,
} from '#core/device/reports/device-reports.ts';
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
import { changedMeasures, isSameMeasures, type MeasureChange } from '#core/feature/measures.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { FeatureState } from '#core/feature/feature.ts';
import { createReports, type DeviceReports } from '#core/device/reports/integration-reports.ts';
import { unknownAvailability } from './record-show.ts';
import { isReportable } from '#core/feature/feature-value.ts';
import { GROUP, isGroup, requireRoomOfAll } from './group.ts';

export type DeviceUpdate = {
  readonly ownName?: string | null;
  readonly roomId?: RoomId | null;
  readonly markedSensitive?: boolean;
  /** `undefined` gives it back to its type. */
  readonly isLeftOn?: boolean | undefined;
  readonly icon?: string | null;
  readonly measure?: MeasureChange;
};

type OwnMaker = (present: Device | undefined) => OwnDescription | undefined;
type OwnDescription = {
  readonly description: DeviceDescription;
  /** What changes beside it. */
  readonly change?: Pick<DeviceUpdate, 'ownName' | 'roomId'>;
};

/** The only writer of device state. It changes devices in place, so readers must not keep what they get. */
export type DeviceRegistry = RoomDevices<DeviceRecord> & {
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
   * Throws HubError NOT_FOUND, PRECONDITION_FAILED (another revision than `ifRevision`), ROOM_NOT_FOUND, what
   * `changedMeasures` throws, and what `authorize` throws.
   */
  readonly updateDevice: (id: DeviceId, change: DeviceUpdate, terms?: ChangeTerms<Device>) => Promise<Device>;
  /** Checks the revision after all changes under way. Throws HubError NOT_FOUND, PRECONDITION_FAILED. */
  readonly requireRevision: (id: DeviceId, revision: number) => Promise<void>;
  /**
   * Hides the device and keeps its id, selector, own name and room for its return; a group is forgotten. Throws HubError
   * NOT_FOUND, and what `authorize` throws.
   */
  readonly removeDevice: (id: DeviceId, terms?: Pick<ChangeTerms<Device>, 'authorize'>) => Promise<void>;
  /**
   * Hides all devices of an integration that was removed, as `removeDevice` does; with `forget` none of them returns with
   * its id, name or room.
   */
  readonly removeDevicesOf: (integration: string, options: { readonly forget: boolean }) => Promise<void>;
  readonly reportsOf: (integration: string) => DeviceReports;
  /**
   * Only for devices of the hub itself: adds or changes one, in one write. `make` gets the present device. If it returns
   * nothing, nothing changes. Throws HubError ROOM_NOT_FOUND, LIMIT_REACHED and what `make` throws.
   */
  readonly describeOwn: (integration: string, externalId: string, make: OwnMaker) => Promise<Device | undefined>;
  /** The same for several that are there: `write` puts all of them on disk in one transaction. */
  readonly describeTogether: (
    integration: string,
    make: () => readonly DeviceDescription[],
    write: (records: readonly DeviceRecord[]) => Promise<void>,
  ) => Promise<void>;
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
  /** Marks the values of devices that have not reported for longer than their rule; to call every few seconds. */
  readonly markStale: () => void;
};

type DeviceRegistryDeps = Pick<Runtime, 'clock' | 'log'> & {
  readonly store: DeviceStore;
  readonly newId: () => string;
  readonly emit: (event: HomeEvent) => void;
  /** Shared with the room registry, so that changes of devices and rooms happen one after the other. */
  readonly turn: TurnQueue;
  readonly roomExists: (id: RoomId) => boolean;
  readonly findCause: FindCause;
  readonly limits: DeviceLimits;
};

/** Loads the devices from disk, with values as `restored` and availability as unknown. */
export async function openDeviceRegistry(deps: DeviceRegistryDeps): Promise<DeviceRegistry> {
  const { clock, turn } = deps;
  const table = createDeviceTable(deps.log);
  const reporting = createDeviceReporting({ table, ...deps });
  const identity = createDeviceIdentity({ table, reporting, ...deps });
  const entryOf = (id: DeviceId, { authorize, ifRevision }: ChangeTerms<Device> = {}): DeviceEntry => {
    const entry = requireThing(table.find(id), 'device');
    authorize?.(entry);
    refuseOther(entry, ifRevision);
    return entry;
  };

  await loadDevices(deps, { table, reporting, identity });

  const devicesIn = (id: RoomId): DeviceEntry[] =>
    table.devices().flatMap((device) => (device.roomId === id ? (table.find(device.id) ?? []) : []));

  const forgetRemovedOf = async (integration: string): Promise<void> =>
    identity.selectors.giveBack(table.dropRemoved(await deps.store.forgetDevicesOf(integration)));

  return {
    devices: table.devices,
    findDevice: table.find,
    devicesOf: table.ofIntegration,
    findByExternalId: table.findExternal,
    version: table.version,
    onChange: table.onChange,
    ...createChanges(deps, { table, identity, entryOf }),
    requireRevision: (id, ifRevision) => turn(async () => void entryOf(id, { ifRevision })),
    removeDevice: (id, terms) =>
      turn(async () => {
        const entry = entryOf(id, terms);
        await identity.hideDevices([entry]);
        if (!isGroup(entry)) return;
        // A group never returns. It is gone already, so that a failure is left to the next removal.
        await forgetRemovedOf(GROUP).catch((cause: unknown) => deps.log.warn('a group is still remembered', { cause }));
      }),
    removeDevicesOf: (integration, { forget }) =>
      turn(async () => {
        await identity.hideDevices(table.ofIntegration(integration));
        if (forget) await forgetRemovedOf(integration);
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

type ChangeParts = {
  readonly table: DeviceTable;
  readonly identity: DeviceIdentity;
  readonly entryOf: (id: DeviceId, terms?: ChangeTerms<Device>) => DeviceEntry;
};

/** Makes the changes that people and the hub itself ask for. */
function createChanges(
  { turn, store, clock, roomExists }: DeviceRegistryDeps,
  { table, identity, entryOf }: ChangeParts,
): Pick<DeviceRegistry, 'updateDevice' | 'describeOwn' | 'describeTogether'> {
  const requireRoom = (roomId: RoomId | null | undefined): void => {
    if (typeof roomId !== 'string' || roomExists(roomId)) return;
    throw new HubError('ROOM_NOT_FOUND', 'There is no such room.');
  };
  return {
    updateDevice: (id, change, terms) =>
      turn(async () => {
        const entry = entryOf(id, terms);
        requireRoom(change.roomId);
        requireRoomOfAll(entry.members ?? [], change.roomId ?? null, table.find);
        const old = recordFromEntry(entry);
        const { measure, ...plain } = change;
        const value = entry.states.get(measure?.key ?? '')?.value ?? null;
        const changed = { ...old, ...plain, ...(measure && changedMeasures(old, measure, value)) };
        const isSame = (['ownName', 'roomId', 'icon'] as const).every(
          (key) => (changed[key] ?? null) === (old[key] ?? null),
        );
        const isMeasured = measure !== undefined && !isSameMeasures(changed, old);
        const isMarked =
          (changed.markedSensitive ?? false) !== (old.markedSensitive ?? false) || changed.isLeftOn !== old.isLeftOn;
        if (isSame && !isMeasured && !isMarked) return entry;
        const record = { ...changed, revision: old.revision + 1, updatedAtMs: clock.wallMs() };
        await identity.applyRecords([record], () => store.saveDevices([record]));
        return entry;
      }),
    describeTogether: (integration, make, write) => turn(() => identity.describeTogether(integration, make(), write)),
    describeOwn: (integration, externalId, make) =>
      turn(async () => {
        const present = table.findExternal(integration, externalId);
        const made = make(present);
        if (made === undefined) return present;
        requireRoom(made.change?.roomId);
        const { refusal } = await identity.describeDevice(integration, made.description, made.change);
        if (refusal !== null) throw new HubError('LIMIT_REACHED', `${refusal.message}.`);
        return table.findExternal(integration, externalId);
      }),
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
