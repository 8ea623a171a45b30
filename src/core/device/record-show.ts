import type { Clock } from '#base/time/clock.ts';
import { eachInSlices } from '#base/work-slices.ts';
import { type Availability, deviceName, type DeviceRecord } from './device.ts';
import type { DeviceReporting } from '#core/device/reports/device-reports.ts';
import type { DeviceStore } from './device-store.ts';
import { measuredUnits } from '#core/feature/measures.ts';
import { type DeviceEntry, type DeviceTable, entryFromRecord, featuresByKey } from './device-table.ts';
import type { HomeEvent } from '#core/event/event.ts';

/** Shows records that are on disk already, as new devices or as changes of known ones. */
type RecordShow = (records: readonly DeviceRecord[]) => Promise<void>;

type Deps = {
  readonly table: DeviceTable;
  readonly reporting: Pick<DeviceReporting, 'watch' | 'dropValue'>;
  readonly store: Pick<DeviceStore, 'saveValue'>;
  readonly clock: Clock;
  readonly emit: (event: HomeEvent) => void;
};

export function createRecordShow({ table, reporting, store, clock, emit }: Deps): RecordShow {
  /** Drops each value, in memory and on disk, whose feature now has another kind, type or unit, or comes in another one. */
  const dropMeaninglessValues = (entry: DeviceEntry, record: Pick<DeviceRecord, 'features' | 'measures'>): void => {
    const nextByKey = featuresByKey(record.features);
    const unitsBefore = measuredUnits(entry);
    const units = measuredUnits(record);
    for (const key of entry.states.keys()) {
      const old = entry.featuresByKey.get(key);
      const next = nextByKey.get(key);
      const isSame =
        next?.kind === old?.kind &&
        next?.valueType === old?.valueType &&
        next?.unit === old?.unit &&
        units.get(key) === unitsBefore.get(key);
      if (isSame) continue;
      reporting.dropValue(entry, key);
      store.saveValue({ deviceId: entry.id, key, value: null, observedAtMs: null, changedAtMs: null });
    }
  };
  const showParentChange = createParentShow({ table, emit });
  const showChange = (entry: DeviceEntry, record: DeviceRecord): void => {
    const { removedAtMs: _, ...device } = record;
    const { roomId: oldRoomId, staleAfterMs: oldStaleAfterMs } = entry;
    const oldName = deviceName(entry);
    dropMeaninglessValues(entry, device);
    Object.assign(entry, device, { featuresByKey: featuresByKey(device.features) });
    const moved = table.parents.attach(entry);
    if (entry.staleAfterMs !== oldStaleAfterMs) reporting.watch(entry);
    const isMoved = deviceName(entry) !== oldName;
    if (isMoved) table.place(entry);
    table.changed(entry, isMoved ? 'moved' : 'changed');
    emit({ type: 'device.changed', device: entry, oldRoomId });
    showParentChange(moved);
  };
  const show = (record: DeviceRecord): void => {
    const known = table.find(record.id);
    if (known !== undefined) return showChange(known, record);
    const entry = entryFromRecord(record, unknownAvailability(clock.wallMs()));
    table.addAll([entry]);
    const moved = table.parents.attach(entry);
    reporting.watch(entry);
    emit({ type: 'device.added', device: entry });
    showParentChange(moved);
  };
  return (records) => eachInSlices(records, clock.monotonicMs, show);
}

/** Shows devices whose parent came, went or became another. */
export function createParentShow({ table, emit }: Pick<Deps, 'table' | 'emit'>) {
  return (entries: readonly DeviceEntry[]): void => {
    for (const entry of entries) {
      table.changed(entry, 'changed');
      emit({ type: 'device.changed', device: entry, oldRoomId: entry.roomId });
    }
  };
}

export function unknownAvailability(nowMs: number): Availability {
  return { state: 'unknown', sinceMs: nowMs, lastSeenAtMs: null, reason: 'no_report' };
}
