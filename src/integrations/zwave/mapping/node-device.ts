import { snakeOf } from '#integrations/peer/snake-word.ts';
import type { DeviceType } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, ownAction } from '#core/feature/new-feature.ts';
import type { OfferedDevice } from '#integrations/integration.ts';
import { keyOf, type NodeState, type NodeValue } from '#integrations/zwave/zwave-message.ts';
import { climateSources, lockSources } from './climate.ts';
import { colorSources } from './colors.ts';
import { genericSource, nameOf } from './generic.ts';
import { buttonSources, noticesOf, type Notices } from './occurrences.ts';
import { BINARY_SWITCH, outputSources } from './outputs.ts';
import { sensorSources } from './sensors.ts';
import type { Part, Source } from './source.ts';

export type NodeDevice = {
  readonly nodeId: number;
  readonly description: OfferedDevice;
  readonly sources: readonly Source[];
  /** By the keys of the values that they read. */
  readonly byValue: ReadonlyMap<string, readonly Source[]>;
  readonly notices: Notices;
  /** The keys of the values that the hub has. */
  readonly valueKeys: ReadonlySet<string>;
};

const STAGES = 'none protocol_info node_info command_classes overwrite_config complete failed'.split(' ');
export const STAGE_KEY = 'x.interview';

/** Makes the device that a node is. `externalId` is for the whole life of the device. */
export function deviceFromNode(node: NodeState, externalId: string, takeRooms: boolean): NodeDevice {
  const sources: Source[] = [];
  const notices = noticesOf(node);
  const own = nodeSources();
  // A value whose name says nothing may be called as one of these.
  const keys = new Set([...own, ...notices.values()].map(({ feature }) => feature.key));
  for (const endpoint of [...new Set(node.values.map(({ id }) => id.endpoint))].toSorted((a, b) => a - b)) {
    addEndpoint(node, endpoint, { sources, keys });
  }
  sources.push(...own);
  const byValue = new Map<string, Source[]>();
  for (const source of sources) {
    for (const key of source.from) byValue.set(key, [...(byValue.get(key) ?? []), source]);
  }
  const features = [...sources.map(({ feature }) => feature), ...[...notices.values()].map(({ feature }) => feature)];
  const room = takeRooms ? node.location : null;
  return {
    nodeId: node.nodeId,
    description: {
      externalId,
      name: node.name ?? node.title ?? node.model ?? `Node ${node.nodeId}`,
      type: typeOf(node, features),
      manufacturer: node.manufacturer,
      model: node.model,
      firmware: node.firmware,
      features,
      staleAfterMs: null,
      ...(room === null ? {} : { suggestedRoom: room }),
    },
    sources,
    byValue,
    notices,
    valueKeys: new Set(node.values.map(({ key }) => key)),
  };
}

function addEndpoint(node: NodeState, endpoint: number, made: { sources: Source[]; keys: Set<string> }): void {
  const values = new Map<string, NodeValue>();
  for (const value of node.values) if (value.id.endpoint === endpoint) values.set(value.key, value);
  const shown = new Set<string>();
  const byClass = groupByClass(values.values());
  const component = endpoint === 0 ? 'main' : `endpoint_${endpoint}`;
  const part: Part = {
    component,
    endpoint,
    deviceClass: node.classes.get(endpoint) ?? node.classes.get(0) ?? { generic: 0, specific: 0 },
    values: [...values.values()],
    find: (commandClass, property, propertyKey) =>
      values.get(keyOf({ commandClass, endpoint, property, ...(propertyKey === undefined ? {} : { propertyKey }) })),
    list: (commandClass) => byClass.get(commandClass) ?? [],
    has: (word) => made.keys.has(component === 'main' ? word : `${component}.${word}`),
    add: (source, ...used) => {
      const isNew = source === undefined || !made.keys.has(source.feature.key);
      if (!isNew) return false;
      for (const value of used) if (value !== undefined) shown.add(value.key);
      if (source === undefined) return true;
      made.keys.add(source.feature.key);
      made.sources.push(source);
      return true;
    },
  };
  for (const addSources of [colorSources, outputSources, climateSources, lockSources, sensorSources, buttonSources])
    addSources(part);
  for (const value of values.values()) {
    if (!shown.has(value.key)) addGeneric(part, value);
  }
}

