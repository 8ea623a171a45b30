import type { Clock } from '#base/time/clock.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import { createWorkSlices, eachInSlices } from '#base/work-slices.ts';
import { type DeviceDescription, type DeviceId, deviceName, type DeviceRecord } from './device.ts';
import {
  createDeviceQuota,
  type DeviceLimits,
  type DeviceQuota,
  type IntakeFault,
  type ListGauge,
} from './device-limits.ts';
import type { DeviceStore } from './device-store.ts';
import { withMeasures } from '#core/feature/measures.ts';
import { type DeviceEntry, type DeviceTable, hiddenRecord, recordFromEntry } from './device-table.ts';
import type { DeviceReporting } from '#core/device/reports/device-reports.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createParentShow, createRecordShow } from './record-show.ts';
import { createSelectorSource, type SelectorSource } from '#core/records/selector.ts';
import { createNameSource, isSuggestedName } from './suggested-name.ts';

/** Devices per transaction: many enough for few transactions, few enough that readers see the home grow. */
const BATCH = 500;

/** The outcome of a list of devices, or of one device. */
export type Intake = {
  /** Why none of it was accepted. */
  readonly refusal: IntakeFault | null;
  /** Devices whose description is too large. They keep their earlier features, or have none if they are new. */
  readonly tooLarge: readonly string[];
};

/** These parts of the record change in the same write. */
type Beside = Partial<Pick<DeviceRecord, 'ownName' | 'roomId'>>;

/** The identities of the devices. Each change is on disk before it is visible. Calls must not overlap. */
export type DeviceIdentity = {
  readonly openGauge: (integration: string) => Promise<ListGauge>;
  readonly syncDevices: (integration: string, devices: readonly DeviceDescription[]) => Promise<Intake>;
  readonly describeDevice: (integration: string, device: DeviceDescription, beside?: Beside) => Promise<Intake>;
  /** Devices that are there: `write` puts all of them on disk in one transaction. */
  readonly describeTogether: (
    integration: string,
    devices: readonly DeviceDescription[],
    write: (records: readonly DeviceRecord[]) => Promise<void>,
  ) => Promise<void>;
  readonly hideDevices: (entries: readonly DeviceEntry[]) => Promise<void>;
  /** Saves records of visible devices, then applies name and room from them. */
  readonly applyRecords: (records: readonly DeviceRecord[], save: () => Promise<void>) => Promise<void>;
  /** Selectors from an earlier run are to be reserved, those of forgotten devices given back. */
  readonly selectors: Pick<SelectorSource, 'reserve' | 'giveBack'>;
};

type Deps = {
  readonly table: DeviceTable;
  readonly reporting: DeviceReporting;
  readonly store: Pick<DeviceStore, 'saveDevices' | 'saveValue' | 'forgetDevices'>;
  readonly clock: Clock;
  readonly limits: DeviceLimits;
  readonly newId: () => string;
  readonly emit: (event: HomeEvent) => void;
};

