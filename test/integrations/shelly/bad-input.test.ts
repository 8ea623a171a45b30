import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, objectOf } from '#base/json.ts';
import { isSaid } from '#core/feature/feature-value.ts';
import { type Component, mergeStatus, readComponents } from '#integrations/shelly/mapping/components.ts';
import { devicesFrom, readDeviceInfo } from '#integrations/shelly/mapping/shelly-device.ts';
import { readSources } from '#integrations/peer/source.ts';
import { readFrom } from '#integrations/shelly/payload.ts';
import { createReporting } from '#integrations/shelly/reporting.ts';
import { readChallenge, readFrame } from '#integrations/shelly/rpc/rpc-message.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { DUMPS, type DumpKind } from '#test/support/shelly/shelly-dumps.ts';

const KINDS = Object.keys(DUMPS) as DumpKind[];
const INFO = readDeviceInfo(DUMPS.plus1pm.info);
const NOBODY = { sink: { reportRefused: () => undefined }, externalId: '' };

const anything = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as JsonValue),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.string(),
);

/** A device whose parts have, here and there, something else in the place of what belongs there. */
const spoilt = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    members: fc.array(fc.tuple(fc.nat(200), fc.nat(40), anything), { maxLength: 6 }),
    ofConfig: fc.boolean(),
  })
  .map(({ kind, members, ofConfig }) => {
    const { config, status, added } = DUMPS[kind];
    const parts = [config, status, ...added];
    const changed = parts.map((part): Record<string, JsonValue> => ({ ...part }));
    for (const [at, name, value] of members) {
      const part = changed[(ofConfig ? at : at + 1) % changed.length] ?? {};
      const keys = Object.keys(part);
      const key = keys[name % Math.max(1, keys.length)] ?? 'switch:0';
      const inner = objectOf(part[key]);
      const innerKeys = Object.keys(inner);
      const innerKey = innerKeys[name % Math.max(1, innerKeys.length)] ?? 'id';
      part[key] = name % 3 === 0 ? value : { ...inner, [innerKey]: value };
    }
    const [first = {}, second = {}, ...others] = changed;
    return readComponents(first, second, others);
  });

describe('what a device says of itself', () => {
  test('never throws, has each key once, and no value that its feature cannot have', () => {
    fc.assert(
      fc.property(spoilt, (components) => {
        if (INFO === undefined) throw new Error('the dump is unreadable');
        const devices = devicesFrom(INFO, components);
        const ids = devices.map(({ description }) => description.externalId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { sources, description } of devices) {
          const keys = description.features.map(({ key }) => key);
          expect(new Set(keys).size).toBe(keys.length);
          for (const [key, value] of readSources(sources, (source) => readFrom(source, components), NOBODY)) {
            const feature = description.features.find((one) => one.key === key);
            expect([key, value, feature !== undefined && isSaid(feature, value)]).toEqual([key, value, true]);
          }
        }
      }),
      searchOf(5_000),
    );
  });

  test('a frame of anything is a frame or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['result', 'error', 'news', undefined]).toContain(readFrame(text)?.type);
        expect(typeof (readChallenge(text)?.realm ?? '')).toBe('string');
      }),
      searchOf(5_000),
    );
  });

  test('a status of anything changes known components alone', async () => {
    const sink = createRecordingSink();
    const reporting = createReporting(sink);
    const all = readComponents(DUMPS.plus1pm.config, DUMPS.plus1pm.status, []);
    if (INFO === undefined || !(await reporting.begin(INFO, all))) throw new Error('the dump is unreadable');
    const known = fc.constantFrom('switch:0', 'input:0', 'sys', 'wifi', 'switch:1', '__proto__', 'constructor');
    fc.assert(
      fc.property(fc.dictionary(known, anything, { maxKeys: 4 }), anything, fc.boolean(), (params, events, isWhole) => {
        reporting.takeStatus(params, isWhole);
        reporting.takeEvents(events);
      }),
      searchOf(5_000),
    );
    expect([...sink.devices.keys()]).toEqual([INFO.mac]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe('a device that never ends', () => {
  test('has no more components than a gateway can have, and no endless text', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, id) => [`switch:${id}`, { id, output: true }]));
    const components = readComponents({}, many, []);
    expect(components.size).toBe(200);
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, id) => [`m${id}`, id]));
    let status: JsonObject = {};
    for (let round = 0; round < 3; round += 1) status = mergeStatus(status, members);
    expect(Object.keys(status)).toHaveLength(100);
  });

  test('may nest as deep as it likes', () => {
    const text = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const deep = JSON.parse(text) as JsonObject;
    const merged = mergeStatus(mergeStatus({}, deep), deep);
    expect(JSON.stringify(merged).length).toBeLessThan(100);
    const components = new Map<string, Component>();
    for (const [key, one] of readComponents({}, { 'switch:0': deep }, [deep])) components.set(key, one);
    expect([...components.keys()]).toEqual(['switch:0']);
  });
});

test.each<[string, JsonValue]>([
  ['a list', []],
  ['of another generation', { ...DUMPS.plus1pm.info, gen: 1 }],
  ['without a generation', { ...DUMPS.plus1pm.info, gen: '2' }],
  ['with something else for a MAC', { ...DUMPS.plus1pm.info, mac: '../../etc' }],
])('what says that it is %s is no device', (_what, info) => {
  expect(readDeviceInfo(info)).toBeUndefined();
});
