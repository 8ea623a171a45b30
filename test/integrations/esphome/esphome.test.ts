import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { putFixed } from '#integrations/esphome/wire/protobuf.ts';
import { fields, NODE_MAC, ofEntity, startEsphomeNode } from '#test/support/esphome/esphome-node.ts';
import { createEsphomeWorld } from '#test/support/esphome/esphome-world.ts';
import { echo, LISTING, ofListed, STATES, withFloats } from '#test/support/esphome/listing.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { bytesOf } from '#integrations/esphome/wire/protobuf.ts';

type NodeOptions = Parameters<typeof startEsphomeNode>[0];
type WorldOptions = Parameters<typeof createEsphomeWorld>[1];

const PART = `${NODE_MAC}-4d`;

async function openWorld(nodeOptions: NodeOptions = {}, worldOptions: WorldOptions = {}) {
  const node = await startEsphomeNode({ listing: LISTING, states: STATES, onCommand: echo, ...nodeOptions });
  onTestFinished(node.close);
  const world = createEsphomeWorld(node.host, { ...createFastTime(10), ...worldOptions });
  const sink = createRecordingSink();
  const integration = world.create();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const until = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 5 });
  const untilState = (state: string): Promise<void> => until(() => expect(sink.statuses.at(-1)?.state).toBe(state));
  const send = (set: Record<string, JsonValue>, more: Partial<DeviceCommand> = {}) =>
    integration.sendCommand({
      externalId: NODE_MAC,
      set: new Map(Object.entries(set)),
      action: null,
      transitionMs: null,
      ...more,
    });
  return { node, world, sink, send, until, untilState };
}

async function openUp(nodeOptions: NodeOptions = {}, worldOptions: WorldOptions = {}) {
  const opened = await openWorld(nodeOptions, worldOptions);
  await opened.untilState('connected');
  await opened.until(() => expect(opened.sink.device(NODE_MAC).values.get('x.wake_time')).toBe('07:30:00'));
  return opened;
}

