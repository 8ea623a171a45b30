// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { parseJsonInSlices } from '#integrations/zwave/json-slices.ts';
import { deviceFromNode } from '#integrations/zwave/mapping/node-device.ts';
import { readFrame, readNode, readNodes } from '#integrations/zwave/zwave-message.ts';

const METADATA = { type: 'number', readable: true, writeable: true, label: 'Same', states: { '0': 'off', '1': 'on' } };
const VALUE = { commandClass: 112, commandClassName: 'Configuration', endpoint: 0, metadata: METADATA, value: 1 };

function takeState(text: string): number {
  const frame = readFrame(text);
  const nodes = frame?.type === 'result' ? (readNodes(frame.result['state']) ?? []) : [];
  return nodes.reduce((count, json) => {
    const node = readNode(json);
    return node === undefined ? count : count + deviceFromNode(node, '2', true).description.features.length;
  }, 0);
}

const result = (nodes: readonly JsonObject[]): JsonObject => ({
  type: 'result',
  success: true,
  messageId: '1',
  result: { state: { controller: { ownNodeId: 1 }, nodes } },
});
const nodeWith = (nodeId: number, count: number, other: JsonObject = {}): JsonObject => ({
  nodeId,
  ...other,
  values: Array.from({ length: count }, (_, property) => ({ ...VALUE, property })),
});

describe('I1: what a server sends costs in proportion to its length', () => {
  test.each<[string, (count: number) => JsonObject]>([
    ['nodes', (count) => result(Array.from({ length: 20 * count }, (_, id) => nodeWith(id + 2, 5)))],
    ['values of a node', (count) => result([nodeWith(2, 60 * count)])],
    ['values of one name', (count) => result([{ nodeId: 2, values: Array.from({ length: 60 * count }, () => VALUE) }])],
    ['a name', (count) => result([nodeWith(2, 1, { name: 'x'.repeat(20_000 * count) })])],
    [
      'endpoints',
      (count) =>
        result([nodeWith(2, 1, { endpoints: Array.from({ length: 100 * count }, (_, index) => ({ index })) })]),
    ],
  ])('%s', async (_what, make) => {
    const texts = [1, 2, 16].map((count) => JSON.stringify(make(count)));
    await countSteps(() => takeState(texts[0] ?? ''));
    const few = await countSteps(() => takeState(texts[1] ?? ''));
    const many = await countSteps(() => takeState(texts[2] ?? ''));
    expect(many / few).toBeLessThan(8 * 1.6);
  });

  test('a state that is parsed in slices, also one that is only deep', async () => {
    const states = (count: number): string =>
      JSON.stringify(result([nodeWith(2, 300 * count), nodeWith(3, 300 * count)]));
    const deep = (count: number): string => `${'[{"a":'.repeat(20_000 * count)}1${'}]'.repeat(20_000 * count)}`;
    for (const make of [states, deep]) {
      const [first, small, large] = [make(1), make(2), make(16)];
      await countSteps(() => parseJsonInSlices(first, () => 0));
      const few = await countSteps(() => parseJsonInSlices(small, () => 0));
      const many = await countSteps(() => parseJsonInSlices(large, () => 0));
      expect(many / few).toBeLessThan(8 * 1.6);
    }
  });

  test('values with names that are alike only in lower case cost no more than others', async () => {
    const make = (count: number): string =>
      JSON.stringify(
        result([
          {
            nodeId: 2,
            values: Array.from({ length: count }, (_, id) => ({
              ...VALUE,
              commandClass: 200,
              commandClassName: 'X',
              property: `p${' '.repeat(id % 60)}${String.fromCodePoint(0x4e00 + id)}`,
            })),
          },
        ]),
      );
    await countSteps(() => takeState(make(50)));
    const few = await countSteps(() => takeState(make(100)));
    const many = await countSteps(() => takeState(make(800)));
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});
