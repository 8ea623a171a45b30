import { isSameJson, type JsonValue } from '#base/json.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { Sent } from '#integrations/peer/source.ts';
import { keyOf, type KnownDevice } from '#integrations/hue/resources/device.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';
import { inventoryFrom, type Inventory } from '#integrations/hue/resources/inventory.ts';
import { type Report, reportFromResource } from './payload.ts';

export type Reporting = ReturnType<typeof createReporting>;

type ReportingDeps = {
  readonly sink: DeviceSink;
  readonly takeRooms: boolean;
  readonly monotonicMs: () => number;
};

/** A reading this soon after a command may still show what was before it. */
const SETTLE_MS = 1_000;

const NOTHING: Inventory = {
  bridgeId: null,
  devices: new Map(),
  services: new Map(),
  groups: [],
  discoveryId: null,
};

export function createReporting(deps: ReportingDeps) {
  const { sink, monotonicMs } = deps;
  const memories = createDeviceMemories();
  let inventory = NOTHING;
  const read: Read = (resource) => {
    const service = inventory.services.get(keyOf(resource));
    if (service === undefined) return undefined;
    const { externalId } = service;
    const memory = memories.of(externalId);
    const onRefused = (key: string, value: JsonValue): void => sink.reportRefused(externalId, key, value);
    return { ...reportFromResource(resource, service, { ...memory, onRefused }), externalId, memory };
  };
  return {
    inventory: (): Inventory => inventory,
    /** Takes the reading of all resources. False if the home has no room for them. */
    takeAll: async (found: ReadonlyMap<string, Resource>): Promise<boolean> => {
      const next = inventoryFrom(found, deps.takeRooms);
      const fits = await sink.openList();
      const descriptions = [...next.devices.values()].map(({ description }) => description);
      if (!descriptions.every(fits) || !(await sink.syncDevices(descriptions))) return false;
      inventory = next;
      memories.forget((externalId) => !next.devices.has(externalId));
      await reportAll(found, { ...deps, inventory, read });
      return true;
    },
    /** Takes a change from the stream. */
    takeUpdate: (update: Resource): void => {
      const report = read(update);
      if (report !== undefined) reportUpdate(update, report, sink);
    },
    /**
     * Takes a later reading of the lights. Reports what the stream did not: true if it should have. A command to a value
     * that a lamp has already makes no event, so what was sent before this reading is reported without one.
     */
    takeLights: (lights: readonly Resource[], beganMs: number): boolean => {
      const settledMs = beganMs - SETTLE_MS;
      let isMissed = false;
      for (const light of lights) {
        const report = read(light);
        if (report === undefined) continue;
        const { externalId, memory, values } = report;
        const news = new Map<string, JsonValue>();
        for (const [key, value] of values) {
          const takenMs = memory.awaited.get(key);
          const isNew = !isSameJson(memory.values.get(key) ?? null, value);
          if (takenMs === undefined ? isNew : takenMs < settledMs) news.set(key, value);
          isMissed ||= takenMs === undefined && isNew;
        }
        if (news.size === 0) continue;
        memory.keep(news);
        sink.reportValues(externalId, news);
      }
      memories.endWaits(settledMs);
      return isMissed;
    },
    noteSent: ({ description }: KnownDevice, sent: ReadonlyMap<string, Sent>): void => {
      const memory = memories.of(description.externalId);
      for (const [key, one] of sent) memory.sent.set(key, one);
    },
    /** The bridge has taken what was sent. True if it was news for the lamp: only then it makes a report. */
    noteTaken: (externalId: string, keys: readonly string[]): boolean => {
      const byKey = inventory.devices.get(externalId)?.byKey;
      const { awaited, values, sent } = memories.of(externalId);
      let areNews = true;
      for (const key of keys) {
        const source = byKey?.get(key);
        if (source?.resourceType !== 'light' || source.read === undefined) continue;
        const isNews = !isSameJson(values.get(key) ?? null, sent.get(key)?.value ?? null);
        areNews &&= isNews;
        // What was so before needs no time to become so.
        awaited.set(key, isNews ? monotonicMs() : Number.NEGATIVE_INFINITY);
      }
      return areNews;
    },
    /** Whether a report of something that was sent has not come yet. */
    isAwaiting: memories.isAwaiting,
    setDown: (): void => {
      memories.endWaits(Infinity);
      if (inventory.devices.size > 0) sink.reportLost('unknown', 'integration_down');
    },
  };
}

