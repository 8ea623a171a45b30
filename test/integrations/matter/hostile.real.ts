// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import { createDeviceQuota, DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { findValueErrors, isReportableOccurrence, isSaid } from '#core/feature/feature-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import { type LiveNode, openNode } from '#integrations/matter/live-node.ts';
import { branchesOf, MAX_ENDPOINTS } from '#integrations/matter/mapping/endpoint-tree.ts';
import type { MatterEndpoint, MatterNode } from '#integrations/matter/matter-node.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { DEVICE_TYPES, endpointOfType } from '#test/support/matter/model-nodes.ts';

const WHOLE = DEVICE_TYPES.map((type, index) => endpointOfType(type, index + 1));
const ROOT: MatterEndpoint = { number: 0, parent: null, deviceTypes: [22], state: {}, commands: {}, features: {} };
const NAMES = ['</b><script>', '\u0000\u202e\n', '__proto__', 'constructor', '', 'ß'.repeat(9_000), '🏠'];

const anything: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as JsonValue),
  fc.double(),
  fc.constantFrom<JsonValue>(Number.NaN, Number.POSITIVE_INFINITY, -1, 255, 256, 65_535, 2 ** 53, '9'.repeat(30)),
  fc.constantFrom<JsonValue>(...NAMES),
);

/** What differs from the endpoint that the standard describes: one attribute in some has another value. */
const attack = fc.record({
  type: fc.nat(WHOLE.length - 1),
  every: fc.integer({ min: 1, max: 5 }),
  values: fc.array(anything, { minLength: 1, maxLength: 4 }),
  lacks: fc.array(fc.constantFrom('commands', 'features', 'types'), { maxLength: 2 }),
});
type Attack = typeof attack extends fc.Arbitrary<infer T> ? T : never;

function attacked({ type, every, values, lacks }: Attack): MatterNode {
  const endpoint = WHOLE[type] ?? ROOT;
  let count = 0;
  const state = Object.fromEntries(
    Object.entries(endpoint.state).map(([cluster, members]) => [
      cluster,
      Object.fromEntries(
        Object.entries(members).map(([name, value]) => {
          count += 1;
          return [name, count % every === 0 ? (values[count % values.length] ?? null) : value];
        }),
      ),
    ]),
  );
  const changed: MatterEndpoint = {
    ...endpoint,
    number: 1,
    parent: 0,
    state,
    ...(lacks.includes('commands') ? { commands: {} } : {}),
    ...(lacks.includes('features') ? { features: {} } : {}),
    ...(lacks.includes('types') ? { deviceTypes: [] } : {}),
  };
  return {
    nodeId: '7',
    endpoints: [{ ...ROOT, state: { basicInformation: { nodeLabel: values[0] ?? null } } }, changed],
  };
}

const quota = createDeviceQuota({ limits: DEVICE_LIMITS, devices: () => [], monotonicMs: () => 0 });

/** What of a node the hub could not keep. */
function faultsOf(node: LiveNode): readonly string[] {
  return node.devices.flatMap((device) => {
    const { description } = device;
    const features = new Map(description.features.map((feature) => [feature.key, feature]));
    const values = [...node.values(device)].flatMap(([key, value]) => {
      const feature = features.get(key);
      return feature !== undefined && isSaid(feature, value) ? [] : [`value of ${key}`];
    });
    return [
      ...(features.size === description.features.length ? [] : ['a key that comes twice']),
      ...(quota.fit(description, []) === description ? [] : ['too large']),
      ...(/^[^\p{Cc}\u2028\u2029]{1,200}$/u.test(description.name) ? [] : [`name ${description.name}`]),
      ...description.features.filter((feature) => !isSound(feature)).map((feature) => JSON.stringify(feature)),
      ...values,
    ];
  });
}

function isSound({ key, capability, min, max, step, options }: Feature): boolean {
  const words = options ?? [];
  return (
    /^(endpoint_\d+\.)?(x\.)?[a-z0-9_]+$/.test(key) &&
    /^(x\.)?[a-z0-9_]+$/.test(capability) &&
    [min, max, step].every((number) => number === null || Number.isFinite(number)) &&
    (min === null || max === null || min <= max) &&
    new Set(words).size === words.length &&
    words.every((option) => /^[a-z0-9_]+$/.test(option))
  );
}

/** A value that the feature allows, if it takes any. */
function valueFor(feature: Feature): JsonValue {
  const candidates: JsonValue[] = [true, feature.options?.[0] ?? 'one', feature.min ?? 0, feature.max ?? 1, '1234', []];
  return candidates.find((value) => findValueErrors(feature, value, '').length === 0) ?? { x: 0.3, y: 0.3 };
}

/** A command may be refused, in the words of the hub. */
function asFitting<T>(plan: () => readonly T[]): readonly T[] {
  try {
    return plan();
  } catch (cause) {
    if (cause instanceof HubError && ['VALIDATION_FAILED', 'COMMAND_FAILED'].includes(cause.code)) return [];
    throw cause;
  }
}

