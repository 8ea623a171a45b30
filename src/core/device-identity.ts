import type { Clock } from '#base/clock.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceDescription, DeviceId, DeviceRecord } from './device.ts';
import type { DeviceStore } from './device-store.ts';
import { type DeviceEntry, type DeviceTable, recordFromEntry } from './device-table.ts';
import type { DeviceReporting } from './device-reports.ts';
import type { HomeEvent } from './event.ts';
import { createRecordShow } from './record-show.ts';
import { createSelectorSource, type SelectorSource } from './selector.ts';

/** Devices per transaction: long enough to be few, short enough that readers see the home grow. */
const BATCH = 500;

/** Who the devices are. Everything here is on disk before it is visible. To be called one after the other. */
export type DeviceIdentity = {
  readonly syncDevices: (integration: string, devices: readonly DeviceDescription[]) => Promise<void>;
  readonly describeDevices: (integration: string, devices: readonly DeviceDescription[]) => Promise<void>;
  readonly hideDevices: (entries: readonly DeviceEntry[]) => Promise<void>;
  /** Saves records of visible devices, then applies name and room from them. */
  readonly applyRecords: (records: readonly DeviceRecord[], save: () => Promise<void>) => Promise<void>;
  /** Marks a selector from an earlier run as used. */
  readonly reserveSelector: SelectorSource['reserve'];
};

type Deps = {
  readonly table: DeviceTable;
  readonly reporting: DeviceReporting;
  readonly store: Pick<DeviceStore, 'saveDevices' | 'saveValue'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly emit: (event: HomeEvent) => void;
};

export function createDeviceIdentity(deps: Deps): DeviceIdentity {
  const { table, store, clock, emit } = deps;
  const selectors = createSelectorSource('device');
  const showRecords = createRecordShow(deps);

  const recordOf = (integration: string, description: DeviceDescription): DeviceRecord | undefined => {
    const entry = table.findExternal(integration, description.externalId);
    const known = entry === undefined ? table.findRemoved(integration, description.externalId) : recordFromEntry(entry);
    const nowMs = clock.wallMs();
    if (known === undefined) return newRecord(integration, description, nowMs);
    if (known.removedAtMs === null && isSameDescription(known, description)) return undefined;
    return { ...known, ...description, removedAtMs: null, revision: known.revision + 1, updatedAtMs: nowMs };
  };
  const newRecord = (integration: string, description: DeviceDescription, nowMs: number): DeviceRecord => ({
    ...description,
    id: deps.newId() as DeviceId,
    selector: selectors.take(selectorTexts(description)),
    integration,
    ownName: null,
    roomId: null,
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    removedAtMs: null,
  });

  const applyRecords = async (records: readonly DeviceRecord[], save: () => Promise<void>): Promise<void> => {
    await save();
    showRecords(records);
  };
  const describeDevices: DeviceIdentity['describeDevices'] = async (integration, devices) => {
    for (let start = 0; start < devices.length; start += BATCH) {
      // The last description wins where an inventory names a device twice.
      const batch = new Map(devices.slice(start, start + BATCH).map((device) => [device.externalId, device]));
      const records = [...batch.values()].flatMap((device) => recordOf(integration, device) ?? []);
      if (records.length > 0) await applyRecords(records, () => saveDescribed(records));
    }
  };
  const saveDescribed = async (records: readonly DeviceRecord[]): Promise<void> => {
    try {
      await store.saveDevices(records);
    } catch (cause) {
      selectors.giveBack(records.filter((record) => record.revision === 1).map((record) => record.selector));
      throw cause;
    }
  };
  const hideBatch = async (entries: readonly DeviceEntry[]): Promise<void> => {
    const nowMs = clock.wallMs();
    const records = entries.map((entry) => ({ ...recordFromEntry(entry), removedAtMs: nowMs, updatedAtMs: nowMs }));
    await store.saveDevices(records);
    for (const [index, entry] of entries.entries()) {
      const record = records[index];
      if (record === undefined) continue;
      deps.reporting.forget(entry);
      table.hide(entry, record);
      emit({ type: 'device.removed', device: entry });
    }
  };
  const hideDevices = async (entries: readonly DeviceEntry[]): Promise<void> => {
    for (let start = 0; start < entries.length; start += BATCH) await hideBatch(entries.slice(start, start + BATCH));
  };
  return {
    describeDevices,
    hideDevices,
    applyRecords,
    reserveSelector: selectors.reserve,
    syncDevices: async (integration, devices) => {
      await describeDevices(integration, devices);
      const listed = new Set(devices.map((device) => device.externalId));
      await hideDevices(table.ofIntegration(integration).filter((entry) => !listed.has(entry.externalId)));
    },
  };
}

/** A device without a name of its own, as one fresh from pairing, gets a selector that can still be read. */
function selectorTexts(description: DeviceDescription): string[] {
  const typed = `${description.type} ${description.externalId.slice(-4)}`;
  return description.name === description.externalId ? [typed] : [description.name, typed];
}

function isSameDescription(known: DeviceRecord, description: DeviceDescription): boolean {
  return (Object.keys(description) as (keyof DeviceDescription)[]).every((field) =>
    // Descriptions are plain data throughout; the cast only says so to the compiler.
    isSameJson(known[field] as unknown as JsonValue, description[field] as unknown as JsonValue),
  );
}