type OwnReport = Report & { readonly externalId: string; readonly memory: DeviceMemory };
type Read = (resource: Resource) => OwnReport | undefined;
type AllDeps = ReportingDeps & { readonly inventory: Inventory; readonly read: Read };

/** Reports the whole state. What happened before is not reported: nobody needs to hear of it now. */
async function reportAll(
  resources: ReadonlyMap<string, Resource>,
  { sink, inventory, read, monotonicMs }: AllDeps,
): Promise<void> {
  const all = new Map<string, Map<string, JsonValue>>();
  const reached = new Map<string, Reach>();
  await eachInSlices(resources.values(), monotonicMs, (resource) => {
    const report = read(resource);
    if (report === undefined) return;
    const { externalId, memory } = report;
    for (const { key, updated } of report.happenings) memory.updated.set(key, updated);
    const values = all.get(externalId) ?? new Map<string, JsonValue>();
    for (const [key, value] of report.values) values.set(key, value);
    memory.keep(report.values);
    all.set(externalId, values);
    if (resource.type === 'zigbee_connectivity') reached.set(externalId, reachFrom(resource['status']));
  });
  await eachInSlices(inventory.devices.keys(), monotonicMs, (externalId) => {
    const reach = reached.get(externalId) ?? ONLINE;
    const values = all.get(externalId) ?? new Map<string, JsonValue>();
    sink.reportAvailability(externalId, ...reach);
    if (values.size === 0) return;
    // The bridge shows the last values of a device that it cannot reach, of whatever age.
    if (reach === ONLINE) sink.reportValues(externalId, values);
    else sink.reportKeptValues(externalId, values);
  });
}

function reportUpdate(update: Resource, { externalId, memory, values, happenings }: OwnReport, sink: DeviceSink): void {
  if (update.type === 'zigbee_connectivity' && 'status' in update) {
    sink.reportAvailability(externalId, ...reachFrom(update['status']));
  }
  memory.keep(values);
  if (values.size > 0) sink.reportValues(externalId, values);
  for (const { key, occurrence, updated } of happenings) {
    // The times have one form, so they compare as text. A repeated report has the time of the first.
    if (updated <= (memory.updated.get(key) ?? '')) continue;
    memory.updated.set(key, updated);
    sink.reportOccurrence(externalId, key, occurrence);
  }
}

type Reach = readonly [AvailabilityState, reason: string | null];
const ONLINE: Reach = ['online', null];
/** Each state of the radio link (aiohue 4.9); a sensor that only sends is heard well. */
const REACHES = new Map<JsonValue, Reach>([
  ['connected', ONLINE],
  ['unidirectional_incoming', ONLINE],
  ['disconnected', ['offline', 'disconnected']],
  ['connectivity_issue', ['offline', 'connectivity_issue']],
  ['pending_discovery', ['unknown', 'no_report']],
]);

function reachFrom(status: JsonValue | undefined): Reach {
  return REACHES.get(status ?? null) ?? ['unknown', 'no_report'];
}

/** The hub remembers this of one device between two of its reports. */
type DeviceMemory = ReturnType<typeof createMemory>;

function createDeviceMemories() {
  const memories = new Map<string, DeviceMemory>();
  return {
    of: (externalId: string): DeviceMemory => {
      const known = memories.get(externalId);
      if (known !== undefined) return known;
      const memory = createMemory();
      memories.set(externalId, memory);
      return memory;
    },
    forget: (isGone: (externalId: string) => boolean): void => {
      for (const externalId of memories.keys()) if (isGone(externalId)) memories.delete(externalId);
    },
    isAwaiting: (): boolean => [...memories.values()].some(({ awaited }) => awaited.size > 0),
    /** Waits no longer for reports of what the bridge took before this moment. */
    endWaits: (beforeMs: number): void => {
      for (const { awaited } of memories.values()) {
        for (const [key, takenMs] of awaited) if (takenMs < beforeMs) awaited.delete(key);
      }
    },
  };
}

function createMemory() {
  const values = new Map<string, JsonValue>();
  const awaited = new Map<string, number>();
  return {
    values,
    sent: new Map<string, Sent>(),
    /** When the bridge took what was sent, in monotonic milliseconds; until it is reported. */
    awaited,
    /** The bridge's time of the last occurrence of each button. */
    updated: new Map<string, string>(),
    /** Notes values that are being reported. */
    keep: (reported: ReadonlyMap<string, JsonValue>): void => {
      for (const [key, value] of reported) {
        values.set(key, value);
        awaited.delete(key);
      }
    },
  };
}
