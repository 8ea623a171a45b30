import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { isSaid } from '#core/feature/feature-value.ts';
import { deviceFromNode } from '#integrations/zwave/mapping/node-device.ts';
import { noticeFrom } from '#integrations/zwave/mapping/occurrences.ts';
import { sendingsFromCommand } from '#integrations/zwave/network.ts';
import { readSources } from '#integrations/peer/source.ts';
import { readFrame, readNode, readNodes, readValueId } from '#integrations/zwave/zwave-message.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { HOME_ID, recordedNodes, startZwaveServer, SWITCH } from '#test/support/zwave/zwave-server.ts';
import { createZwaveWorld } from '#test/support/zwave/zwave-world.ts';

const POLL = { interval: 10 };
const NOBODY = { sink: { reportRefused: () => undefined }, externalId: '' };
const NODES = recordedNodes();

/** All that the hub makes of a node. */
function takeNode(json: JsonObject) {
  const node = readNode(json);
  if (node === undefined) return undefined;
  const values = new Map(node.values.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])));
  const device = deviceFromNode(node, String(node.nodeId), true);
  const look = (key: string): JsonValue | undefined => values.get(key);
  return { node, device, values: readSources(device.sources, ({ read }) => read?.(look), NOBODY) };
}

const anything = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as JsonValue),
  fc.double(),
  fc.constant(Number.POSITIVE_INFINITY),
  fc.integer({ min: -10, max: 300 }),
);

describe('I1: what a server says', () => {
  test('never throws, and each value is one that its feature can have', () => {
    const member = fc.constantFrom(
      'status',
      'ready',
      'name',
      'deviceConfig',
      'endpoints',
      'deviceClass',
      'productId',
      'lastSeen',
    );
    const valueMember = fc.constantFrom(
      'value',
      'metadata',
      'property',
      'propertyKey',
      'endpoint',
      'commandClass',
      'propertyName',
    );
    const detail = fc.constantFrom(
      'type',
      'min',
      'max',
      'unit',
      'states',
      'ccSpecific',
      'stateful',
      'readable',
      'writeable',
      'label',
    );
    const changes = fc.record({
      index: fc.nat(NODES.length - 1),
      node: fc.dictionary(member, anything, { maxKeys: 3 }),
      value: fc.dictionary(valueMember, anything, { maxKeys: 2 }),
      metadata: fc.dictionary(detail, anything, { maxKeys: 3 }),
      every: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(changes, ({ index, node, value, metadata, every }) => {
        const values = (NODES[index]?.values ?? []).map((one, at) =>
          at % every === 0 ? { ...one, metadata: { ...(one['metadata'] as JsonObject), ...metadata }, ...value } : one,
        );
        const taken = takeNode({ ...NODES[index], values, ...node });
        for (const [key, read] of taken?.values ?? []) {
          const source = taken?.device.sources.find(({ feature }) => feature.key === key);
          expect([key, read, source !== undefined && isSaid(source.feature, read)]).toEqual([key, read, true]);
        }
        const keys = taken?.device.description.features.map((feature) => feature.key) ?? [];
        expect(new Set(keys).size).toBe(keys.length);
      }),
      searchOf(5_000),
    );
  });

  test('a value whose name says nothing is not called as the messages of its class', () => {
    const nodes = NODES.map((json) => {
      const values = json['values'] as readonly JsonObject[];
      return takeNode({ ...json, values: values.map((one) => ({ ...one, propertyName: '!' })) });
    });
    const keys = nodes.map((taken) => taken?.device.description.features.map(({ key }) => key) ?? []);
    expect(keys.flat()).toContain('x.notification_2');
    for (const own of keys) expect(new Set(own).size).toBe(own.length);
  });

  test('is refused if it is cut anywhere, or is any other text', () => {
    const whole = JSON.stringify({ type: 'version', homeId: 1, minSchemaVersion: 0, maxSchemaVersion: 50 });
    expect(readFrame(whole)).toBeDefined();
    for (let length = 0; length < whole.length; length += 1) expect(readFrame(whole.slice(0, length))).toBeUndefined();
    fc.assert(
      fc.property(anything, (json) => {
        expect(() => {
          readFrame(JSON.stringify({ type: 'event', event: json }));
          readFrame(JSON.stringify({ type: 'result', messageId: '1', success: false, errorCode: json }));
          readNodes(json);
          if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
            noticeFrom(json as JsonObject);
            readValueId(json as JsonObject);
          }
        }).not.toThrow();
      }),
      searchOf(5_000),
    );
  });

  test('no command throws that fits the features which a lying server made', () => {
    fc.assert(
      fc.property(
        fc.nat(NODES.length - 1),
        anything,
        fc.constantFrom('min', 'max', 'states', 'type'),
        (index, wrong, detail) => {
          const values = (NODES[index]?.values ?? []).map((one) => ({
            ...one,
            metadata: { ...(one['metadata'] as JsonObject), [detail]: wrong },
          }));
          const taken = takeNode({ ...NODES[index], values });
          for (const { feature } of taken?.device.sources ?? []) {
            if (!feature.writable) continue;
            const value = feature.options?.[0] ?? (feature.valueType === 'boolean' ? true : 1);
            const command = { externalId: '1', set: new Map([[feature.key, value]]), action: null, transitionMs: null };
            expect(() => sendingsFromCommand(command, taken?.device.sources ?? [])).not.toThrow();
          }
        },
      ),
      searchOf(1_000),
    );
  });

  test.each<[string, JsonValue, string, number, null?]>([
    ['a level above its range', 100, 'brightness', 3, null],
    ['a level below zero', -1, 'brightness', 3, null],
    ['a level of text', 'half', 'brightness', 3],
    ['a lamp with a level of text', 'half', 'on', 3],
    ['a switch of text', 'half', 'on', 2],
    ['a blind with a level of text', 'half', 'cover_state', 7],
    ['a level that nobody knows', 254, 'on', 3, null],
    ['a battery above its range', 300, 'battery', 5, null],
    ['a temperature of text', 'warm', 'temperature', 5],
  ])('%s is no value', (...row) => {
    const [, value, key, nodeId, shown] = row;
    const node = NODES.find((one) => one.nodeId === nodeId);
    const places = new Set([37, 38, 128, 49]);
    const values = (node?.values ?? []).map((one) => (places.has(one.commandClass) ? { ...one, value } : one));
    expect(takeNode({ ...node, values })?.values.get(key)).toBe(shown);
  });

  test('names with markup and control characters are one line of text', () => {
    const name = '<b>\u0007Lamp\u202e</b>\n';
    const taken = takeNode({ ...NODES[1], name, location: '\u0000', deviceConfig: { label: 'x'.repeat(9_999) } });
    expect(taken?.device.description.name).toBe('<b> Lamp </b>');
    expect(taken?.device.description.suggestedRoom).toBeUndefined();
    expect(taken?.device.description.model?.length).toBe(100);
  });

  test('a million values or nodes are as many as a network can have', () => {
    const value = { ...NODES[1]?.values[0], metadata: {} };
    const values = Array.from({ length: 1_000_000 }, (_, property) => ({ ...value, property }));
    const taken = takeNode({ nodeId: 2, values });
    expect(taken?.device.description.features.length).toBeLessThan(2_000);
    expect(JSON.stringify(taken?.device.description).length).toBeLessThan(2 * 1024 * 1024);
    const nodes = Array.from({ length: 1_000_000 }, (_, id) => ({ nodeId: id + 2 }));
    expect(readNodes({ controller: {}, nodes })?.length).toBe(4_096);
  });
});

