import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { openNode } from '#integrations/matter/live-node.ts';
import type { MatterEndpoint } from '#integrations/matter/matter-node.ts';
import { CLUSTERS, DEVICE_TYPES, endpointOfClusters, endpointOfType } from '#test/support/matter/model-nodes.ts';

/** The writable features of an endpoint that only trusted people may use. */
function guardedOf(endpoint: MatterEndpoint): readonly string[] {
  const [device] = openNode({ nodeId: '1', endpoints: [endpoint] }).devices;
  if (device === undefined) throw new Error('there is no device');
  const { description } = device;
  return description.features.flatMap(({ key, writable }) =>
    writable && isSensitiveRequest(description, [key]) ? [key] : [],
  );
}

function typed(name: string): MatterEndpoint {
  const type = DEVICE_TYPES.find((one) => one.name === name);
  if (type === undefined) throw new Error(`there is no ${name}`);
  return endpointOfType(type);
}

function closure(tagList: JsonValue): MatterEndpoint {
  const plain = endpointOfClusters([...CLUSTERS].flatMap(([name, one]) => (name === 'closureControl' ? [one] : [])));
  return { ...plain, deviceTypes: [0x230], state: { ...plain.state, descriptor: { tagList } } };
}

describe('what may open the home, flood it or silence an alarm', () => {
  test.each([
    ['DoorLock', 'locked'],
    ['WaterValve', 'valve_open'],
    ['WaterValve', 'x.valve_position'],
    ['SmokeCoAlarm', 'x.alarm_self_test'],
  ])('%s: %s is guarded', (name, key) => {
    expect(guardedOf(typed(name))).toContain(key);
  });

  test.each([['WindowCovering'], ['OnOffLight'], ['Thermostat'], ['Fan'], ['Pump']])('%s is not', (name) => {
    expect(guardedOf(typed(name))).toEqual([]);
  });

  test.each<[string, JsonValue, readonly string[]]>([
    ['garage door', [{ mfgCode: null, namespaceId: 0x44, tag: 5 }], ['cover_state']],
    ['gate', [{ mfgCode: null, namespaceId: 0x44, tag: 4 }], ['cover_state']],
    ['window', [{ mfgCode: null, namespaceId: 0x44, tag: 1 }], ['cover_state']],
    // What it is, nobody said.
    ['closure', [], ['cover_state']],
    ['closure that says nonsense', 'garage', ['cover_state']],
    ['covering', [{ mfgCode: null, namespaceId: 0x44, tag: 0 }], []],
    ['cabinet', [{ mfgCode: null, namespaceId: 0x44, tag: 3 }], []],
    [
      'garage door that also calls itself a covering',
      [
        { namespaceId: 0x44, tag: 0 },
        { namespaceId: 0x44, tag: 5 },
      ],
      ['cover_state'],
    ],
    ['door whose tag of another list has the number of a covering', [{ namespaceId: 8, tag: 0 }], ['cover_state']],
  ])('a %s', (_name, tagList, guarded) => {
    expect(guardedOf(closure(tagList))).toEqual(guarded);
  });
});