export function createDeviceIdentity(deps: Deps): DeviceIdentity {
  const { table, store, clock, limits } = deps;
  const { monotonicMs } = clock;
  const selectors = createSelectorSource('device');
  const showRecords = createRecordShow(deps);
  const hideBatch = createHideBatch(deps);
  const quota = createDeviceQuota({ limits, devices: table.entries, monotonicMs });

  const recordOf = createRecordSource({ ...deps, selectors });
  const applyRecords = async (records: readonly DeviceRecord[], save: () => Promise<void>): Promise<void> => {
    await save();
    await showRecords(records);
  };
  const saveDescribed = async (records: readonly DeviceRecord[]): Promise<void> => {
    try {
      await store.saveDevices(records);
    } catch (cause) {
      selectors.giveBack(records.filter((record) => record.revision === 1).map((record) => record.selector));
      throw cause;
    }
  };
  /** Returns the devices whose description is too large. */
  const describeAll = async (
    integration: string,
    devices: readonly DeviceDescription[],
    beside: Beside = {},
  ): Promise<readonly string[]> => {
    const tooLarge: string[] = [];
    const slices = createWorkSlices(monotonicMs);
    const suggestName = whenNeeded(() => [...table.devices().map(deviceName), ...devices.map(({ name }) => name)]);
    for (let start = 0; start < devices.length; start += BATCH) {
      const records: DeviceRecord[] = [];
      for (const device of devices.slice(start, start + BATCH)) {
        const old = table.findExternal(integration, device.externalId);
        const fitting = quota.fit(device, old?.features ?? []);
        if (fitting !== device) tooLarge.push(device.externalId);
        const record = fitting === undefined ? undefined : recordOf(integration, fitting, suggestName);
        const changed = recordWith(record, old, { beside, nowMs: clock.wallMs() });
        if (changed !== undefined) records.push(changed);
        const pause = slices.pause();
        if (pause !== undefined) await pause;
      }
      if (records.length > 0) await applyRecords(records, () => saveDescribed(records));
    }
    return tooLarge;
  };
  const hideDevices = async (entries: readonly DeviceEntry[]): Promise<void> => {
    for (let start = 0; start < entries.length; start += BATCH) await hideBatch(entries.slice(start, start + BATCH));
    if (table.removedCount() <= limits.remembered) return;
    selectors.giveBack(table.dropRemoved(await store.forgetDevices(limits.remembered)));
  };

  return {
    openGauge: quota.openGauge,
    hideDevices,
    applyRecords,
    selectors,
    describeDevice: async (integration, device, beside) => {
      const shown = table.findExternal(integration, device.externalId);
      const fitting = quota.fit(device, shown?.features ?? []);
      const refusal = fitting === undefined ? null : await quota.refusalOfOne(integration, fitting, shown);
      if (refusal !== null) return { refusal, tooLarge: [] };
      return { refusal: null, tooLarge: await describeAll(integration, [device], beside) };
    },
    describeTogether: async (integration, devices, write) => {
      const records = devices.flatMap((device) => {
        const old = table.findExternal(integration, device.externalId);
        const fitting = quota.fit(device, old?.features ?? []);
        const record = fitting && recordOf(integration, fitting, () => device.name);
        return recordWith(record, old, { beside: {}, nowMs: clock.wallMs() }) ?? [];
      });
      await applyRecords(records, () => write(records));
    },
    syncDevices: async (integration, devices) => {
      // If a list names a device twice, the last description wins.
      const listed = new Map(devices.map((device) => [device.externalId, device]));
      const refusal = await refusalOfList({ table, quota, monotonicMs }, integration, listed.values());
      if (refusal !== null) return { refusal, tooLarge: [] };
      const tooLarge = await describeAll(integration, [...listed.values()]);
      await hideDevices(table.ofIntegration(integration).filter((entry) => !listed.has(entry.externalId)));
      return { refusal: null, tooLarge };
    },
  };
}

/** Hides devices together, in one transaction. */
function createHideBatch(deps: Deps): (entries: readonly DeviceEntry[]) => Promise<void> {
  const { table, store, clock, reporting, emit } = deps;
  const showParents = createParentShow(deps);
  return async (entries) => {
    const nowMs = clock.wallMs();
    const hidden = entries.map((entry) => {
      return { entry, record: hiddenRecord({ ...recordFromEntry(entry), updatedAtMs: nowMs }, nowMs) };
    });
    await store.saveDevices(hidden.map(({ record }) => record));
    await eachInSlices(hidden, clock.monotonicMs, ({ entry, record }) => {
      reporting.forget(entry);
      table.hide(entry, record);
      emit({ type: 'device.removed', device: entry });
      showParents(table.parents.detach(entry));
    });
  };
}

type ListCheck = { readonly table: DeviceTable; readonly quota: DeviceQuota; readonly monotonicMs: () => number };

