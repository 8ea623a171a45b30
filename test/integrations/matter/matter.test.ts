import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { MatterNode } from '#integrations/matter/matter-node.ts';
import { createMatterWorld, type MatterWorld } from '#test/support/matter/matter-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/matter');
const read = (name: string): MatterNode => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as MatterNode;
const COMPOSED = read('composed-node.json');
const BRIDGE: MatterNode = { ...read('bridge-node.json'), nodeId: '2' };
/** A device that joins over the network has the first, one that needs a phone the second. */
const CODE = '34970112332';
const BY_PHONE = 'MT:Y.K9042C00KA0648G00';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function start(world: MatterWorld, sink = createRecordingSink()) {
  const integration = world.create();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  cleanups.push(async () => {
    abort.abort();
    await running;
  });
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'));
  return { sink, integration };
}

const nothing = { externalId: null, seconds: null, detail: null };

test('a code goes to the program once, and a second one waits for the end of the first', async () => {
  const world = createMatterWorld([]);
  const { sink, integration } = await start(world);
  await expect(integration.pairByCode?.('34970112333')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await integration.pairByCode?.(CODE)).toBe(240);
  await expect(integration.pairByCode?.(CODE)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await vi.waitFor(() => expect(world.commissions).toHaveLength(1));
  for (const step of ['searching', 'found', 'attesting', 'joining', 'reading'] as const) {
    world.say({ type: 'commissioning', step });
  }
  world.say({ type: 'commissioned', node: COMPOSED });
  await vi.waitFor(() => expect(sink.pairing.at(-1)?.step).toBe('closed'));
  expect(sink.pairing).toEqual([
    { ...nothing, step: 'opened', seconds: 240 },
    { ...nothing, step: 'device_found', detail: { step: 'found' } },
    ...['attesting', 'joining', 'reading'].map((step) => ({ ...nothing, step: 'interview_started', detail: { step } })),
    { ...nothing, step: 'interview_done', externalId: COMPOSED.nodeId },
    { ...nothing, step: 'closed' },
  ]);
  expect(sink.device(COMPOSED.nodeId).description.manufacturer).toBe('Test peer');
  expect(await integration.pairByCode?.(CODE)).toBe(240);
});

test.each([
  [CODE, 'not_found', 'not_found'],
  [BY_PHONE, 'not_found', 'no_network'],
  [CODE, 'wrong_code', 'wrong_code'],
] as const)('the code %s that ends with %s shows as %s', async (code, fault, told) => {
  const world = createMatterWorld([]);
  const { sink, integration } = await start(world);
  await integration.pairByCode?.(code);
  world.say({ type: 'not_commissioned', fault, detail: 'inner words' });
  await vi.waitFor(() => expect(sink.pairing.at(-1)?.step).toBe('closed'));
  expect(sink.pairing.at(-2)).toMatchObject({ step: 'interview_failed', detail: { code: told } });
});

test('it is stopped by a person, and by the end of the program', async () => {
  const world = createMatterWorld([]);
  const { sink, integration } = await start(world);
  await integration.pairByCode?.(CODE);
  await integration.openPairing?.(0);
  await vi.waitFor(() => expect(sink.pairing.at(-2)).toMatchObject({ detail: { code: 'cancelled' } }));
  await integration.pairByCode?.(CODE);
  world.kill();
  await vi.waitFor(() => expect(sink.pairing.at(-2)).toMatchObject({ detail: { code: 'failed' } }));
  await expect(integration.pairByCode?.(CODE)).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
});

test('a device that takes too long is given up at the program, too, before another one begins', async () => {
  const time = createManualTime();
  const world = createMatterWorld([], time.startTimer);
  const { sink, integration } = await start(world);
  world.start.isMute = true;
  await integration.pairByCode?.(CODE);
  await time.advance(240_000);
  expect(world.cancels()).toBe(1);
  await expect(integration.pairByCode?.(CODE)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  world.say({ type: 'not_commissioned', fault: 'cancelled', detail: '' });
  await vi.waitFor(() => expect(sink.pairing.at(-2)).toMatchObject({ detail: { code: 'timed_out' } }));
  await integration.pairByCode?.(CODE);
  await time.advance(255_000);
  expect(sink.pairing.at(-2)).toMatchObject({ detail: { code: 'timed_out' } });
});

test('a thousand wrong codes begin nothing, and a thousand that could be right one search', async () => {
  const world = createMatterWorld([]);
  const { sink, integration } = await start(world);
  const tried = new Set<string>();
  const tries = async (codeOf: (at: number) => string): Promise<void> => {
    for (let at = 0; at < 1_000; at += 1) {
      await integration.pairByCode?.(codeOf(at)).catch(({ code }: { readonly code: string }) => tried.add(code));
    }
  };
  await tries((at) => `3497011${String(at).padStart(3, '0')}x`);
  await tries((at) => `349701${String(at).padStart(4, '0')}`);
  expect([[...tried], sink.pairing]).toEqual([['VALIDATION_FAILED'], []]);
  tried.clear();
  await tries(() => CODE);
  expect([[...tried], sink.pairing.map(({ step }) => step)]).toEqual([['NOT_SUPPORTED'], ['opened']]);
  await vi.waitFor(() => expect(world.commissions).toHaveLength(1));
});

test('what the program said before its end counts no more after it', async () => {
  const world = createMatterWorld([COMPOSED]);
  const recording = createRecordingSink();
  let isHeld = false;
  let goOn: (isSynced: boolean) => void = () => undefined;
  const syncDevices: typeof recording.syncDevices = async (list) => {
    await recording.syncDevices(list);
    return isHeld ? new Promise((resolve) => (goOn = resolve)) : true;
  };
  const { sink } = await start(world, { ...recording, syncDevices });
  const { nodeId } = COMPOSED;
  isHeld = true;
  const calls = sink.calls.get('syncDevices') ?? 0;
  world.say({ type: 'started', nodes: [COMPOSED] });
  world.say({ type: 'reach', nodeId, reach: 'online' });
  await vi.waitFor(() => expect(sink.calls.get('syncDevices')).toBe(calls + 1));
  world.kill();
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.code).toBe('NODE_DOWN'));
  goOn(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sink.statuses.at(-1)?.code).toBe('NODE_DOWN');
  expect(sink.device(nodeId).availability).toEqual({ state: 'unknown', reason: 'integration_down' });
});

