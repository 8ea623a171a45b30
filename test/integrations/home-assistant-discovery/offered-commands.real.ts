import { describe, expect, test, vi } from 'vitest';
import { type OfferedWorld, openOfferedWorld, POLL } from '#test/support/discovery/offered-world.ts';
import { needs } from '#test/support/machine/requires.ts';

type Offering = {
  readonly commands: number;
  readonly refused: number;
  readonly error: { readonly code: string } | null;
};

async function offeringOf({ hub, owner, instance }: OfferedWorld): Promise<Offering> {
  const { json } = await hub.call(`GET /integration/${instance}`, { token: owner });
  return json['offering'] as Offering;
}

const untilRefused = (world: OfferedWorld, code: string): Promise<void> =>
  vi.waitFor(async () => expect((await offeringOf(world)).error?.code).toBe(code), POLL);

/** The topic that this setting of this component has. */
function topicOf({ view }: OfferedWorld, name: string, [component, setting]: readonly [string, string]): string {
  return String(view.config(name)?.components[component]?.[setting]);
}

async function openCommandWorld() {
  const world = await openOfferedWorld();
  const { hub, set, roomId, device, view } = world;
  const user = hub.home.accounts.users()[0];
  if (user === undefined) throw new Error('nobody is there');
  const rooms = ['Living room', 'Kitchen'].map(roomId);
  const tokenWith = async (given: Parameters<typeof hub.addToken>[1]): Promise<string> => hub.addToken(user, given);
  await set({ expose: { rooms, devices: [device('Front door lock').id] } });
  await vi.waitFor(() => expect(view.config('Front door lock')).toBeDefined(), POLL);
  await vi.waitFor(() => expect(view.config('Living room lamp')).toBeDefined(), POLL);
  const valueOf = (name: string, key: string): unknown => device(name).states.get(key)?.value;
  return { ...world, tokenWith, valueOf };
}