describe('a node', () => {
  test('is a device with its features, and its part another with the node as its parent', async () => {
    const { sink } = await openUp();
    const [own, part] = [...sink.devices.values()];
    expect(own?.description).toMatchObject({
      externalId: NODE_MAC,
      name: 'Test Node',
      type: 'dimmable_light',
      manufacturer: 'Host',
      model: 'host',
      firmware: '2026.6.5',
      parentExternalId: null,
      suggestedRoom: 'Hall',
    });
    expect(own?.description.features.map(({ key }) => key)).toEqual([
      'effect',
      'brightness',
      'on',
      'temperature',
      'x.guess',
      'press',
      'button',
      'x.mode',
      'x.wake_time',
      'x.ring',
    ]);
    expect(Object.fromEntries(own?.values ?? [])).toEqual({
      effect: 'None',
      brightness: 50,
      on: false,
      temperature: 21.4,
      'x.mode': 'eco',
      'x.wake_time': '07:30:00',
    });
    expect(part?.description).toMatchObject({
      externalId: PART,
      name: 'Sub Device',
      type: 'on_off_plug_in_unit',
      parentExternalId: NODE_MAC,
      suggestedRoom: 'Kitchen',
    });
    expect(part?.values.get('on')).toBe(false);
  });

  test('counts what has no place in the hub in one line of the log', async () => {
    const { world } = await openUp();
    const lines = world.lines.filter((line) => line.includes('no place'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/camera=1.*type 299=1|type 299.*camera/);
  });

  test('that only guesses a state shows none', async () => {
    const { sink, send, node } = await openUp();
    const guess = sink.device(NODE_MAC).description.features.find(({ key }) => key === 'x.guess');
    expect(guess).toMatchObject({ readable: false, writable: true });
    expect(await send({ 'x.guess': true })).toBe('device_ack');
    expect(node.wire).toHaveLength(1);
    expect(sink.device(NODE_MAC).values.has('x.guess')).toBe(false);
  });

  test('that presses a button reports what happened, and keeps no value', async () => {
    const { sink, node, until } = await openUp();
    node.says(108, bytesOf(ofEntity(6, { 2: 'long' })));
    await until(() =>
      expect(sink.device(NODE_MAC).occurrences).toEqual([
        { key: 'button', occurrence: { action: 'hold', raw: 'long' } },
      ]),
    );
  });

  test('that asks for the time before the hub has asked anything gets it, and is up', async () => {
    const { node } = await openUp({ key: KEY, greeting: [36, fields({})] }, { password: KEY_TEXT });
    expect(node.wire.map((line) => line.split(':')[0])).toEqual(['37']);
  });

  test.each([
    ['no number', () => withFloats(ofEntity(3), { 2: Number.NaN })],
    ['no end', () => withFloats(ofEntity(3), { 2: -Infinity })],
    ['a missing state', () => withFloats(ofEntity(3, { 3: true }), { 2: 5 })],
  ])('that knows a value no more (%s) ends the one before', async (_, state) => {
    const { sink, node, until } = await openUp();
    await until(() => expect(sink.device(NODE_MAC).values.get('temperature')).toBe(21.4));
    node.says(25, bytesOf(state()));
    await until(() => expect(sink.device(NODE_MAC).values.get('temperature')).toBeNull());
  });

  test('gets the time when it asks for it', async () => {
    const { node, until } = await openUp();
    node.says(36, new Uint8Array());
    await until(() => expect(node.wire.some((line) => line.startsWith('37:0d'))).toBe(true));
  });

  test('of an older firmware is asked for no password', async () => {
    const { sink } = await openUp({ apiMinor: 9 });
    expect(sink.device(NODE_MAC).values.get('on')).toBe(false);
  });
});

describe('what guards the home', () => {
  type Entity = readonly [type: number, Parameters<typeof fields>[0]];

  test.each<[what: string, key: string, entity: Entity]>([
    ['a garage door', 'cover_state', [13, { 8: 'garage' }]],
    ['a gate without a sensor', 'cover_state', [13, { 8: 'gate', 5: true }]],
    ['a blind', 'cover_state', [13, { 8: 'blind' }]],
    ['a lock', 'locked', [58, {}]],
    ['a valve', 'valve_open', [109, {}]],
    ['the position of a valve', 'x.valve_position', [109, { 10: true }]],
    ['a siren', 'siren', [55, {}]],
    ['the tone of a siren', 'x.siren_tone', [55, { 7: 'fire' }]],
  ])('is sensitive beside the light of a node, unlike a blind: %s', async (what, key, [type, entity]) => {
    const { sink } = await openUp({ listing: [...LISTING, [type, ofListed(20, { 3: 'Guard', ...entity })]] });
    const { features } = sink.device(NODE_MAC).description;
    expect(features.map((feature) => feature.key)).toContain(key);
    expect(isSensitiveRequest({ type: 'dimmable_light', features }, [key])).toBe(what !== 'a blind');
  });
});

describe('a command', () => {
  test('is done when the node reports the state, and goes to the part that it is for', async () => {
    const { sink, send, node, until } = await openUp();
    expect(await send({ on: true }, { externalId: PART })).toBe('device_ack');
    await until(() => expect(sink.device(PART).values.get('on')).toBe(true));
    // The key as four bytes, the part, and on.
    expect(node.wire).toEqual(['33:0d02000000184d1001']);
    expect(sink.device(NODE_MAC).values.get('on')).toBe(false);
  });

  test('for several features of an entity is one message, and off counts more than a brightness', async () => {
    const { sink, send, node, until } = await openUp();
    await send({ brightness: 40, effect: 'Pulse', on: false }, { transitionMs: 2_000 });
    expect(node.wire).toHaveLength(1);
    await until(() => expect(sink.device(NODE_MAC).values.get('brightness')).toBe(40));
    expect(sink.device(NODE_MAC).values.get('on')).toBe(false);
    expect(sink.device(NODE_MAC).values.get('effect')).toBe('Pulse');
  });

  test('that changes nothing is done once the node has taken it', async () => {
    const { sink, send } = await openUp({ onCommand: () => [] });
    const reports = sink.calls.get('reportValues') ?? 0;
    await send({ 'x.mode': 'eco' });
    expect(sink.calls.get('reportValues')).toBe(reports + 1);
    await send({ 'x.mode': 'boost' });
    expect(sink.calls.get('reportValues')).toBe(reports + 1);
    expect(sink.device(NODE_MAC).values.get('x.mode')).toBe('eco');
  });

  test('starts an action with what it needs', async () => {
    const { send, node } = await openUp();
    await send({}, { action: 'press' });
    await send({ 'x.ring': { times: -2 } });
    const argument = Buffer.from('2803', 'hex');
    const service = fields({ 2: argument });
    putFixed(service, 1, 11);
    expect(node.wire[0]).toBe(`62:${Buffer.from(bytesOf(ofEntity(5))).toString('hex')}`);
    expect(Buffer.from((node.wire[1] ?? '').slice(3), 'hex').includes(argument)).toBe(true);
    await expect(send({ 'x.ring': { times: 1.5 } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(send({ 'x.ring': {} })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test.each([
    ['in clear', undefined],
    ['sealed', Buffer.alloc(32, 7)],
  ])('longer than a node can read is refused, and the connection %s stays', async (_how, key) => {
    const long = ofListed(12, { 1: 'show', 3: bytesOf(fields({ 1: 'texts', 2: 7 })) });
    const password = key?.toString('base64');
    const { sink, send, node } = await openUp(
      { listing: [...LISTING, [41, long]], ...(key && { key }) },
      password === undefined ? {} : { password },
    );
    const texts = (count: number) => ({ 'x.show': { texts: Array.from({ length: count }, () => 'x'.repeat(1_000)) } });
    await expect(send(texts(65))).rejects.toMatchObject({ code: 'COMMAND_FAILED', message: /32 KiB/ });
    expect(node.wire).toEqual([]);
    await send(texts(32));
    expect(node.wire).toHaveLength(1);
    expect(sink.statuses.at(-1)?.state).toBe('connected');
    expect(node.connections()).toBe(1);
  });

  test('with a text that is no time is refused and never sent', async () => {
    const { send, node } = await openUp();
    await expect(send({ 'x.wake_time': '25:00' })).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(node.wire).toEqual([]);
    await send({ 'x.wake_time': '06:15' });
    expect(node.wire).toHaveLength(1);
  });

  test('to a node without power fails, and the node is offline', async () => {
    const time = createManualTime();
    const { sink, send, node, until } = await openUp({}, { clock: time.clock, startTimer: time.startTimer });
    node.freeze();
    const sent = send({ on: true }).catch((cause: unknown) => cause);
    await time.advance(10_000);
    expect(await sent).toMatchObject({ code: 'INTEGRATION_DOWN' });
    await until(() => expect(sink.statuses.length).toBeGreaterThan(1));
  });
});

describe('what only a person can mend', () => {
  const key = randomBytes(32);

  test.each<[what: string, code: string, ...options: [NodeOptions, WorldOptions]]>([
    ['a node that got a key', 'KEY_NEEDED', { key }, {}],
    ['a node with another key', 'KEY_REFUSED', { key }, { password: randomBytes(32).toString('base64') }],
    ['a key that is none', 'KEY_REFUSED', { key }, { password: 'hello' }],
    ['a node that lost its key', 'NOT_ENCRYPTED', {}, { password: key.toString('base64') }],
    ['another node', 'OTHER_NODE', { mac: 'ffffffffffff' }, {}],
    ['another node with a key', 'OTHER_NODE', { mac: 'ffffffffffff', key }, { password: key.toString('base64') }],
  ])('%s needs it, and gets no command', async (_what, code, ...options) => {
    const { sink, send, node, untilState } = await openWorld(...options);
    await untilState('needs_action');
    expect(sink.statuses.at(-1)).toMatchObject({ code, message: expect.stringMatching(/\S/) });
    expect(sink.devices.size).toBe(0);
    await expect(send({ on: true })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    expect(node.wire).toEqual([]);
  });

  test('a node that becomes another one while the hub is connected is refused at the next connection', async () => {
    const { sink, node, untilState } = await openUp();
    node.become({ mac: 'ffffffffffff' });
    node.cut();
    // A connection that was short is tried again after a second.
    await untilState('needs_action');
    expect(sink.statuses.at(-1)?.code).toBe('OTHER_NODE');
    expect([...sink.devices.keys()]).toEqual([NODE_MAC, PART]);
  });

  test('a key that is changed while the hub is connected is asked for, and the old one opens nothing', async () => {
    const { sink, send, node, world, until, untilState } = await openUp({ key }, { password: key.toString('base64') });
    node.become({ key: randomBytes(32) });
    node.cut();
    await untilState('needs_action');
    expect(sink.statuses.at(-1)).toMatchObject({ code: 'KEY_REFUSED' });
    expect([...sink.devices.values()].map(({ availability }) => availability?.state)).toEqual(['offline', 'offline']);
    await expect(send({ on: true })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    expect(node.wire).toEqual([]);
    expect(world.lines.filter((line) => /^<[34]>/.test(line))).toHaveLength(1);
    // Who has made a mistake with it takes it back.
    node.become({ key });
    await until(() => expect(sink.statuses.at(-1)?.state).toBe('connected'));
    expect(sink.device(NODE_MAC).availability?.state).toBe('online');
  });
});

test('a node that resets every second is tried more and more seldom, and costs few lines of the log', async () => {
  const { clock, startTimer, advance, pendingMs } = createManualTime();
  const { node, world, untilState } = await openUp({}, { clock, startTimer });
  const waits = [1_000, 1_000, 2_000, 4_000, 8_000];
  for (const waitMs of waits) {
    await advance(1_000);
    node.cut();
    await untilState('error');
    expect(pendingMs()).toEqual([waitMs]);
    await advance(waitMs);
    await untilState('connected');
  }
  expect(node.connections()).toBe(1 + waits.length);
  expect(world.lines.filter((line) => /^<[34]>/.test(line))).toHaveLength(waits.length);
});

describe('a node that sleeps', () => {
  test('is asleep and no fault while it cannot be reached, also after a restart of the hub', async () => {
    const { sink, node, world, until, untilState } = await openUp({ deepSleep: true });
    await node.unplug();
    await untilState('connecting');
    expect(sink.device(NODE_MAC).availability).toEqual({ state: 'asleep', reason: 'asleep' });
    expect(sink.device(PART).availability).toEqual({ state: 'asleep', reason: 'asleep' });
    expect(sink.statuses.some(({ state }) => state === 'error')).toBe(false);
    expect(world.lines.filter((line) => /^<[34]>/.test(line))).toEqual([]);
    const next = createRecordingSink();
    await next.syncDevices([sink.device(NODE_MAC).description]);
    const abort = new AbortController();
    const running = world.create().run(next, abort.signal);
    await until(() => expect(next.device(NODE_MAC).availability?.state).toBe('asleep'));
    abort.abort();
    await running;
    await node.plug();
    await untilState('connected');
    expect(sink.device(NODE_MAC).availability?.state).toBe('online');
  });
});

test('a node that restarts with other entities is described anew', async () => {
  const { sink, node, until } = await openUp();
  node.become({ listing: LISTING.slice(0, 3), states: STATES.slice(0, 3) });
  node.cut();
  await until(() =>
    expect(sink.device(NODE_MAC).description.features.map(({ key }) => key)).toEqual([
      'effect',
      'brightness',
      'on',
      'temperature',
    ]),
  );
});

test('of a node that lists without end, the first entities are taken, and then it is given up', async () => {
  const sensors = (count: number) =>
    Array.from({ length: count }, (_, index) => [16, ofListed(index + 100, { 3: `Sensor ${index}` })] as const);
  const { sink, world } = await openUp({ listing: [...LISTING, ...sensors(2_000)] });
  expect(sink.device(NODE_MAC).description.features.length).toBeLessThan(410);
  expect(world.lines.join()).toMatch(/too many"?=1,?6/);
  const endless = await openWorld({ listing: sensors(6_000) });
  await endless.untilState('error');
  expect(endless.sink.statuses.at(-1)?.code).toBe('BAD_ANSWER');
});

test('thirty nodes are reached at once', async () => {
  const worlds = await Promise.all(Array.from({ length: 30 }, () => openUp({ key: KEY }, { password: KEY_TEXT })));
  for (const { sink } of worlds) expect(sink.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected']);
  expect(await Promise.all(worlds.map(({ send }) => send({ on: true })))).toEqual(Array(30).fill('device_ack'));
});

const KEY = Buffer.alloc(32, 7);
const KEY_TEXT = KEY.toString('base64');
