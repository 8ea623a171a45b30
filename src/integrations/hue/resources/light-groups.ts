import { isSameJson, type JsonObject } from '#base/json.ts';
import { keyOf, type KnownDevice } from './device.ts';
import { readRefs, type Ref, type Resource } from '#integrations/hue/clip/clip-message.ts';

/** Lights that the bridge switches with one message: those of a room, of a zone, or all. */
export type LightGroup = { readonly groupedLightId: string; readonly lightIds: ReadonlySet<string> };

/** A request to one light. */
export type LightPut = { readonly lightId: string; readonly body: JsonObject };

const GROUP_TYPES = new Set(['room', 'zone']);
/** Ten lights take a second one by one and a group may take as long to get its turn, so two lights go one by one. */
const LEAST_LIGHTS = 3;
/** The bridge takes one group a second; what would wait longer than a few goes light by light meanwhile. */
const MOST_GROUPS = 3;

/** The groups in these resources, the largest first. */
export function lightGroupsFrom(
  resources: ReadonlyMap<string, Resource>,
  devices: ReadonlyMap<string, KnownDevice>,
): readonly LightGroup[] {
  const children = (group: Resource): readonly Ref[] => [
    ...new Map(readRefs(group['children']).map((ref) => [ref.rid, ref])).values(),
  ];
  const ownLights = (group: Resource): readonly string[] =>
    children(group).flatMap(({ rid, rtype }) => (rtype === 'light' ? [rid] : (devices.get(rid)?.lightIds ?? [])));
  const groups: LightGroup[] = [];
  const add = (group: Resource, lights: readonly string[]): void => {
    const grouped = readRefs(group['services']).find(({ rtype }) => rtype === 'grouped_light');
    const lightIds = new Set(lights);
    if (grouped !== undefined && lightIds.size >= LEAST_LIGHTS) groups.push({ groupedLightId: grouped.rid, lightIds });
  };
  for (const group of resources.values()) if (GROUP_TYPES.has(group.type)) add(group, ownLights(group));
  // There is one home. Only it has rooms as children.
  const home = [...resources.values()].find(({ type }) => type === 'bridge_home');
  if (home !== undefined) {
    const rooms = children(home).flatMap(({ rid, rtype }) => resources.get(keyOf({ type: rtype, id: rid })) ?? []);
    add(home, [...ownLights(home), ...rooms.flatMap((room) => (room.type === 'room' ? ownLights(room) : []))]);
  }
  return groups.sort((left, right) => right.lightIds.size - left.lightIds.size);
}

/**
 * The groups to send instead of single requests. A group is taken only if each of its lights gets the same request, so
 * no light changes that nobody asked to change.
 */
export function chooseGroups(puts: readonly LightPut[], groups: readonly LightGroup[]): readonly LightGroup[] {
  const left = new Map(puts.map(({ lightId, body }) => [lightId, body]));
  const chosen: LightGroup[] = [];
  for (const group of groups) {
    if (chosen.length === MOST_GROUPS || left.size < LEAST_LIGHTS) break;
    if (group.lightIds.size > left.size) continue;
    const [first] = group.lightIds;
    const body = first === undefined ? undefined : left.get(first);
    if (body === undefined || !hasAll(left, group, body)) continue;
    chosen.push(group);
    for (const lightId of group.lightIds) left.delete(lightId);
  }
  return chosen;
}

function hasAll(left: ReadonlyMap<string, JsonObject>, { lightIds }: LightGroup, body: JsonObject): boolean {
  for (const lightId of lightIds) {
    const other = left.get(lightId);
    if (other === undefined || !isSameJson(other, body)) return false;
  }
  return true;
}
