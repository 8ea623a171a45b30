import type { JsonObject, JsonValue } from '#base/json.ts';
import { deviceFromNode } from '#integrations/zwave/mapping/node-device.ts';
import { readSources } from '#integrations/peer/source.ts';
import { keyOf, readNode, readValueId } from '#integrations/zwave/zwave-message.ts';
import { numbersIn, readPeerLists } from '#test/support/kinds/peer-list.ts';

export const PEER = readPeerLists('zwave');
export const CLASSES = numbersIn(PEER, 'CommandClasses');

type Given = {
  readonly cc: string;
  readonly property: string;
  readonly key?: string | number;
  readonly metadata: JsonObject;
};

/** What a node with this one value is, and what it shows once the value is known. */
export function nodeWith(given: Given, more: JsonObject = {}) {
  const { cc, property, key: propertyKey, metadata } = given;
  const id = {
    commandClass: CLASSES[cc] ?? 0,
    endpoint: 0,
    property,
    ...(propertyKey === undefined ? {} : { propertyKey }),
  };
  const readable = { readable: true, writeable: true, stateful: true, ...metadata };
  const state = readNode({ nodeId: 2, ready: true, values: [{ ...id, metadata: readable }], ...more });
  if (state === undefined) throw new Error('it is no node');
  const device = deviceFromNode(state, '2', false);
  const key = keyOf(readValueId(id) ?? { commandClass: 0, endpoint: 0, property: '' });
  const own = device.sources.filter(({ from }) => from.includes(key));
  const words = own.map(({ feature }) => feature.capability);
  return {
    word: words.find((word) => !word.startsWith('x.')),
    shown: (raw: JsonValue): Readonly<Record<string, JsonValue>> => {
      const look = (at: string): JsonValue | undefined => (at === key ? raw : undefined);
      const sink = { reportRefused: () => undefined };
      return Object.fromEntries(readSources(own, ({ read }) => read?.(look), { sink, externalId: '2' }));
    },
    happens: (raw: JsonValue): string | undefined => own.flatMap(({ happen }) => happen?.(raw)?.action ?? [])[0],
  };
}

/** The label of each number of a list, as the server sends them. */
export function statesOf(name: string): JsonObject {
  return Object.fromEntries(Object.entries(numbersIn(PEER, name)).map(([label, number]) => [String(number), label]));
}

/** A number that no list has. */
export const FUTURE = 99;
export const listOf = <Item>(name: string): Readonly<Record<string, Item>> =>
  PEER.lists[name] as unknown as Readonly<Record<string, Item>>;
