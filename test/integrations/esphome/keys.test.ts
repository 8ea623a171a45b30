import { describe, expect, test } from 'vitest';
import type { Feature } from '#core/feature/feature.ts';
import { KIND_OF_LISTED } from '#integrations/esphome/entities/kinds.ts';
import { devicesFrom, readListed } from '#integrations/esphome/entities/node-devices.ts';
import { LIST_SERVICE, readService } from '#integrations/esphome/entities/services.ts';
import { readNodeInfo } from '#integrations/esphome/node-info.ts';
import { bytesOf, type Message, readMessage } from '#integrations/esphome/wire/protobuf.ts';
import { fields } from '#test/support/esphome/esphome-node.ts';
import { ofListed } from '#test/support/esphome/listing.ts';

const SWITCH = 17;
const SENSOR = 16;
type Entry = readonly [type: number, key: number, name: string];

function messageOf(bytes: Uint8Array): Message {
  const message = readMessage(bytes);
  if (message === undefined) throw new Error('what was written cannot be read');
  return message;
}

/** The features of a node with these entities and actions, at a hub that knows these features. */
async function featuresOf(entries: readonly Entry[], known: readonly Feature[] = [], name = 'node') {
  const info = readNodeInfo(messageOf(bytesOf(fields({ 2: name, 3: '98:35:69:AB:00:01' }))), false);
  if (info === undefined) throw new Error('the node is none');
  const listed = entries.flatMap(([type, key, text]) => {
    const kind = KIND_OF_LISTED.get(type);
    const details = type === SENSOR ? { 3: text, 6: '°C', 9: 'temperature' } : { 3: text };
    return kind === undefined ? [] : [readListed(kind, messageOf(bytesOf(ofListed(key, details))))];
  });
  const services = entries.flatMap(([type, key, text]) =>
    type === LIST_SERVICE ? (readService(messageOf(bytesOf(ofListed(key, { 1: text })))) ?? []) : [],
  );
  const deps = { takesRooms: true, monotonicMs: () => 0, knownFeatures: () => known };
  const [device] = await devicesFrom(info, { listed, services }, deps);
  return device?.description.features ?? [];
}

const keysOf = (features: readonly Feature[]): readonly string[] => features.map(({ key }) => key);

describe('the keys of features', () => {
  test('stay what they are when the node gets more of the same', async () => {
    const before = await featuresOf([[SWITCH, 1, 'Pump']]);
    expect(keysOf(before)).toEqual(['on']);
    const after: readonly Entry[] = [
      [SWITCH, 2, 'Fountain'],
      [SWITCH, 1, 'Pump'],
    ];
    expect(keysOf(await featuresOf(after, before))).toEqual(['fountain.on', 'on']);
    // At a hub that has not known the first alone, neither is the main one.
    expect(keysOf(await featuresOf(after))).toEqual(['fountain.on', 'pump.on']);
  });

  test('stay what they are when the others are gone', async () => {
    const before = await featuresOf([
      [SENSOR, 1, 'Inside'],
      [SENSOR, 2, 'Outside'],
    ]);
    expect(keysOf(before)).toEqual(['inside.temperature', 'outside.temperature']);
    expect(keysOf(await featuresOf([[SENSOR, 2, 'Outside']], before))).toEqual(['outside.temperature']);
  });

  test('stay what they are when the node has another name, or its only relay', async () => {
    const before = await featuresOf([[SWITCH, 1, 'Pump']]);
    expect(keysOf(await featuresOf([[SWITCH, 1, 'Pump']], before, 'cellar'))).toEqual(['on']);
    // The node makes another key out of another name: nobody can know that it is the same relay, but it is the only one.
    expect(keysOf(await featuresOf([[SWITCH, 9, 'Fountain']], before))).toEqual(['on']);
  });

  test('of an action stay what they are when an entity of its name comes and goes', async () => {
    const ring: Entry = [LIST_SERVICE, 5, 'ring'];
    const before = await featuresOf([ring]);
    expect(keysOf(before)).toEqual(['x.ring']);
    const text: Entry = [97, 6, 'Ring'];
    const beside = await featuresOf([text, ring], before);
    expect(new Set(keysOf(beside)).size).toBe(2);
    const apart = beside.filter(({ source }) => source === before[0]?.source);
    expect(keysOf(await featuresOf([ring], apart))).toEqual(keysOf(apart));
  });

  test('name what they come from', async () => {
    const features = await featuresOf([
      [SWITCH, 0xa1b2c3d4, 'Pump'],
      [LIST_SERVICE, 5, 'ring'],
    ]);
    expect(features.map(({ source }) => source)).toEqual(['switch_a1b2c3d4', 'action_00000005']);
  });
});
