import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSaid, isReportableOccurrence } from '#core/feature/feature-value.ts';
import { ENTITY_KINDS } from '#integrations/esphome/entities/kinds.ts';
import { devicesFrom, readListed } from '#integrations/esphome/entities/node-devices.ts';
import { readService } from '#integrations/esphome/entities/services.ts';
import { readNodeInfo } from '#integrations/esphome/node-info.ts';
import { createReporting, sendingsFromCommand, valuesFromState } from '#integrations/esphome/reporting.ts';
import {
  bytesOf,
  type Draft,
  type Message,
  putBytes,
  putFixed,
  putFloat,
  putNumber,
  putText,
  readMessage,
} from '#integrations/esphome/wire/protobuf.ts';
import { fields, NODE_MAC } from '#test/support/esphome/esphome-node.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const names = fc.oneof(
  fc.constantFrom(
    '',
    'Relay',
    'relay',
    'Größe',
    '温度',
    '<img src=x onerror=alert(1)>',
    '__proto__',
    'constructor',
    'on',
  ),
  fc.constantFrom('temperature', 'door', '%', '°C', '\u0000\u202e\n', 'single', 'None'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Fields as a node might send them: of the right or wrong kind, with any number. */
const message: fc.Arbitrary<Message> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 30 }),
      fc.oneof(
        fc.constantFrom(0, 1, 2, 3, 35, 51, 2 ** 31, 2 ** 32 - 1).map((value) => ({ value })),
        fc.oneof(fc.float(), fc.constantFrom(Number.NaN, Infinity, -Infinity, -0)).map((float) => ({ float })),
        names.map((text) => ({ text })),
        fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ bytes })),
        fc.integer({ min: 0, max: 5 }).map((key) => ({ key })),
      ),
    ),
    { maxLength: 20 },
  )
  .map((list) => {
    const draft: Draft = new Map();
    for (const [field, given] of list) {
      if ('value' in given) putNumber(draft, field, given.value);
      else if ('float' in given) putFloat(draft, field, given.float);
      else if ('text' in given) putText(draft, field, given.text, given.text);
      else if ('bytes' in given) putBytes(draft, field, given.bytes);
      else putFixed(draft, field, given.key);
    }
    const read = readMessage(bytesOf(draft));
    if (read === undefined) throw new Error('what was written cannot be read');
    return read;
  });

const kinds = fc.constantFrom(...ENTITY_KINDS);
const DEPS = { takesRooms: true, monotonicMs: () => 0, knownFeatures: () => [] };
const INFO = { 3: '98:35:69:AB:00:01', 2: 'node' };

function infoOf(entries: Parameters<typeof fields>[0]) {
  const read = readMessage(bytesOf(fields(entries)));
  return read && readNodeInfo(read, false);
}

const KEY = /^(?:[a-z][a-z0-9_]{0,59}\.)?(?:x\.)?[a-z][a-z0-9_]{0,59}$/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;

