import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LampHouse, startLampHouse } from '#test/support/peers/lamp-house.ts';
import { needs } from '#test/support/machine/requires.ts';
import { radioAddress } from '#test/support/peers/real-zigbee2mqtt.ts';

type Result = { readonly device: string; readonly key: string; readonly status: string };

describe.skipIf(!needs('mosquitto') || !needs('zigbee2mqtt'))('a group of the real Zigbee2MQTT', () => {
  let house: LampHouse;
  /** Topics and payloads of all sets since the last call. */
  const sets: string[] = [];
  /** A message to a group follows the last one after a second. */
  const nextBroadcast = () => wait(1_000);
  const command = async (targets: object, set: object, waitS = 20) => {
    sets.length = 0;
    const { json } = await house.hub.call<{ status: string; results: Result[] }>('POST /command', {
      body: { targets, set },
      headers: { Prefer: `wait=${waitS}` },
    });
    return json;
  };

  beforeAll(async () => {
    house = await startLampHouse();
    await house.addRadioGroup('five', [0, 1, 2, 3, 4]);
    house.client.on('message', (topic, payload) => {
      if (topic.endsWith('/set')) sets.push(`${topic.replace('zigbee2mqtt/', '')} ${payload.toString()}`);
    });
    await house.client.subscribeAsync('zigbee2mqtt/+/set');
  }, 150_000);
  afterAll(() => house.stop());

  test('carries a command for exactly its lamps in one message, and each lamp confirms by itself', async () => {
    const devices = house.selectors.slice(0, 5);
    const { status, results } = await command({ devices }, { on: true, brightness: 40 });
    process.stdout.write(`${JSON.stringify(sets)}\n`);
    expect([status, results.every((one) => one.status === 'confirmed')]).toEqual(['confirmed', true]);
    expect(sets).toEqual([expect.stringMatching(/^five\/set /)]);
  }, 30_000);

  test('is not taken for some of its lamps, or for lamps that get something else', async () => {
    expect((await command({ devices: house.selectors.slice(0, 4) }, { on: false })).status).toBe('confirmed');
    expect(sets).toHaveLength(4);
  }, 30_000);

  test('takes those lamps of a larger command that it has, and the others get their own message', async () => {
    await nextBroadcast();
    expect((await command({ devices: house.selectors.slice(0, 7) }, { brightness: 70 })).status).toBe('confirmed');
    expect(sets.map((line) => line.split('/')[0] ?? '').toSorted()).toEqual([radioAddress(6), radioAddress(7), 'five']);
  }, 30_000);

  test('confirms nothing of a lamp without power, although Zigbee2MQTT shows the new state of it', async () => {
    await nextBroadcast();
    await house.peer.radio('/offline', { ieee: radioAddress(3), offline: true });
    const { results } = await command({ devices: house.selectors.slice(0, 5) }, { brightness: 20 });
    const lost = house.selectors[2];
    expect(sets).toEqual([expect.stringMatching(/^five\/set /)]);
    expect(results.map(({ device, status }) => `${device === lost ? 'lost ' : ''}${status}`).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'confirmed'),
      'lost unconfirmed',
    ]);
  }, 40_000);
});
