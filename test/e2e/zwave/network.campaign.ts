import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import { setUpZwave } from '#integrations/zwave/zwave.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { needs } from '#test/support/machine/requires.ts';
import { type MockNetwork, startMockNetwork } from '#test/support/zwave/mock-network.ts';
import { NETWORK_ID, SWITCH } from '#test/support/zwave/zwave-server.ts';
import { createZwaveWorld } from '#test/support/zwave/zwave-world.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };
const LONG = 300_000;
const COMMANDS: readonly (readonly [node: number, key: string, value: JsonValue])[] = [
  [2, 'on', true],
  [3, 'brightness', 56],
  [3, 'on', false],
  [5, 'thermostat_mode', 'heat'],
  [5, 'target_temperature', 22.5],
  [6, 'locked', true],
  [9, 'endpoint_1.on', true],
  [9, 'endpoint_2.on', false],
  [10, 'color', { hue: 120, saturation: 100 }],
  [10, 'color_temperature', 4_000],
  [3, 'x.parameter_2', 21],
  [7, 'position', 100],
];

let network: MockNetwork;

function openHub() {
  const world = createZwaveWorld(network.host);
  const sink = createRecordingSink();
  const integration = world.create();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
    world.close();
  });
  const until = (check: () => void): Promise<void> => vi.waitFor(check, PATIENCE);
  const device = (node: number) => {
    const found = [...sink.devices.values()].find(({ description }) => description.externalId.startsWith(`${node}-`));
    if (found === undefined) throw new Error(`there is no node ${node}`);
    return found;
  };
  const confirm = async (node: number, key: string, value: JsonValue): Promise<void> => {
    const { description, values } = device(node);
    const feature = description.features.find((one) => one.key === key);
    if (feature === undefined) throw new Error(`node ${node} has no ${key}`);
    const { externalId } = description;
    await integration.sendCommand({ externalId, set: new Map([[key, value]]), action: null, transitionMs: null });
    await until(() => {
      const reported = values.get(key) ?? null;
      expect([node, key, reported, isConfirmedBy(feature, value, reported)]).toEqual([node, key, reported, true]);
    });
  };
  const untilState = (state: string): Promise<void> => until(() => expect(sink.statuses.at(-1)?.state).toBe(state));
  return { integration, sink, device, until, confirm, untilState };
}

describe.skipIf(!needs('zwave-js'))('the driver and server of Z-Wave JS', () => {
  beforeAll(async () => {
    network = await startMockNetwork();
  }, LONG);
  afterAll(async () => {
    await network.remove();
  });

  test('are found out by the set-up', async () => {
    const world = createZwaveWorld(network.host);
    onTestFinished(world.close);
    const steps = setUpZwave(undefined, { ...world.ports, signal: new AbortController().signal });
    let step = await steps.next({});
    while (step.done !== true) step = await steps.next(step.value.type === 'form' ? { host: network.host } : {});
    expect(step.value).toMatchObject({ uniqueId: NETWORK_ID, settings: { host: network.host } });
  });

  test(
    'bring every node with its values, and each kind of command is confirmed by the node',
    { timeout: LONG },
    async () => {
      const { device, confirm, untilState, sink } = openHub();
      await untilState('connected');
      expect([...sink.devices.keys()]).toHaveLength(9);
      expect([2, 3, 4, 5, 6, 7, 8, 9, 10].map((node) => device(node).description.type)).toEqual([
        'on_off_plug_in_unit',
        'dimmable_light',
        'contact_sensor',
        'thermostat',
        'door_lock',
        'window_covering',
        'occupancy_sensor',
        'on_off_plug_in_unit',
        'extended_color_light',
      ]);
      // Each node has one command at a time.
      const nodes = new Set(COMMANDS.map(([node]) => node));
      await Promise.all(
        [...nodes].map(async (node) => {
          for (const command of COMMANDS) if (command[0] === node) await confirm(...command);
        }),
      );
    },
  );

  test('tell what happens at the nodes', { timeout: LONG }, async () => {
    const { device, until, untilState } = openHub();
    await untilState('connected');
    expect(['asleep', 'online']).toContain(device(4).availability?.state);
    await network.happen('contact/door', { open: true });
    await until(() => expect(device(4).values.get('open')).toBe(true));
    await network.happen('contact/battery', { level: 7 });
    await until(() => expect(device(4).values.get('battery')).toBe(7));
    await network.happen('motion/motion', { value: true });
    await until(() => expect(device(8).values.get('motion')).toBe(true));
    await network.happen('motion/sensor', { type: 1, value: 25 });
    await until(() => expect(device(8).values.get('temperature')).toBe(25));
    await network.happen('dimmer/scene', { scene: 1, key: 3 });
    await until(() =>
      expect(device(3).occurrences.at(-1)).toMatchObject({ key: 'scene_1.button', occurrence: { action: 'double' } }),
    );
    await network.happen('lock/locked', { value: false });
    await until(() => expect(device(6).occurrences.at(-1)?.occurrence.action).toBe('manual_unlock_operation'));
  });

  test('are found again after a kill', { timeout: LONG }, async () => {
    const { sink, confirm, untilState } = openHub();
    await untilState('connected');
    await network.kill();
    await untilState('error');
    await network.start();
    await untilState('connected');
    await confirm(2, 'on', false);
    expect(sink.devices.size).toBe(9);
  });

  test(
    'a node that does not answer is dead, a command to it fails, and the others go on',
    { timeout: LONG },
    async () => {
      const { integration, device, until, confirm, untilState } = openHub();
      await untilState('connected');
      await network.happen('switch/dead', { value: true });
      const command = { externalId: SWITCH, set: new Map([['on', true]]), action: null, transitionMs: null };
      await expect(integration.sendCommand(command)).rejects.toMatchObject({ message: 'The device does not answer.' });
      await until(() => expect(device(2).availability).toEqual({ state: 'offline', reason: 'dead' }));
      await confirm(9, 'endpoint_1.on', false);
    },
  );
});
