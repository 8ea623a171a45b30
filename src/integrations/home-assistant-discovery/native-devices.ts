import type { LeftOut } from '#core/integration/integration-report.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { AnnouncedDevice } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import type { HomePort } from '#integrations/ports.ts';

/** A MAC address or an IEEE address, without separators or with one kind of them. */
const ADDRESS = String.raw`[0-9a-f]{16}|[0-9a-f]{12}|(?:[0-9a-f]{2}:){5,7}[0-9a-f]{2}|(?:[0-9a-f]{2}-){5}[0-9a-f]{2}`;
/** A part of a device has the address of the device, and a number. */
const AT_BEGINNING = new RegExp(`^(?:0x)?(${ADDRESS})(?:-[0-9a-z]+)?$`, 'i');
/** `zigbee2mqtt_0x…`, `shellyplus1-…`: what stands after an address belongs to something else, such as a sensor behind it. */
const AT_END = new RegExp(`(?:^|[^0-9a-z])(?:0x)?(${ADDRESS})$`, 'i');
/** Tasmota announces itself by the end of its address alone. */
const TASMOTA_END = /^[0-9a-f]{6}$/i;
/** Z-Wave JS UI has no address to tell: it names the network and the number of the node. */
const ZWAVE_NODE = /^zwavejs2mqtt_(?:0x)?([0-9a-f]{1,8})_node(\d{1,5})$/i;
/** In the hub, the number of a node stands before its product. */
const NODE_AT_BEGINNING = /^(\d{1,5})(?:-|$)/;
/** They announce themselves here, or are a script's, which knows them no better. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['home_assistant_discovery', 'provider']);

type Home = Pick<HomePort, 'devices' | 'kindOf' | 'uniqueIdOf'>;

/**
 * Devices that reach the hub on a way of their own. One that also announces itself here is there once: its own
 * integration knows more of it.
 */
function createNativeDevices(home: Home) {
  /** The integrations of each address: two may reach one device. */
  const byAddress = new Map<string, Map<string, string>>();
  const addressesOf = new Map<string, readonly string[]>();
  const add = (integration: string, externalId: string, id: string): readonly string[] => {
    const addresses = nativeAddresses(home, integration, externalId);
    if (addresses.length > 0) addressesOf.set(id, addresses);
    for (const address of addresses) {
      byAddress.set(address, (byAddress.get(address) ?? new Map<string, string>()).set(id, integration));
    }
    return addresses;
  };
  const remove = (id: string): readonly string[] => {
    const addresses = addressesOf.get(id) ?? [];
    addressesOf.delete(id);
    for (const address of addresses) {
      const ids = byAddress.get(address);
      ids?.delete(id);
      if (ids?.size === 0) byAddress.delete(address);
    }
    return addresses;
  };
  for (const { integration, externalId, id } of home.devices()) add(integration, externalId, id);
  return {
    find: (about: AnnouncedDevice | null): string | undefined => {
      for (const address of announcedAddresses(about)) {
        const [integration] = byAddress.get(address)?.values() ?? [];
        if (integration !== undefined) return integration;
      }
      return undefined;
    },
    /** What the announced device may be found by. */
    addressesOf: announcedAddresses,
    /** The addresses of a device that came or went with the event. */
    take: (event: HomeEvent): readonly string[] => {
      if (event.type === 'device.added') return add(event.device.integration, event.device.externalId, event.device.id);
      if (event.type === 'device.removed') return remove(event.device.id);
      return [];
    },
  };
}

function nativeAddresses(home: Home, integration: string, externalId: string): readonly string[] {
  const kind = home.kindOf(integration);
  if (kind === 'zwave') {
    const [network, node] = [home.uniqueIdOf(integration), NODE_AT_BEGINNING.exec(externalId)?.[1]];
    return network === undefined || node === undefined ? [] : [zwaveAddress(network, node)];
  }
  const [, found] = AT_BEGINNING.exec(externalId) ?? [];
  if (kind === undefined || OTHER_KINDS.has(kind) || found === undefined) return [];
  const address = plain(found);
  return kind === 'tasmota' ? [address, `tasmota ${address.slice(-6)}`] : [address];
}

function zwaveAddress(network: string, node: string): string {
  return `zwave ${network.toLowerCase().padStart(8, '0')} ${Number(node)}`;
}

function announcedAddresses(about: AnnouncedDevice | null): readonly string[] {
  if (about === null) return [];
  const connections = about.connections.flatMap((text) => /^(?:mac|zigbee),(.*)$/.exec(text)?.[1] ?? []);
  const found = [...about.identifiers, ...connections].flatMap((text) => AT_END.exec(text)?.[1] ?? []);
  const isTasmota = about.manufacturer?.toLowerCase() === 'tasmota';
  const ends = isTasmota ? about.identifiers.filter((text) => TASMOTA_END.test(text)) : [];
  const nodes = about.identifiers.flatMap((text) => {
    const [, network, node] = ZWAVE_NODE.exec(text) ?? [];
    return network === undefined || node === undefined ? [] : [zwaveAddress(network, node)];
  });
  return [...new Set([...found.map(plain), ...ends.map((text) => `tasmota ${text.toLowerCase()}`), ...nodes])];
}

function plain(address: string): string {
  return address.replaceAll(/[:-]/g, '').toLowerCase();
}

/** Announced devices that stand aside for native ones. */
export function createAsides(home: Home & Pick<HomePort, 'integrationOf'>) {
  const natives = createNativeDevices(home);
  const byAddress = new Map<string, Set<string>>();
  const addresses = new Map<string, readonly string[]>();
  const asides = new Map<string, string>();
  const forget = (externalId: string): void => {
    asides.delete(externalId);
    for (const address of addresses.get(externalId) ?? []) {
      byAddress.get(address)?.delete(externalId);
      if (byAddress.get(address)?.size === 0) byAddress.delete(address);
    }
    addresses.delete(externalId);
  };
  return {
    /** Whether the device stands aside. Without `about`, nobody announces it any more. */
    review: (externalId: string, about: AnnouncedDevice | null | undefined): boolean => {
      forget(externalId);
      if (about === undefined || about === null) return false;
      const own = natives.addressesOf(about);
      addresses.set(externalId, own);
      for (const address of own) byAddress.set(address, (byAddress.get(address) ?? new Set()).add(externalId));
      const integration = natives.find(about);
      if (integration !== undefined) asides.set(externalId, integration);
      return integration !== undefined;
    },
    /** The announced devices for which it may be otherwise after the event. */
    take: (event: HomeEvent): readonly string[] =>
      natives.take(event).flatMap((address) => [...(byAddress.get(address) ?? [])]),
    /** `ofZigbee2mqtt`: devices that were left out unread. */
    leftOut: (ofZigbee2mqtt: number): readonly LeftOut[] => {
      const counts = new Map<string | null, number>();
      const add = (integration: string | null, devices: number): void => {
        if (devices > 0) counts.set(integration, (counts.get(integration) ?? 0) + devices);
      };
      for (const integration of asides.values()) add(integration, 1);
      add(home.integrationOf('zigbee2mqtt') ?? null, ofZigbee2mqtt);
      return [...counts].map(([integration, devices]) => ({ integration, devices }));
    },
  };
}