test('without its keys it says that its devices have to be added again', async () => {
  const world = createMatterWorld([]);
  world.known.add('1');
  const { sink } = await start(world);
  expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: 'MATTER_KEYS_LOST' });
  world.file.text = 'not what was written';
  const damaged = await start(world);
  expect(damaged.sink.statuses.at(-1)?.code).toBe('MATTER_KEYS_LOST');
  expect(world.file.aside).toEqual(['not what was written']);
});

test('the status says that the disk takes no keys until it does', async () => {
  const world = createMatterWorld([]);
  const { sink } = await start(world);
  world.file.isFull = true;
  world.say({ type: 'keep', seq: 1, text: '{}' });
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.code).toBe('MATTER_NOT_KEPT'));
  world.file.isFull = false;
  world.say({ type: 'keep', seq: 2, text: '{}' });
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.code).toBeNull());
  expect(world.file.text).toContain('sha256');
});

test('a home that cannot start says so and that it is tried again, and is, after pauses that grow', async () => {
  const time = createManualTime();
  const world = createMatterWorld([], time.startTimer);
  const { sink } = await start(world);
  const starts = (): number => sink.statuses.filter(({ state }) => state === 'connecting').length;
  world.start.isHeld = true;
  const fail = async (afterMs: number): Promise<void> => {
    const before = starts();
    world.say({ type: 'failed', code: 'PORT_IN_USE', message: '192.168.62.1 port 5541 is in use' });
    expect(sink.statuses.at(-1)).toEqual({
      state: 'error',
      code: 'PORT_IN_USE',
      message: '192.168.62.1 port 5541 is in use. The hub tries again by itself',
    });
    await time.advance(afterMs - 1);
    expect(starts()).toBe(before);
    await time.advance(1);
    await vi.waitFor(() => expect(starts()).toBe(before + 1));
  };
  for (const afterMs of [10_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) await fail(afterMs);
  world.start.isHeld = false;
  world.say({ type: 'failed', code: 'PORT_IN_USE', message: '' });
  await time.advance(300_000);
  await vi.waitFor(() => expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: null }));
  world.start.isHeld = true;
  await fail(10_000);
});