describe.runIf(needs('mosquitto'))('commands from the broker', () => {
  test('act with the rights of the token, are seen as its, and end with it', async () => {
    const world = await openCommandWorld();
    const { hub, owner, set, view, roomId, device, tokenWith, valueOf } = world;
    const lamp = topicOf(world, 'Living room lamp', ['light_on', 'command_topic']);
    const lock = topicOf(world, 'Front door lock', ['lock_locked', 'command_topic']);
    await view.say(lamp, '{"state":"OFF"}');
    await untilRefused(world, 'NO_API_TOKEN');
    const livingRoom = [roomId('Living room') as never];
    await set({ token: await tokenWith({ scopes: ['device:control'], roomIds: livingRoom }) });
    // At once: a new token loses no command.
    await view.say(lamp, '{"state":"ON","brightness":30,"color":{"x":0.5,"y":0.4},"transition":0}');
    await vi.waitFor(() => expect(valueOf('Living room lamp', 'brightness')).toBe(30), POLL);
    const [command] = hub.home.apiTokens.tokens().map(({ id }) => id);
    await vi.waitFor(() => expect(JSON.stringify(view.heard)).toContain('brightness'), POLL);
    await view.say(topicOf(world, 'Kitchen ceiling', ['light_on', 'command_topic']), '{"state":"OFF"}');
    await untilRefused(world, 'NOT_FOUND');
    await view.say(lock, 'UNLOCK');
    await vi.waitFor(async () => expect((await offeringOf(world)).refused).toBe(2), POLL);
    expect(valueOf('Front door lock', 'locked')).toBe(true);
    await set({ token: await tokenWith({ scopes: ['device:control', 'device:control_sensitive'] }) });
    await view.say(lock, 'UNLOCK');
    await vi.waitFor(() => expect(valueOf('Front door lock', 'locked')).toBe(false), POLL);
    const audit = async (): Promise<string> => JSON.stringify((await hub.call('GET /audit', { token: owner })).json);
    await vi.waitFor(async () => expect(await audit()).toContain('locked=false'), POLL);
    const id = hub.home.apiTokens.tokens().find((one) => one.id !== command)?.id;
    if (id === undefined) throw new Error('the token is gone');
    await hub.home.apiTokens.endToken(id);
    await view.say(lock, 'LOCK');
    await untilRefused(world, 'INVALID_TOKEN');
    await vi.waitFor(() => expect(device('Front door lock').states.get('locked')?.value).toBe(false), POLL);
  });

  test('are lost by no change of what is offered and of the token, and the hub stays', async () => {
    const world = await openCommandWorld();
    const { set, view, roomId, tokenWith, valueOf } = world;
    const lamp = topicOf(world, 'Living room lamp', ['light_on', 'command_topic']);
    const token = await tokenWith({ scopes: ['device:control'] });
    const heardBefore = view.heard.length;
    const turnTo = async (brightness: number, settings: object): Promise<void> => {
      await set(settings);
      await view.say(lamp, `{"state":"ON","brightness":${brightness},"transition":0}`);
    };
    await turnTo(20, { token, expose: { rooms: [roomId('Living room')], devices: [] } });
    await vi.waitFor(() => expect(valueOf('Living room lamp', 'brightness')).toBe(20), POLL);
    await vi.waitFor(() => expect(view.config('Kitchen ceiling')).toBeUndefined(), POLL);
    await turnTo(40, { token: null, expose: { rooms: ['Living room', 'Kitchen'].map(roomId) } });
    await untilRefused(world, 'NO_API_TOKEN');
    await vi.waitFor(() => expect(view.config('Kitchen ceiling')).toBeDefined(), POLL);
    await turnTo(60, { token });
    await vi.waitFor(() => expect(valueOf('Living room lamp', 'brightness')).toBe(60), POLL);
    await vi.waitFor(() => expect(view.config('Front door lock')).toBeUndefined(), POLL);
    expect(view.heard.slice(heardBefore).filter((line) => line.endsWith('/status offline'))).toEqual([]);
  });

  test('are refused if they are kept, strange, without end, or for what is not offered', async () => {
    const world = await openCommandWorld();
    const { hub, instance, set, view, tokenWith, valueOf } = world;
    const lamp = topicOf(world, 'Living room lamp', ['light_on', 'command_topic']);
    await view.say(lamp, '{"state":"OFF"}', true);
    await untilRefused(world, 'NO_API_TOKEN');
    await set({ token: await tokenWith({ scopes: ['device:control'] }) });
    await hub.home.supervisor.restart(instance);
    await untilRefused(world, 'RETAINED');
    expect(valueOf('Living room lamp', 'on')).toBe(true);
    const strange = [
      '',
      'ON',
      '{',
      '[]',
      'null',
      '{"state":"TOGGLE"}',
      '{"state":["ON"]}',
      'x'.repeat(10_000),
      '\u{FFFD}',
    ];
    for (const payload of strange) await view.say(lamp, payload);
    await untilRefused(world, 'INVALID_VALUE');
    await view.say(lamp, '{"state":"ON","brightness":"__proto__"}');
    await untilRefused(world, 'VALIDATION_FAILED');
    await view.say(lamp.replace('/light_on/', '/constructor/'), 'ON');
    await untilRefused(world, 'NOT_FOUND');
    for (let count = 0; count < 1_000; count += 1) view.client.publish(lamp, '{"state":"ON","brightness":40}');
    await untilRefused(world, 'TOO_MANY_COMMANDS');
    const { commands } = await offeringOf(world);
    expect(commands).toBeLessThan(900);
    expect(valueOf('Living room lamp', 'on')).toBe(true);
  });

  test('the hub takes nothing in of what it offers, and offers nothing of what it takes in', async () => {
    const world = await openCommandWorld();
    const { hub, instance, set, view, roomId, device } = world;
    const config = {
      uniq_id: 'u1',
      name: 'Power',
      stat_t: 'meter/u1',
      dev: { ids: 'meter', name: 'Meter', sa: 'Kitchen' },
    };
    await view.say('homeassistant/sensor/u1/config', JSON.stringify(config), true);
    await vi.waitFor(() => expect(hub.home.devices.devicesOf(instance)).toHaveLength(1), POLL);
    await set({ expose: { rooms: [roomId('Kitchen')], devices: [device('Meter').id] } });
    await vi.waitFor(() => expect(view.config('Kitchen ceiling')).toBeDefined(), POLL);
    await vi.waitFor(() => expect(view.config('Living room lamp')).toBeUndefined(), POLL);
    expect(hub.home.devices.devicesOf(instance).map(({ name }) => name)).toEqual(['Meter']);
    await vi.waitFor(
      () => expect([...view.kept.keys()].filter((topic) => topic.endsWith('/config'))).toHaveLength(4),
      POLL,
    );
  });
});