/** Why the integration may not have exactly these devices. Each counts with the size that the hub would keep of it. */
async function refusalOfList(
  { table, quota, monotonicMs }: ListCheck,
  integration: string,
  devices: Iterable<DeviceDescription>,
): Promise<IntakeFault | null> {
  const gauge = await quota.openGauge(integration);
  const slices = createWorkSlices(monotonicMs);
  for (const device of devices) {
    const shown = table.findExternal(integration, device.externalId);
    const fitting = quota.fit(device, shown?.features ?? []);
    const refusal = fitting === undefined ? null : gauge(fitting);
    if (refusal !== null) return refusal;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return null;
}

/** The new record with these changes; `undefined` if the device is as it was. */
function recordWith(
  record: DeviceRecord | undefined,
  old: DeviceEntry | undefined,
  { beside, nowMs }: { readonly beside: Beside; readonly nowMs: number },
): DeviceRecord | undefined {
  if (record !== undefined) return { ...record, ...beside };
  if (old === undefined) return undefined;
  const { ownName = old.ownName, roomId = old.roomId } = beside;
  if (ownName === old.ownName && roomId === old.roomId) return undefined;
  return { ...recordFromEntry(old), ownName, roomId, revision: old.revision + 1, updatedAtMs: nowMs };
}

type RecordSourceDeps = Pick<Deps, 'table' | 'clock' | 'newId'> & { readonly selectors: SelectorSource };

/** Makes the record of a described device; `undefined` if it is already visible with the same description. */
function createRecordSource({ table, clock, newId, selectors }: RecordSourceDeps) {
  return (integration: string, described: DeviceDescription, suggestName: SuggestName): DeviceRecord | undefined => {
    const { externalId } = described;
    const entry = table.findExternal(integration, externalId);
    const known = entry === undefined ? table.findRemoved(integration, externalId) : recordFromEntry(entry);
    const name = nameOf(described, known, suggestName);
    const measured = withMeasures(described.features, known?.measures);
    const description = { ...described, ...measured, name, parentExternalId: described.parentExternalId ?? null };
    const nowMs = clock.wallMs();
    if (known !== undefined) {
      if (known.removedAtMs === null && isSameDescription(known, description)) return undefined;
      return { ...known, ...description, removedAtMs: null, revision: known.revision + 1, updatedAtMs: nowMs };
    }
    return {
      ...description,
      id: newId() as DeviceId,
      // Made of the upstream name or the address, never of a suggested name, because a selector never changes.
      selector: selectors.take(selectorTexts(described)),
      integration,
      ownName: null,
      roomId: null,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      removedAtMs: null,
    };
  };
}

type SuggestName = ReturnType<typeof createNameSource>;

/** Collects the names in use only when the first device needs a suggested name. */
function whenNeeded(namesInUse: () => readonly string[]): SuggestName {
  let source: SuggestName | undefined;
  return (device) => (source ??= createNameSource(namesInUse()))(device);
}

/**
 * The name upstream, or a suggested one if that is only the address. A device keeps its suggested name as long as the
 * name fits its type, maker and model.
 */
function nameOf(reported: DeviceDescription, known: DeviceRecord | undefined, suggestName: SuggestName): string {
  if (reported.name !== reported.externalId) return reported.name;
  if (known === undefined || known.name === known.externalId) return suggestName(reported);
  return isSuggestedName(known.name, known) && !isSuggestedName(known.name, reported)
    ? suggestName(reported)
    : known.name;
}

/** A device without a name, such as one just paired, gets a readable selector made of its type and address. */
function selectorTexts(description: DeviceDescription): string[] {
  const typed = `${description.type} ${description.externalId.slice(-4)}`;
  return description.name === description.externalId ? [typed] : [description.name, typed];
}

function isSameDescription(known: DeviceRecord, description: DeviceDescription): boolean {
  return (Object.keys(description) as (keyof DeviceDescription)[]).every((field) =>
    // A description is JSON data, which TypeScript cannot see.
    isSameJson(known[field] as unknown as JsonValue, description[field] as unknown as JsonValue),
  );
}