test('a device behind a bridge is not removed here, and the bridge takes all of its devices along', async () => {
  const world = createMatterWorld([BRIDGE]);
  const { sink, integration } = await start(world);
  const part = [...sink.devices.keys()].find((id) => id !== BRIDGE.nodeId);
  await expect(integration.removeDevice?.(part ?? '', false)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await expect(integration.removeDevice?.('nobody', false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  world.disk.isFull = true;
  await expect(integration.removeDevice?.(BRIDGE.nodeId, false)).rejects.toThrow('The disk of the hub is full');
  world.disk.isFull = false;
  await integration.removeDevice?.(BRIDGE.nodeId, false);
  expect(sink.devices.size).toBe(0);
});

test('before it is removed, all devices lose the keys of this home but those that do not answer', async () => {
  const unread: MatterNode = { nodeId: '3', endpoints: [] };
  const world = createMatterWorld([COMPOSED, BRIDGE, unread]);
  const { sink, integration } = await start(world);
  await integration.pairByCode?.(CODE);
  world.silent.add(BRIDGE.nodeId).add(unread.nodeId);
  const left = [...sink.devices.keys()].filter((id) => id !== COMPOSED.nodeId);
  expect(await integration.dismissDevices?.()).toEqual([BRIDGE.nodeId, unread.nodeId]);
  expect([...sink.devices.keys()]).toEqual(left);
  expect(sink.pairing.at(-2)).toMatchObject({ step: 'interview_failed', detail: { code: 'cancelled' } });
  world.silent.clear();
  expect(await integration.dismissDevices?.()).toEqual([]);
  expect(sink.devices.size).toBe(0);
  world.kill();
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.code).toBe('NODE_DOWN'));
  await expect(integration.dismissDevices?.()).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
});

test('a removal that nobody answers is over after a minute', async () => {
  const time = createManualTime();
  const world = createMatterWorld([COMPOSED], time.startTimer);
  const { sink, integration } = await start(world);
  world.unanswered.add(COMPOSED.nodeId);
  const removed = integration.removeDevice?.(COMPOSED.nodeId, true).catch(({ code }: { code: string }) => code);
  const dismissed = integration.dismissDevices?.();
  await time.advance(60_000);
  expect([await removed, await dismissed]).toEqual(['COMMAND_FAILED', [COMPOSED.nodeId]]);
  expect(sink.devices.size).toBe(1);
});

test('a device that cannot be reached gets no command, and is gone when it leaves by itself', async () => {
  const world = createMatterWorld([COMPOSED]);
  const { sink, integration } = await start(world);
  const on = { externalId: COMPOSED.nodeId, set: new Map([['on', true]]), action: null, transitionMs: null };
  world.say({ type: 'reach', nodeId: COMPOSED.nodeId, reach: 'offline' });
  await vi.waitFor(() => expect(sink.device(COMPOSED.nodeId).availability?.state).toBe('offline'));
  await expect(integration.sendCommand(on)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  expect(world.wire).toEqual([]);
  world.say({ type: 'gone', nodeId: COMPOSED.nodeId });
  await vi.waitFor(() => expect(sink.devices.size).toBe(0));
});

test('a clock gets the time when it answers, when it answers again, and when the clock of the hub is set', async () => {
  const [root, ...parts] = COMPOSED.endpoints;
  if (root === undefined) throw new Error('the fixture has no root');
  const commands = { ...root.commands, timeSynchronization: ['setUtcTime'] };
  const clock = { ...COMPOSED, endpoints: [{ ...root, commands }, ...parts] };
  const world = createMatterWorld([clock]);
  const { nodeId } = clock;
  await start(world);
  const told = (): number => world.wire.filter((ask) => JSON.stringify(ask).includes('setUtcTime')).length;
  // Nobody has set the clock of the hub.
  world.say({ type: 'reach', nodeId, reach: 'online' });
  await vi.waitFor(() => expect(world.local.followers.size).toBe(1));
  expect(told()).toBe(0);
  world.local.now = { ...world.local.now, nowMs: Date.UTC(2026, 10, 23) };
  for (const hear of world.local.followers) hear({ type: 'clock.changed' } as Parameters<typeof hear>[0]);
  await vi.waitFor(() => expect(told()).toBe(1));
  world.say({ type: 'reach', nodeId, reach: 'offline' });
  world.say({ type: 'reach', nodeId, reach: 'online' });
  await vi.waitFor(() => expect(told()).toBe(2));
  // One that sleeps each minute would be kept awake by it.
  const wake = (): void => {
    for (const reach of ['asleep', 'online'] as const) world.say({ type: 'reach', nodeId, reach });
  };
  wake();
  world.local.now = { ...world.local.now, nowMs: Date.UTC(2026, 10, 24) };
  wake();
  await vi.waitFor(() => expect(told()).toBe(3));
});
