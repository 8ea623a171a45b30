import { HubError } from '#base/hub-error.ts';
import { type JsonObject, type JsonValue, listOf, objectOf } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { type Component, mergeStatus, noteStatuses, type Statuses } from '#integrations/shelly/mapping/components.ts';
import { type DeviceInfo, devicesFrom, type ShownDevice } from '#integrations/shelly/mapping/shelly-device.ts';
import { readSources, refuseUnfit } from '#integrations/peer/source.ts';
import { readFrom, type Sending, sendingsFromCommand } from './payload.ts';

/** Tells the hub what a device and those behind it say, and knows what they are. */
export type Reporting = ReturnType<typeof createReporting>;

const MAX_EVENTS = 32;
const REMADE: ReadonlySet<string> = new Set(['config_changed', 'component_added', 'component_removed']);

export function createReporting(sink: DeviceSink) {
  const components = new Map<string, Component>();
  let shown: readonly ShownDevice[] = [];

  const report = (changed?: ReadonlySet<string>): void => {
    for (const { description, sources, heardBy } of shown) {
      const { externalId } = description;
      const meant = sources.filter(({ from }) => changed?.has(from) !== false);
      const values = readSources(meant, (source) => readFrom(source, components), { sink, externalId });
      if (values.size > 0) sink.reportValues(externalId, values);
      if (heardBy !== null && changed?.has(heardBy) !== false) reportHeard(externalId, heardBy);
    }
  };
  /** One behind a gateway speaks when it has something to say: it is there once it was heard. */
  const reportHeard = (externalId: string, from: string): void => {
    const heard = components.get(from)?.status['last_updated_ts'];
    const heardMs = typeof heard === 'number' && heard > 0 && heard < 1e11 ? heard * 1_000 : undefined;
    if (heardMs === undefined) return sink.reportAvailability(externalId, 'unknown', 'no_report');
    sink.reportAvailability(externalId, 'online', null);
    sink.reportSeen(externalId, heardMs);
  };
  /** Returns the keys of the components whose statuses these are. */
  const merge = (said: Statuses): ReadonlySet<string> => {
    const changed = new Set<string>();
    for (const [key, { status, isWhole }] of said) {
      const component = components.get(key);
      if (component === undefined) continue;
      components.set(key, { ...component, status: mergeStatus(isWhole ? {} : component.status, status) });
      changed.add(key);
    }
    return changed;
  };
  return {
    /** Takes all that a device is, and what it has said `since` it was read. False if the home has no room for it. */
    begin: async (
      info: DeviceInfo,
      all: ReadonlyMap<string, Component>,
      since: Statuses = new Map(),
    ): Promise<boolean> => {
      const devices = devicesFrom(info, all);
      await sink.openList();
      if (!(await sink.syncDevices(devices.map(({ description }) => description)))) return false;
      components.clear();
      for (const [key, component] of all) components.set(key, component);
      merge(since);
      shown = devices;
      sink.reportAvailability(info.mac, 'online', null);
      report();
      return true;
    },
    /** Takes the statuses of some components: the members that have changed, or all of them. */
    takeStatus: (params: JsonObject, isWhole: boolean): void => {
      const said: Statuses = new Map();
      noteStatuses(said, params, isWhole);
      const changed = merge(said);
      if (changed.size > 0) report(changed);
    },
    /** Takes events. True if one says that the device is no longer what it was. */
    takeEvents: (events: JsonValue | undefined): boolean => {
      const list = listOf(events).slice(0, MAX_EVENTS).map(objectOf);
      for (const details of list) {
        const { component, event } = details;
        if (typeof component !== 'string' || typeof event !== 'string') continue;
        for (const { description, sources } of shown) {
          for (const { from, feature, readEvent } of sources) {
            const occurrence = from === component ? readEvent?.(event, details) : undefined;
            if (occurrence !== undefined) sink.reportOccurrence(description.externalId, feature.key, occurrence);
          }
        }
      }
      return list.some(({ event }) => typeof event === 'string' && REMADE.has(event));
    },
    /** The requests that a command makes. Throws HubError if the device is not there, or cannot take it. */
    sendingsFor: (command: DeviceCommand): readonly Sending[] => {
      const device = shown.find(({ description }) => description.externalId === command.externalId);
      if (device === undefined) throw new HubError('NOT_FOUND', 'This instance has no such device.');
      refuseUnfit(device.description.features, command);
      return sendingsFromCommand(command, device.sources);
    },
  };
}