/** Two values may have names that are alike in lower case. */
const MAX_ALIKE = 20;

function addGeneric(part: Part, value: NodeValue): void {
  const name = nameOf(value);
  for (let number = 1; number <= MAX_ALIKE; number += 1) {
    const source = genericSource(part, value, number === 1 ? name : `${name}_${number}`);
    if (source === undefined || part.add(source)) return;
  }
}

function groupByClass(values: Iterable<NodeValue>): ReadonlyMap<number, readonly NodeValue[]> {
  const groups = new Map<number, NodeValue[]>();
  for (const value of values) {
    const group = groups.get(value.id.commandClass);
    if (group === undefined) groups.set(value.id.commandClass, [value]);
    else group.push(value);
  }
  return groups;
}

/** Makes what the server knows and does for every node. */
function nodeSources(): readonly Source[] {
  const action = (name: string, title: string, command: string): Source => ({
    feature: { ...ownAction(name, 'main', 'diagnostic'), name: title },
    from: [],
    write: () => [{ command }],
  });
  return [
    { feature: ownFeature('interview', 'main', { valueType: 'enum', options: STAGES }), from: [] },
    action('ping', 'Ask whether it answers', 'node.ping'),
    action('interview_again', 'Ask again what it is', 'node.refresh_info'),
  ];
}

export function stageOf({ stage }: Pick<NodeState, 'stage'>): string {
  return snakeOf(stage) || 'none';
}

/** The word that says most about what a device is comes first. */
const TYPES: readonly (readonly [word: string, type: DeviceType])[] = [
  ['locked', 'door_lock'],
  ['target_temperature', 'thermostat'],
  ['target_temperature_cool', 'thermostat'],
  ['thermostat_mode', 'thermostat'],
  ['cover_state', 'window_covering'],
  ['position', 'window_covering'],
  ['valve_open', 'water_valve'],
  ['siren', 'siren'],
  ['fan_speed', 'fan'],
  ['color', 'extended_color_light'],
  ['color_temperature', 'color_temperature_light'],
  ['brightness', 'dimmable_light'],
  ['on', 'on_off_plug_in_unit'],
  ['smoke', 'smoke_co_alarm'],
  ['co_alarm', 'smoke_co_alarm'],
  ['water_leak', 'water_leak_detector'],
  ['open', 'contact_sensor'],
  ['motion', 'occupancy_sensor'],
  ['button', 'generic_switch'],
  ['co2', 'air_quality_sensor'],
  ['tvoc', 'air_quality_sensor'],
  ['temperature', 'temperature_sensor'],
  ['humidity', 'humidity_sensor'],
  ['illuminance', 'light_sensor'],
  ['energy', 'electrical_sensor'],
  ['power', 'electrical_sensor'],
];

function typeOf({ values }: NodeState, features: readonly Feature[]): DeviceType {
  const words = new Set<string>(features.map(({ capability }) => capability));
  const found = TYPES.find(([word]) => words.has(word))?.[1] ?? 'other';
  // The siren of a smoke alarm, the lamp of a siren: what can be switched counts before.
  const isAlarm = found === 'siren' && !features.some(({ capability, writable }) => capability === 'siren' && writable);
  if (isAlarm) return TYPES.find(([word]) => words.has(word) && word !== 'siren')?.[1] ?? 'siren';
  return found === 'on_off_plug_in_unit' && !values.some(({ id }) => id.commandClass === BINARY_SWITCH)
    ? 'other'
    : found;
}

/** Who a node is for ever. A number alone is given anew to the next device, so the product is a part of it. */
export function externalIdOf({ nodeId, product }: Pick<NodeState, 'nodeId' | 'product'>): string {
  return product === null ? String(nodeId) : `${nodeId}-${product}`;
}
