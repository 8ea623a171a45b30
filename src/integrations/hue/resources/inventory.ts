import type { Resource } from '#integrations/hue/clip/clip-message.ts';
import { memberOf } from './source.ts';
import { deviceFromResources, keyOf, type KnownDevice, type Service } from './device.ts';
import { type LightGroup, lightGroupsFrom } from './light-groups.ts';
import { readName } from '#core/integration/read-name.ts';
import { readRef, readRefs } from '#integrations/hue/clip/clip-message.ts';

/** The inventory has what a bridge has, made from one reading of all its resources. */
export type Inventory = {
  /** In lower case; `null` if the bridge does not say. */
  readonly bridgeId: string | null;
  readonly devices: ReadonlyMap<string, KnownDevice>;
  /** By `keyOf` of their resource. */
  readonly services: ReadonlyMap<string, Service>;
  readonly groups: readonly LightGroup[];
  /** The resource that searches for new devices. */
  readonly discoveryId: string | null;
};

/** Resources that the hub makes nothing of, and which may be many. */
const LEFT_OUT = new Set([
  'scene',
  'smart_scene',
  'behavior_script',
  'behavior_instance',
  'entertainment_configuration',
  'geofence_client',
  'geolocation',
  'homekit',
  'matter',
  'matter_fabric',
  'public_image',
  'auth_v1',
]);
/** More than the largest bridge has, and bounded memory for a bridge that lies. */
const MAX_RESOURCES = 20_000;
/** The rooms of a bridge are at most 64. */
const MAX_ROOMS = 100;

export function collectResources() {
  const resources = new Map<string, Resource>();
  return {
    resources,
    /** False once there are too many. The last of two with one id counts. */
    add: (resource: Resource): boolean => {
      if (!LEFT_OUT.has(resource.type)) resources.set(keyOf(resource), resource);
      return resources.size <= MAX_RESOURCES;
    },
  };
}

/** The bridge itself is no device of the home: what it says of itself is the state of the integration. */
export function inventoryFrom(resources: ReadonlyMap<string, Resource>, takeRooms: boolean): Inventory {
  const devices = new Map<string, KnownDevice>();
  const services = new Map<string, Service>();
  const rooms = takeRooms ? roomsByDevice(resources) : new Map<string, string>();
  for (const device of resources.values()) {
    if (device.type !== 'device') continue;
    if (readRefs(device['services']).some(({ rtype }) => rtype === 'bridge')) continue;
    const { known, byService } = deviceFromResources(device, resources);
    const room = rooms.get(device.id);
    const description = room === undefined ? known.description : { ...known.description, suggestedRoom: room };
    devices.set(device.id, { ...known, description });
    for (const [key, service] of byService) services.set(key, service);
  }
  const [bridge] = ofType(resources, 'bridge');
  const bridgeId = bridge?.['bridge_id'];
  return {
    bridgeId: typeof bridgeId === 'string' ? bridgeId.toLowerCase() : null,
    devices,
    services,
    groups: lightGroupsFrom(resources, devices),
    discoveryId: ofType(resources, 'zigbee_device_discovery')[0]?.id ?? null,
  };
}

function ofType(found: ReadonlyMap<string, Resource>, type: string): readonly Resource[] {
  return [...found.values()].filter((resource) => resource.type === type);
}

function roomsByDevice(found: ReadonlyMap<string, Resource>): ReadonlyMap<string, string> {
  const rooms = new Map<string, string>();
  for (const room of ofType(found, 'room').slice(0, MAX_ROOMS)) {
    const name = readName(memberOf(room, 'metadata')?.['name']);
    if (name === null) continue;
    for (const { rid, rtype } of readRefs(room['children'])) if (rtype === 'device') rooms.set(rid, name);
  }
  return rooms;
}

/** Whether an update changes what there is: names, services, rooms. Then everything is read again. */
export function isStructural({ type, ...resource }: Resource, { devices, services }: Inventory): boolean {
  if (type === 'device') return ['metadata', 'product_data', 'services'].some((member) => member in resource);
  if (type === 'room' || type === 'zone') return 'children' in resource || 'metadata' in resource;
  if (services.has(keyOf({ type, id: resource.id }))) return false;
  const owner = readRef(resource['owner']);
  return owner?.rtype === 'device' && devices.has(owner.rid);
}
