import { UTF_8 } from './encoding.ts';
import { isKind, type PyDict, type Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { DEVICE_NAMES, ENTITY_NAMES, ORIGIN_NAMES } from './abbreviations.ts';
import { configOf, dictsIn, textIn, textsIn, type Config } from './config.ts';

/** Where a discovery message came: `<prefix>/<component>/[<node>/]<object>/config`. */
export type DiscoveryTopic = { readonly component: string; readonly node: string | null; readonly object: string };

/** A message says this of the device of its entities. */
export type AnnouncedDevice = {
  readonly identifiers: readonly string[];
  /** As `mac,aa:bb:cc:dd:ee:ff`, in lower case. */
  readonly connections: readonly string[];
  readonly name: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly suggestedArea: string | null;
  readonly viaDevice: string | null;
};

export type AnnouncedEntity = {
  /** Unique in its message: the name of the component in a device message, else empty. */
  readonly part: string;
  readonly component: string;
  readonly object: string;
  readonly config: Config;
};

export type DiscoveryMessage =
  | {
      readonly type: 'announced';
      readonly device: AnnouncedDevice | null;
      readonly publisher: string | null;
      readonly entities: readonly AnnouncedEntity[];
    }
  | { readonly type: 'removed' }
  /** From the one layout to the other: the next message takes the entities over. */
  | { readonly type: 'migrating' }
  | { readonly type: 'refused'; readonly reason: string };

/** The largest real message has 30 KB. */
const MAX_BYTES = 131_072;
const MAX_COMPONENTS = 500;
const MAX_TEXT = 200;
const TOPIC = /^(\w+)\/(?:([\w-]+)\/)?([\w-]+)\/config$/;

/** `undefined` for topics that are no discovery message. */
export function readTopic(topic: string, prefix: string): DiscoveryTopic | undefined {
  if (!topic.startsWith(`${prefix}/`) || topic.length > prefix.length + 600) return undefined;
  const found = TOPIC.exec(topic.slice(prefix.length + 1));
  const [, component, node = null, object] = found ?? [];
  return component === undefined || object === undefined ? undefined : { component, node, object };
}

export function readDiscovery({ component, node, object }: DiscoveryTopic, payload: Buffer): DiscoveryMessage {
  if (payload.length === 0) return { type: 'removed' };
  if (payload.length > MAX_BYTES) return refused('the message is too large');
  const text = UTF_8.decode(payload);
  if (text === undefined) return refused('the message is not UTF-8');
  const message = valueFromJson(text) ?? null;
  if (!isKind(message, 'dict')) return refused('the message is no JSON object');
  const config = configOf(message);
  if (config.get('migrate_discovery') === true) return { type: 'migrating' };
  const whole = expanded(config);
  const device = deviceIn(whole);
  const publisher = short(textIn(expanded(dictsIn(whole, 'origin')[0] ?? new Map(), ORIGIN_NAMES), 'name'));
  const place = node === null ? object : `${node}_${object}`;
  if (component !== 'device') {
    const entity = withBase(whole);
    return { type: 'announced', device, publisher, entities: [{ part: '', component, object: place, config: entity }] };
  }
  return deviceMessage(whole, { device, publisher, place });
}

type Heading = { readonly device: AnnouncedDevice | null; readonly publisher: string | null; readonly place: string };

function deviceMessage(whole: Config, { device, publisher, place }: Heading): DiscoveryMessage {
  const components = whole.get('components') ?? null;
  if (device === null) return refused('the message names no device');
  if (!isKind(components, 'dict')) return refused('the message has no components');
  if (components.entries.size > MAX_COMPONENTS) return refused('the message has too many components');
  const shared = [...whole].filter(
    ([name]) => name !== 'components' && name !== 'device' && name !== 'origin' && name !== 'platform',
  );
  const entities = [...components.entries.values()].flatMap(({ key, value }): readonly AnnouncedEntity[] => {
    if (typeof key !== 'string' || !isKind(value, 'dict')) return [];
    const own = expanded(configOf(value));
    const platform = textIn(own, 'platform');
    // A component with nothing but its platform is a removed one.
    if (platform === undefined || own.size === 1) return [];
    const base = own.has('~') ? own : new Map([...shared.filter(([name]) => name === '~'), ...own]);
    const config = withBase(new Map([...shared.filter(([name]) => name !== '~'), ...base]));
    return [{ part: key, component: platform, object: `${place}_${key}`, config }];
  });
  return { type: 'announced', device, publisher, entities };
}

function refused(reason: string): DiscoveryMessage {
  return { type: 'refused', reason };
}

/** Under the long names; the long one counts where both are there. */
function expanded(config: Config, names: ReadonlyMap<string, string> = ENTITY_NAMES): Config {
  const result = new Map<string, Value>();
  for (const [name, value] of config) {
    const long = names.get(name) ?? name;
    if (long === name || !config.has(long)) result.set(long, long === 'availability' ? expandedList(value) : value);
  }
  return result;
}

function expandedList(value: Value): Value {
  if (isKind(value, 'list')) return { kind: 'list', items: value.items.map(expandedList) };
  return isKind(value, 'dict') ? dictFrom(expanded(configOf(value))) : value;
}

function dictFrom(config: Config): PyDict {
  return { kind: 'dict', entries: new Map([...config].map(([key, value]) => [key, { key, value }])) };
}

/** `~` at the beginning or end of a topic stands for the base. */
function withBase(config: Config): Config {
  const base = textIn(config, '~');
  if (base === undefined) return config;
  const filled = (value: Value): Value => {
    if (typeof value !== 'string') return value;
    if (value.startsWith('~')) return base + value.slice(1);
    return value.endsWith('~') ? value.slice(0, -1) + base : value;
  };
  const inList = (value: Value): Value => {
    if (isKind(value, 'list')) return { kind: 'list', items: value.items.map(inList) };
    if (!isKind(value, 'dict')) return value;
    return dictFrom(
      new Map([...configOf(value)].map(([name, inner]) => [name, name === 'topic' ? filled(inner) : inner])),
    );
  };
  return new Map(
    [...config]
      .filter(([name]) => name !== '~')
      .map(([name, value]) => [
        name,
        name === 'availability' ? inList(value) : name.endsWith('topic') ? filled(value) : value,
      ]),
  );
}

function deviceIn(whole: Config): AnnouncedDevice | null {
  const [found] = dictsIn(whole, 'device');
  if (found === undefined) return null;
  const device = expanded(found, DEVICE_NAMES);
  const read = (name: string): string | null => short(textIn(device, name));
  const identifiers = (textsIn(device, 'identifiers') ?? []).filter((text) => text !== '' && text.length <= MAX_TEXT);
  const connections = connectionsIn(device);
  if (identifiers.length === 0 && connections.length === 0) return null;
  return {
    identifiers,
    connections,
    name: read('name'),
    manufacturer: read('manufacturer'),
    model: read('model'),
    firmware: read('sw_version'),
    suggestedArea: read('suggested_area'),
    viaDevice: read('via_device'),
  };
}

function connectionsIn(device: Config): readonly string[] {
  const value = device.get('connections') ?? null;
  if (!isKind(value, 'list')) return [];
  return value.items.flatMap((pair) => {
    if (!isKind(pair, 'list')) return [];
    const [type, address] = pair.items;
    return typeof type === 'string' && typeof address === 'string' && address.length <= MAX_TEXT
      ? [`${type},${address}`.toLowerCase()]
      : [];
  });
}

function short(text: string | undefined): string | null {
  const own = text?.trim().replaceAll(/\p{Cc}/gu, ' ') ?? '';
  return own === '' ? null : own.slice(0, MAX_TEXT);
}
