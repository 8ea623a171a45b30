import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { type BridgeWorld, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { bringDevices, type ProvidedHome } from '#test/support/matter/provided-home.ts';

const BUTTON = {
  id: 'desk-button',
  type: 'generic_switch',
  features: { button: { options: ['single', 'double'] } },
  values: {},
};
const LAMP = 'Bedroom bedside lamp';
const SINGLE = ['InitialPress', 'ShortRelease', 'MultiPressComplete'];

type DeviceJson = {
  readonly id: string;
  readonly name: string;
  readonly integration: string;
  readonly availability: { readonly state: string };
};

const canRun = needs('root') && needs('ip') && needs('chip-sdk');
let world: BridgeWorld;
let desk: ProvidedHome;
let chip: Controller;
let device: Controller;
let matterLamp: string;

const programs = (): readonly number[] =>
  world
    .hub()
    .children()
    .filter(({ command }) => command.includes('matter-process'))
    .map(({ pid }) => pid);
const kind = async (
  id: string,
): Promise<{ readonly status: string; readonly error: { readonly code: string } | null }> =>
  (await world.ask('GET', `/integration/${id}`)).json as never;
const codeOf = async (id: string): Promise<string | undefined> => (await kind(id)).error?.code;
const stateOf = async (id: string): Promise<string> =>
  ((await world.ask('GET', `/device/${id}`)).json as DeviceJson).availability.state;
const numberOf = async (name: string): Promise<number> => {
  const all = (await chip.call('endpoints')) as readonly { name: string; number: number }[];
  return all.find((one) => one.name === name)?.number ?? 0;
};
const switchLamp = async (name: string, isOn: boolean): Promise<void> => {
  const place = { number: await numberOf(name), cluster: 'OnOff' };
  await chip.call('command', { ...place, command: isOn ? 'On' : 'Off' });
  await chip.call('await_value', { ...place, attribute: 'OnOff', value: isOn });
};

describe.skipIf(!canRun)('a hub that takes Matter devices in and offers its own', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    world = await openBridgeWorld();
    desk = await bringDevices(world, [BUTTON]);
    chip = await world.startChip('chip');
    device = await world.startDevice('device', { kind: 'bridge' });
    await world.ask('POST', '/integration', { kind: 'matter' });
    await vi.waitFor(async () => {
      if ((await kind('matter')).status !== 'connected') throw new Error('the program does not run');
    }, SOON);
    const { manualPairingCode: code } = (await device.call('codes')) as { manualPairingCode: string };
    await world.ask('POST', '/integration/matter/pairing', { code });
    const found = async (): Promise<string | undefined> =>
      ((await world.ask('GET', '/device')).json as readonly DeviceJson[]).find(
        ({ name, integration, availability }) =>
          name === 'onoff' && integration === 'matter' && availability.state === 'online',
      )?.id;
    matterLamp = await vi.waitFor(async () => {
      const lamp = await found();
      if (lamp === undefined) throw new Error('the device has not joined');
      return lamp;
    }, SOON);
    await world.offer([matterLamp, ...desk.ids]);
    await world.untilUp();
  }, 300_000);
  afterAll(async () => {
    await desk.stop();
    await world.close();
  });

  test('does both in one process, and what it took in is offered', async () => {
    expect(programs()).toHaveLength(1);
    await chip.call('pair', { code: await world.openBridge() });
    for (const isOn of [true, false]) {
      await switchLamp('onoff', isOn);
      expect(await device.call('state', { name: 'onoff', cluster: 'onOff' })).toMatchObject({ onOff: isOn });
    }
  });

  test('when the last home leaves the bridge begins anew, alone, and tells the next home of presses', async () => {
    const [pid] = programs();
    await chip.call('leave');
    // The new start is shorter than the second that a status is shown for: the log tells of it.
    await expect.poll(() => world.hub().log(), SOON).toContain('the last home has left the Matter bridge');
    const code = await vi.waitFor(() => world.openBridge(), SOON);
    expect(await stateOf(matterLamp)).toBe('online');
    await chip.call('pair', { code });
    await desk.report('desk-button', { occurrences: [{ key: 'button', action: 'single' }] });
    const events = await chip.call('await_events', { number: await numberOf('Desk button'), names: SINGLE });
    expect((events as { event: string }[]).map(({ event }) => event)).toEqual(SINGLE);
    await switchLamp('onoff', true);
    expect(programs()).toEqual([pid]);
  });

  test('when the process dies both say so, and both are back', async () => {
    const [pid = 0] = programs();
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => Promise.all(['matter', 'matter_bridge'].map(codeOf)), SOON)
      .toEqual(['NODE_DOWN', 'NODE_DOWN']);
    await expect.poll(async () => (await world.bridge()).status, SOON).toBe('connected');
    await expect.poll(() => stateOf(matterLamp), SOON).toBe('online');
    expect(programs()).toHaveLength(1);
    await expect.poll(() => switchLamp(LAMP, true).then(() => 'done', String), SOON).toBe('done');
  });

  test('either can be switched off and on while the other one goes on, and without both there is no process', async () => {
    const before = programs();
    const set = async (id: string, enabled: boolean): Promise<void> => {
      expect(await world.ask('PATCH', `/integration/${id}`, { enabled })).toMatchObject({ status: 200 });
    };
    await set('matter_bridge', false);
    await expect.poll(async () => (await kind('matter_bridge')).status, SOON).toBe('off');
    expect([await stateOf(matterLamp), programs()]).toEqual(['online', before]);
    await set('matter_bridge', true);
    await world.untilUp();
    await set('matter', false);
    await expect.poll(async () => (await kind('matter')).status, SOON).toBe('off');
    await expect.poll(() => switchLamp(LAMP, false).then(() => 'done', String), SOON).toBe('done');
    expect(programs()).toEqual(before);
    await set('matter_bridge', false);
    await expect.poll(programs, SOON).toEqual([]);
    await set('matter', true);
    await expect.poll(() => stateOf(matterLamp), SOON).toBe('online');
  });
});