describe('I1: what a device says', () => {
  test('never throws, and makes a device that the hub can keep', () => {
    fc.assert(
      fc.property(attack, (one) => {
        const node = openNode(attacked(one));
        expect(node.devices[0]?.root).toBe(0);
        expect(faultsOf(node)).toEqual([]);
      }),
      searchOf(2_000),
    );
  });

  test('makes no command that cannot be sent', () => {
    fc.assert(
      fc.property(attack, fc.option(fc.nat(1e7)), (one, transitionMs) => {
        const node = openNode(attacked(one));
        const [device] = node.devices;
        if (device === undefined) throw new Error('there is no device');
        for (const feature of device.description.features.filter(({ writable }) => writable)) {
          const isAction = feature.kind === 'action';
          const set = new Map(isAction ? [] : [[feature.key, valueFor(feature)]]);
          const planned = asFitting(() =>
            node.plan(device, { set, action: isAction ? feature.key : null, transitionMs }),
          );
          // Nothing in it is lost on the way.
          expect(JSON.parse(JSON.stringify(planned))).toEqual(planned);
        }
      }),
      searchOf(2_000),
    );
  });

  test('changes into anything without harm', () => {
    const change = fc.record({ at: fc.nat(10_000), value: anything });
    fc.assert(
      fc.property(fc.nat(WHOLE.length - 1), fc.array(change, { maxLength: 20 }), (type, changes) => {
        const endpoint = WHOLE[type] ?? ROOT;
        const node = openNode({ nodeId: '7', endpoints: [ROOT, { ...endpoint, number: 1 }] });
        const places = Object.entries(endpoint.state).flatMap(([cluster, members]) =>
          Object.keys(members).map((attribute) => ({ endpoint: 1, cluster, attribute })),
        );
        if (places.length === 0) return;
        const { values } = node.take(
          changes.map(({ at, value }) => ({ ...(places[at % places.length] ?? places[0]), value }) as never),
        );
        for (const [device, own] of values) {
          for (const [key, value] of own) {
            const feature = device.description.features.find((one) => one.key === key);
            expect([key, feature !== undefined && isSaid(feature, value)]).toEqual([key, true]);
          }
        }
      }),
      searchOf(2_000),
    );
  });

  test('happens in a way that the hub can pass on, or not at all', () => {
    const events = [
      ['switch', 'multiPressComplete'],
      ['switch', 'longPress'],
      ['doorLock', 'lockOperation'],
      ['doorLock', 'lockOperationError'],
      ['doorLock', 'doorLockAlarm'],
      ['operationalState', 'operationCompletion'],
      ['operationalState', 'operationalError'],
    ] as const;
    const node = openNode({ nodeId: '7', endpoints: [ROOT, ...WHOLE] });
    const data = fc.dictionary(
      fc.constantFrom('totalNumberOfPressesCounted', 'lockOperationType', 'operationSource', 'alarmCode', 'errorState'),
      anything,
    );
    fc.assert(
      fc.property(fc.constantFrom(...events), data, ([cluster, event], given) => {
        for (let endpoint = 0; endpoint <= WHOLE.length; endpoint += 1) {
          const happened = node.happened({ endpoint, cluster, event, data: given });
          for (const { occurrence } of happened) {
            expect(isReportableOccurrence(occurrence)).toBe(true);
            expect(occurrence.action).toMatch(/^[a-z0-9_]+$/);
          }
        }
      }),
      searchOf(1_000),
    );
  });
});

describe('I1: a tree of endpoints', () => {
  const leaf = (number: number, parent: number | null, isBridged = false): MatterEndpoint => ({
    ...ROOT,
    number,
    parent,
    deviceTypes: isBridged ? [0x13] : [0x100],
  });

  test('of any shape has each endpoint in one device, and each device below the node', () => {
    const endpoint = fc.record({
      number: fc.nat(12),
      parent: fc.option(fc.integer({ min: -1, max: 14 })),
      isBridged: fc.boolean(),
      isAggregator: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(endpoint, { maxLength: 20 }), (list) => {
        const endpoints = list.map(({ number, parent, isBridged, isAggregator }) =>
          isAggregator ? { ...leaf(number, parent), deviceTypes: [0x0e] } : leaf(number, parent, isBridged),
        );
        const branches = branchesOf(endpoints);
        const numbers = branches.flatMap((branch) => branch.endpoints.map(({ number }) => number));
        expect(numbers.length).toBe(new Set(numbers).size);
        expect(new Set(numbers)).toEqual(new Set(list.map(({ number }) => number)));
        const parents = new Map(branches.map(({ root, parent }) => [root, parent]));
        for (const { root } of branches) {
          let at: number | null = root;
          for (let steps = 0; at !== null; steps += 1) {
            expect(steps).toBeLessThan(20);
            at = parents.get(at) ?? null;
          }
        }
      }),
      searchOf(5_000),
    );
  });

  test.each<[string, readonly MatterEndpoint[], readonly (readonly [number, number | null, number])[]]>([
    ['nothing', [], [[0, null, 0]]],
    ['its own parent', [leaf(1, 1)], [[0, null, 1]]],
    ['two that are each other’s parent', [leaf(1, 2), leaf(2, 1)], [[0, null, 2]]],
    [
      'two bridged ones that are each other’s parent',
      [leaf(1, 2, true), leaf(2, 1, true)],
      [
        [0, null, 0],
        [1, 2, 1],
        [2, 0, 1],
      ],
    ],
    [
      'a part of a bridged one',
      [leaf(1, 0, true), leaf(2, 1), leaf(3, 2)],
      [
        [0, null, 0],
        [1, 0, 3],
      ],
    ],
    [
      'a bridged one below a bridged one',
      [leaf(1, 0, true), leaf(2, 1, true)],
      [
        [0, null, 0],
        [1, 0, 1],
        [2, 1, 1],
      ],
    ],
    ['a number that comes twice', [leaf(1, 0), leaf(1, 0, true)], [[0, null, 1]]],
  ])('%s', (_what, endpoints, expected) => {
    expect(branchesOf(endpoints).map(({ root, parent, endpoints: own }) => [root, parent, own.length])).toEqual(
      expected,
    );
  });
});

