import { describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { createGroupSends } from '#integrations/zigbee2mqtt/group-sends.ts';
import { readRadioGroups } from '#integrations/zigbee2mqtt/radio-groups.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { openZigbee2mqtt } from '#test/support/hub/zigbee2mqtt-harness.ts';

const idOf = (index: number): string => `0x00000000000000a${index}`;
const LAMPS = [1, 2, 3, 4].map((index) => ({
  ...deviceEntry('IKEA/LED1624G9'),
  ieee_address: idOf(index),
  friendly_name: `Lamp ${index}`,
}));
const GROUP = {
  id: 7,
  friendly_name: 'All lamps',
  members: [1, 2, 3].map((one) => ({ ieee_address: idOf(one), endpoint: 1 })),
};

function command(index: number, set: Record<string, JsonValue>, transitionMs: number | null = null): DeviceCommand {
  return { externalId: idOf(index), set: new Map(Object.entries(set)), action: null, transitionMs };
}

async function openGroups() {
  const home = await openZigbee2mqtt(LAMPS);
  const published: string[] = [];
  home.broker.onPublish(({ topic, payload }) => void published.push(`${topic.replace('zigbee2mqtt/', '')} ${payload}`));
  await home.peer.publish('bridge/groups', [GROUP], true);
  await home.settled();
  const { integration } = home;
  const find = (commands: readonly DeviceCommand[]): string[][] =>
    (integration.findGroups?.(commands) ?? []).map((part) => part.map(({ externalId }) => externalId));
  return { ...home, published, find };
}

describe('the groups of Zigbee2MQTT', () => {
  test('carry what all of their lamps get alike, and nothing else', async () => {
    const { find } = await openGroups();
    const all = [1, 2, 3, 4].map((one) => command(one, { on: true, brightness: 50 }));
    expect(find(all)).toEqual([[idOf(1), idOf(2), idOf(3)]]);
    expect(find(all.slice(1))).toEqual([]);
    expect(find([command(1, { on: false }), ...all.slice(1)])).toEqual([]);
    expect(find([1, 2, 3].map((one) => command(one, { on: true }, one * 1_000)))).toEqual([]);
    expect(find([1, 2, 3].map((one) => command(one, { power_on_behavior: 'off' })))).toEqual([]);
  });

  test('are asked after the states that Zigbee2MQTT makes up, which count for nothing', async () => {
    const { integration, published, peer, sink, settled, find } = await openGroups();
    const commands = [1, 2, 3].map((one) => command(one, { on: true }));
    const outcomes = integration.sendGroup?.(commands) ?? [];
    expect(await Promise.all(outcomes)).toEqual(Array(3).fill('transport_ack'));
    expect(published).toContain('All lamps/set {"state":"ON"}');
    // Another broadcast would come too soon.
    expect(find(commands)).toEqual([]);
    for (const one of [1, 2]) await peer.publish(`Lamp ${one}`, { state: 'ON', linkquality: 100 + one });
    await settled();
    // With all else that Zigbee2MQTT remembers of a lamp, which may have no power for days.
    const { values, seenAtMs } = sink.device(idOf(1));
    expect([values.size, seenAtMs]).toEqual([0, null]);
    expect(published.filter((line) => line.includes('/get '))).toEqual([]);
    await peer.publish('Lamp 3', { state: 'ON' });
    await vi.waitFor(() =>
      expect(published.filter((line) => line.includes('/get '))).toEqual(
        [1, 2, 3].map((one) => `Lamp ${one}/get {"state":""}`),
      ),
    );
    expect(sink.device(idOf(3)).values.get('on')).toBe(undefined);
    await peer.publish('Lamp 3', { state: 'ON' });
    await vi.waitFor(() => expect(sink.device(idOf(3)).values.get('on')).toBe(true));
  });

  test('that went meanwhile leave each lamp its own message', async () => {
    const { integration, published, peer, settled } = await openGroups();
    await peer.publish('bridge/groups', []);
    await settled();
    await Promise.all(integration.sendGroup?.([1, 2, 3].map((one) => command(one, { on: true }))) ?? []);
    expect(published.filter((line) => line.endsWith('/set {"state":"ON"}'))).toHaveLength(3);
  });

  test('are none where the list is something else, and never reach a topic of others', () => {
    const members = GROUP.members;
    const wrong: JsonValue[] = [
      null,
      7,
      {},
      [null, 'x', {}, { friendly_name: 'a' }, { friendly_name: 'a', members: 3 }],
      [{ friendly_name: 'a', members: [null, 7, {}] }],
      ...['#', '+/set', 'bridge/x', 'a/set/b', '', 9].map((friendly_name) => [{ friendly_name, members }]),
      // Two parts of one device, and too few lamps.
      [{ friendly_name: 'a', members: [...members, { ieee_address: idOf(1), endpoint: 2 }] }],
      [{ friendly_name: 'a', members: members.slice(1) }],
    ];
    for (const json of wrong) expect(readRadioGroups(json)).toEqual([]);
    expect(readRadioGroups([GROUP])).toHaveLength(1);
  });
});

describe('after a message to a group', () => {
  const open = async (transitionMs: number | null = null) => {
    const time = createManualTime();
    const asked: string[] = [];
    const sends = createGroupSends({
      publishSet: async () => undefined,
      ask: async (device) => void asked.push(device.description.externalId),
      onSent: () => undefined,
      ...time.clock,
      startTimer: time.startTimer,
      log: createRecordingLog().log,
    });
    const ids = Array.from({ length: 30 }, (_, index) => `lamp-${index}`);
    const plans = ids.map((externalId) => ({
      // Only its address is read.
      device: { description: { externalId } } as never,
      payload: { state: 'ON' },
      sent: new Map([['state', { key: 'on', wire: 'ON', value: true }]]),
      transitionMs,
    }));
    await sends.send({ topicName: 'all', members: new Set(ids) }, plans);
    return { time, sends, asked, ids };
  };

  test('the questions keep the pace of commands, and begin even if a member is never published', async () => {
    const { time, sends, asked, ids } = await open();
    for (const id of ids.slice(1)) expect(sends.withoutEcho(id, { state: 'ON', power: 3 })).toBe(null);
    for (const id of ids.slice(1)) expect(sends.withoutEcho(id, { state: 'ON', power: 4 })).toEqual({ power: 4 });
    await time.advance(1_999);
    expect(asked).toEqual([]);
    await time.advance(1);
    expect(asked).toEqual(ids.slice(0, 20));
    expect(sends.withoutEcho('lamp-1', { state: 'ON' })).toEqual({ state: 'ON' });
    expect(sends.withoutEcho('lamp-29', { state: 'ON' })).toEqual({});
    await time.advance(100);
    expect(asked).toEqual(ids);
    expect(time.pendingMs()).toEqual([]);
  });

  test('a state that is published after the questions counts for nothing, and the lamp is asked once more', async () => {
    const { time, sends, asked, ids } = await open();
    for (const id of ids.slice(2)) sends.withoutEcho(id, { state: 'ON' });
    await time.advance(2_500);
    expect(asked).toEqual(ids);
    // What is not what was sent comes from the lamp.
    expect(sends.withoutEcho('lamp-0', { state: 'OFF' })).toEqual({ state: 'OFF' });
    expect(sends.withoutEcho('lamp-0', { state: 'ON', power: 3 })).toEqual({ power: 3 });
    expect(asked.slice(30)).toEqual(['lamp-0']);
    expect(sends.withoutEcho('lamp-0', { state: 'ON', power: 3 })).toEqual({ state: 'ON', power: 3 });
    await time.advance(60_000);
    expect(sends.withoutEcho('lamp-1', { state: 'ON' })).toEqual({ state: 'ON' });
    expect(asked).toHaveLength(31);
  });

  test('lamps are asked when they have arrived', async () => {
    const { time, sends, asked, ids } = await open(5_000);
    for (const id of ids) sends.withoutEcho(id, { state: 'ON' });
    await time.advance(4_999);
    expect(asked).toEqual([]);
    await time.advance(101);
    expect(asked).toHaveLength(30);
  });

  test('a state that Zigbee2MQTT publishes twice counts for nothing twice', async () => {
    const { time, sends, asked, ids } = await open();
    for (const id of ids) expect(sends.withoutEcho(id, { state: 'ON', power: 3 })).toBe(null);
    await time.advance(20);
    for (const id of ids) expect(sends.withoutEcho(id, { state: 'ON', power: 3 })).toBe(null);
    expect(sends.withoutEcho('lamp-0', { state: 'ON', power: 7 })).toEqual({ power: 7 });
    expect(asked).toEqual([]);
    await time.advance(230);
    expect(asked).toEqual(ids.slice(0, 20));
    expect(sends.withoutEcho('lamp-0', { state: 'ON', power: 7 })).toEqual({ state: 'ON', power: 7 });
  });

  test('what a lamp says on its way to the new state counts', async () => {
    const { time, sends, asked, ids } = await open(60_000);
    for (const id of ids) expect(sends.withoutEcho(id, { state: 'ON' })).toBe(null);
    await time.advance(250);
    // Somebody turned it off by hand.
    expect(sends.withoutEcho('lamp-3', { state: 'OFF' })).toEqual({ state: 'OFF' });
    expect(sends.withoutEcho('lamp-3', { state: 'ON' })).toEqual({ state: 'ON' });
    await time.advance(60_100);
    expect(asked).toEqual(ids);
  });

  test('nobody is asked once the link is lost, and what comes then counts', async () => {
    const { time, sends, asked } = await open();
    sends.reset();
    await time.advance(10_000);
    expect([asked, time.pendingMs()]).toEqual([[], []]);
    expect(sends.withoutEcho('lamp-3', { state: 'ON' })).toEqual({ state: 'ON' });
  });
});