describe('what a node says of itself', () => {
  test('never throws, has each key once, and no value that its feature cannot have', async () => {
    const nodes = fc.array(fc.tuple(kinds, message, message), { maxLength: 8 });
    const info = infoOf({ ...INFO, 20: bytesOf(fields({ 1: 1, 2: 'Part' })) });
    await fc.assert(
      fc.asyncProperty(nodes, fc.array(message, { maxLength: 3 }), async (entities, actions) => {
        if (info === undefined) throw new Error('the node is none');
        const listed = entities.map(([kind, one]) => readListed(kind, one));
        const services = actions.flatMap((one) => readService(one) ?? []);
        const devices = await devicesFrom(info, { listed, services }, DEPS);
        const faults: unknown[] = [];
        for (const { description, entities: own } of devices) {
          const byKey = new Map(description.features.map((feature) => [feature.key, feature]));
          if (byKey.size !== description.features.length) faults.push('a key twice');
          for (const { key, name } of description.features) if (!KEY.test(key) || UNSEEN.test(name)) faults.push(key);
          for (const entity of own) {
            for (const [, , state] of entities) {
              for (const [key, value] of valuesFromState(state, entity)) {
                const feature = byKey.get(key);
                if (feature === undefined || !isSaid(feature, value)) faults.push([key, value]);
              }
              const occurrences = entity.sources.flatMap(({ happen }) => happen?.(state) ?? []);
              faults.push(...occurrences.filter((one) => !isReportableOccurrence(one)));
            }
          }
        }
        expect(faults).toEqual([]);
      }),
      searchOf(1_000),
    );
  });

  test('is a node with a MAC or nothing', () => {
    fc.assert(
      fc.property(message, fc.boolean(), (one, isSealed) => {
        const info = readNodeInfo(one, isSealed);
        if (info === undefined) return;
        expect(info.mac).toMatch(/^[0-9a-f]{12}$/);
        expect(info.name).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
      searchOf(5_000),
    );
    expect(infoOf({ 3: '../../etc' })).toBeUndefined();
    expect(infoOf(INFO)?.mac).toBe(NODE_MAC);
  });

  test('becomes a command for no value that a feature takes', async () => {
    const numbers = fc.float({ noNaN: true, noDefaultInfinity: true });
    await fc.assert(
      fc.asyncProperty(kinds, message, numbers, async (kind, one, number) => {
        const info = infoOf(INFO);
        const list = { listed: [readListed(kind, one)], services: [] };
        const [device] = info === undefined ? [] : await devicesFrom(info, list, DEPS);
        if (device === undefined) throw new Error('the node is none');
        for (const { key, valueType, options, kind: sort } of device.description.features) {
          const value = valueType === 'number' ? number : valueType === 'boolean' ? true : (options?.[0] ?? '07:30');
          if (valueType === 'color' || valueType === 'timestamp' || key.endsWith('date') || kind.word === 'date')
            continue;
          const action = sort === 'action' ? key : null;
          const set = new Map(action === null ? [[key, value] as const] : []);
          const sent = sendingsFromCommand({ externalId: NODE_MAC, set, action, transitionMs: 5 }, device);
          for (const { body } of sent) expect(readMessage(body)).toBeDefined();
        }
      }),
      searchOf(1_000),
    );
  });
});

test('a node that lists an entity again and again has it once', async () => {
  const info = infoOf(INFO);
  const [kind] = ENTITY_KINDS;
  const one = readMessage(bytesOf(fields({ 3: 'Lamp', 12: 35 })));
  if (info === undefined || kind === undefined || one === undefined) throw new Error('the node is none');
  const listed = Array.from({ length: 600 }, () => readListed(kind, one));
  const [device] = await devicesFrom(info, { listed, services: [] }, DEPS);
  expect(device?.entities).toHaveLength(1);
});

test('a long list leaves others their turns', async () => {
  const info = infoOf(INFO);
  if (info === undefined) throw new Error('the node is none');
  const listed = Array.from({ length: 200 }, (_, key) => {
    const draft = fields({ 3: 'Same', 12: 35 });
    putFixed(draft, 2, key);
    const one = readMessage(bytesOf(draft));
    const kind = ENTITY_KINDS[key % ENTITY_KINDS.length];
    if (one === undefined || kind === undefined) throw new Error('what was written cannot be read');
    return readListed(kind, one);
  });
  let nowMs = 0;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  // Each look at this clock takes a millisecond, so that a few entities are a slice.
  await devicesFrom(info, { listed, services: [] }, { ...DEPS, monotonicMs: () => nowMs++ });
  clearImmediate(turn);
  expect(turns).toBeGreaterThan(50);
});

test('a state of anything changes known devices alone', async () => {
  const sink = createRecordingSink();
  const reporting = createReporting({ ...DEPS, sink });
  const info = infoOf(INFO);
  if (info === undefined) throw new Error('the node is none');
  const listed = ENTITY_KINDS.map((kind, index) => {
    const draft = fields({ 3: `Thing ${index}` });
    putFixed(draft, 2, 3);
    const one = readMessage(bytesOf(draft));
    if (one === undefined) throw new Error('what was written cannot be read');
    return readListed(kind, one);
  });
  await reporting.begin(info, { listed, services: [], skipped: new Map() });
  const types = fc.constantFrom(
    ...ENTITY_KINDS.flatMap(({ state }) => (state === undefined ? [] : [state.type])),
    7,
    300,
  );
  fc.assert(
    fc.property(types, message, (type, one) => reporting.take(type, one)),
    searchOf(5_000),
  );
  expect([...sink.devices.keys()]).toEqual([NODE_MAC]);
});