describe('I1: what a device says costs in proportion to its length', () => {
  const take = (node: MatterNode): number => {
    const live = openNode(node);
    return live.devices.reduce((sum, device) => sum + live.values(device).size, 0);
  };
  const lamp = endpointOfType(
    DEVICE_TYPES.find(({ name }) => name === 'ExtendedColorLight') ?? (DEVICE_TYPES[0] as never),
  );
  const list = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));

  test.each<[string, (count: number) => MatterNode]>([
    [
      'lamps of one device',
      (count) => ({ nodeId: '1', endpoints: list(4 * count, (at) => ({ ...lamp, number: at + 1 })) }),
    ],
    [
      'lamps of a bridge',
      (count) => ({
        nodeId: '1',
        endpoints: list(4 * count, (at) => ({ ...lamp, number: at + 1, deviceTypes: [0x13, 0x10d] })),
      }),
    ],
    [
      'a chain of endpoints',
      (count) => ({ nodeId: '1', endpoints: list(40 * count, (at) => ({ ...ROOT, number: at + 1, parent: at + 2 })) }),
    ],
    [
      'bridged ones in a chain',
      (count) => ({
        nodeId: '1',
        endpoints: list(40 * count, (at) => ({ ...ROOT, number: at + 1, parent: at + 2, deviceTypes: [0x13] })),
      }),
    ],
    [
      'attributes',
      (count) => ({
        nodeId: '1',
        endpoints: [{ ...ROOT, state: { own: Object.fromEntries(list(100 * count, (at) => [`a${at}`, at])) } }],
      }),
    ],
    [
      'a list of modes',
      (count) => ({
        nodeId: '1',
        endpoints: [
          {
            ...ROOT,
            state: {
              modeSelect: { currentMode: 1, supportedModes: list(200 * count, (mode) => ({ mode, label: 'same' })) },
            },
          },
        ],
      }),
    ],
    [
      'commands',
      (count) => ({ nodeId: '1', endpoints: [{ ...ROOT, commands: { onOff: list(200 * count, (at) => `c${at}`) } }] }),
    ],
    [
      'a name',
      (count) => ({
        nodeId: '1',
        endpoints: [{ ...ROOT, state: { basicInformation: { nodeLabel: 'x'.repeat(9_000 * count) } } }],
      }),
    ],
  ])('%s', async (_what, make) => {
    const nodes = [1, 2, 16].map((count) => make(count)) as [MatterNode, MatterNode, MatterNode];
    await countSteps(() => take(nodes[0]));
    const few = await countSteps(() => take(nodes[1]));
    const many = await countSteps(() => take(nodes[2]));
    expect(many / few).toBeLessThan(8 * 1.6);
  });

  test('a million endpoints are as many as a home may have, and the rest is counted', () => {
    const endpoints = list(1_000_000, (number) => ({ ...ROOT, number, parent: 0, deviceTypes: [0x13] }));
    const node = openNode({ nodeId: '1', endpoints });
    expect(node.devices.length).toBe(MAX_ENDPOINTS);
    expect(node.leftOut.endpoints).toBe(1_000_000 - MAX_ENDPOINTS);
  });

  test('a million attributes are as many as a device may have, and the rest is counted', () => {
    const own = Object.fromEntries(list(1_000_000, (at) => [`attribute${at}`, at]));
    const node = openNode({ nodeId: '1', endpoints: [{ ...ROOT, state: { own } }] });
    expect(faultsOf(node)).toEqual([]);
    const shown = node.devices[0]?.sources.length ?? 0;
    expect(shown).toBeGreaterThan(100);
    expect(node.leftOut.attributes).toBe(1_000_000 - shown);
  });

  test('a device that adds attributes without end is kept, and read anew no more', () => {
    const node = openNode({ nodeId: '1', endpoints: [ROOT] });
    let reshaped = 0;
    for (let at = 0; at < 20_000; at += 1) {
      const change = { endpoint: 0, cluster: 'own', attribute: `a${at}`, value: at };
      if (node.take([change]).isReshaped) reshaped += 1;
    }
    expect(reshaped).toBe(4_000);
  });
});