async function openServer() {
  const server = await startZwaveServer();
  onTestFinished(server.close);
  const world = createZwaveWorld(server.host, createFastTime(20));
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = world.create().run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
    world.close();
  });
  const until = (state: string, code: string | null = null): Promise<void> =>
    vi.waitFor(() => expect(sink.statuses.at(-1)).toMatchObject({ state, code }), POLL);
  await until('connected');
  return { server, sink, until, world };
}

describe('I1: a server', () => {
  test('that has another network is sent nothing and asks a person', async () => {
    const { server, until } = await openServer();
    server.setHomeId(HOME_ID + 1);
    const asked = server.asked.length;
    await server.unplug();
    await server.plug();
    await until('needs_action', 'OTHER_NETWORK');
    expect(server.asked).toHaveLength(asked);
  });

  test('that sends a message of more than 16 MiB is left, and looked for again', async () => {
    const { server, until, world } = await openServer();
    const lines = world.lines.length;
    server.saysRaw(`{"type":"event","event":{"x":"${'x'.repeat(17 * 1024 * 1024)}"}}`);
    await vi.waitFor(() => expect(server.asked.filter((one) => one === 'initialize').length).toBeGreaterThan(1), POLL);
    await until('connected');
    expect(world.lines.length - lines).toBeLessThan(5);
  });

  test('that says nothing on an open connection is lost, and found again', async () => {
    const { server, until } = await openServer();
    server.setMute(true);
    server.drop();
    await until('error', 'BAD_ANSWER');
    server.setMute(false);
    await until('connected');
    expect(server.asked.filter((one) => one === 'start_listening')).toHaveLength(2);
  });

  test('whose driver starts anew each second costs one line of the log, and its devices come back', async () => {
    const { server, sink, until, world } = await openServer();
    const lines = world.lines.length;
    for (let times = 0; times < 5; times += 1) {
      const before = server.asked.filter((one) => one === 'start_listening').length;
      server.says({ source: 'driver', event: 'driver ready' });
      await vi.waitFor(
        () => expect(server.asked.filter((one) => one === 'start_listening').length).toBeGreaterThan(before),
        POLL,
      );
    }
    await until('connected');
    expect(sink.device(SWITCH).availability?.state).toBe('online');
    expect(world.lines.slice(lines).filter((line) => /^<[34]>/.test(line)).length).toBeLessThanOrEqual(5);
  });

  test('that names values which nobody knows is asked for the node once a second, not once each', async () => {
    const { server } = await openServer();
    for (let id = 0; id < 500; id += 1) {
      const args = { commandClass: 37, endpoint: 0, property: `made up ${id}`, newValue: id };
      server.says({ source: 'node', event: 'value added', nodeId: 2, args });
    }
    await vi.waitFor(() => expect(server.asked).toContain('node.get_state'), POLL);
    expect(server.asked.filter((one) => one === 'node.get_state').length).toBeLessThan(10);
  });
});
