import type { Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Places } from '#core/integration/settings-shape.ts';
import { bridgedOf, endpointsOf, type MappedEndpoint } from '#integrations/matter-bridge/mapping/bridged-device.ts';
import { createChoice, touchedBy } from '#integrations/offering/choice.ts';
import type { HomePort } from '#integrations/ports.ts';
import type { BridgedEndpoint } from './node-message.ts';

/** The catalogue has the part of the home that is on the bridge at the moment. */
export type BridgeCatalogue = ReturnType<typeof createBridgeCatalogue>;

type BridgeCatalogueDeps = { readonly home: HomePort; readonly expose: Places };

/** The node has a bound of memory, and apps of other makers show few more. */
const MOST_ENDPOINTS = 150;

export function createBridgeCatalogue({ home, expose }: BridgeCatalogueDeps) {
  let isChosen = createChoice(expose);
  const byDevice = new Map<DeviceId, readonly MappedEndpoint[]>();
  const byId = new Map<string, DeviceId>();
  const leftOut = new Set<DeviceId>();

  const drop = (id: DeviceId): void => {
    leftOut.delete(id);
    for (const endpoint of byDevice.get(id) ?? []) byId.delete(endpoint.id);
    byDevice.delete(id);
  };
  const put = (device: Device): void => {
    drop(device.id);
    if (!isChosen(device)) return;
    const endpoints = endpointsOf(device);
    if (endpoints.length === 0) return;
    if (byId.size + endpoints.length > MOST_ENDPOINTS) {
      leftOut.add(device.id);
      return;
    }
    byDevice.set(device.id, endpoints);
    for (const endpoint of endpoints) byId.set(endpoint.id, device.id);
  };
  const of = (id: DeviceId): readonly BridgedEndpoint[] => {
    const device = home.findDevice(id);
    return device === undefined ? [] : (byDevice.get(id) ?? []).map((mapped) => bridgedOf(mapped, device));
  };

  /** Puts the devices that found no place into what has become free. */
  const moveUp = (): readonly DeviceId[] => {
    const waiting = [...leftOut];
    for (const id of waiting) {
      const device = home.findDevice(id);
      if (device === undefined) drop(id);
      else put(device);
    }
    return waiting.filter((id) => byDevice.has(id));
  };
  const putAll = (): void => {
    for (const device of home.devices()) put(device);
  };

  putAll();
  return {
    /** Offers others from now on, and returns the devices of which something may be otherwise. */
    choose: (next: Places): readonly DeviceId[] => {
      const before = [...byDevice.keys()];
      for (const id of [...before, ...leftOut]) drop(id);
      isChosen = createChoice(next);
      putAll();
      return [...new Set([...before, ...byDevice.keys()])];
    },
    /** The endpoints of the device as they are now. */
    of,
    devices: (): Iterable<DeviceId> => byDevice.keys(),
    find: (endpoint: string): { readonly mapped: MappedEndpoint; readonly device: Device } | undefined => {
      const id = byId.get(endpoint);
      const mapped = id && byDevice.get(id)?.find((one) => one.id === endpoint);
      const device = id && home.findDevice(id);
      return mapped === undefined || device === undefined ? undefined : { mapped, device };
    },
    /** The endpoint that an event feature of the device has. */
    buttonOf: (id: DeviceId, key: string): string | undefined =>
      byDevice.get(id)?.find(({ kind, main }) => kind === 'generic_switch' && main.key === key)?.id,
    /** Takes the event in, and returns the devices of which something may be otherwise. */
    take: (event: HomeEvent): readonly DeviceId[] => {
      const before = byId.size;
      if (event.type === 'device.removed') drop(event.device.id);
      else if (event.type === 'device.added' || event.type === 'device.changed') put(event.device);
      else return touchedBy(event, home).filter((id) => byDevice.has(id));
      return [event.device.id, ...(byId.size < before ? moveUp() : [])];
    },
    counts: (): { readonly devices: number; readonly entities: number; readonly leftOut: number } => ({
      devices: byDevice.size,
      entities: byId.size,
      leftOut: leftOut.size,
    }),
  };
}
