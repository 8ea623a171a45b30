import { expect, onTestFinished, test } from 'vitest';
import type { Discovery } from '#core/integration/instance.ts';
import { SetupFailure, type SetupStep } from '#core/integration/setup-step.ts';
import type { HueSettings } from '#integrations/hue/hue-settings.ts';
import { hue } from '#integrations/hue/manifest.ts';
import { setUpHue } from '#integrations/hue/set-up.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { type HueBridge, startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { createHueWorld } from '#test/support/hue/hue-world.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';

async function openSetup(found?: (bridge: HueBridge) => Discovery<HueSettings>, factor = 1) {
  const bridge = await startHueBridge();
  onTestFinished(bridge.close);
  const abort = new AbortController();
  const world = createHueWorld(bridge, createFastTime(factor));
  const talk = setUpHue(found?.(bridge), { ...world.ports, signal: abort.signal });
  /** Goes on to the next step that a person sees, or the end. */
  const next = async (answer: Record<string, string | boolean> = {}) => {
    for (let step = await talk.next(answer); ; step = await talk.next({})) {
      if (step.done === true) return { result: step.value };
      if (step.value.type !== 'busy') return { step: step.value };
    }
  };
  const shown = async (answer?: Record<string, string | boolean>): Promise<SetupStep | undefined> =>
    (await next(answer)).step;
  return { bridge, world, talk, abort, next, shown };
}

const foundAt = (bridge: HueBridge): Discovery<HueSettings> => ({
  uniqueId: bridge.bridgeId,
  name: 'Hue Bridge - 01A0B0',
  settings: { host: bridge.host },
});

test('a typed address leads to the button, and the button to an instance with a pinned certificate', async () => {
  const { bridge, next, shown } = await openSetup();
  const form = await shown();
  expect(form).toMatchObject({ type: 'form', errors: [], values: { take_rooms: true } });
  expect(Object.keys(form?.type === 'form' ? form.fields : {})).toEqual(['host', 'take_rooms']);
  expect(await shown({ host: bridge.host, take_rooms: false })).toMatchObject({
    type: 'act',
    text: expect.stringMatching(/button/),
  });
  expect(await shown()).toMatchObject({ type: 'act' });
  await bridge.act('link');
  const { result } = await next();
  const { keys } = await bridge.state();
  expect(result).toEqual({
    uniqueId: bridge.bridgeId,
    name: 'Hue Bridge',
    settings: { host: bridge.host, take_rooms: false, fingerprint: bridge.fingerprint },
    secrets: { key: keys.at(-1) },
  });
  expect(result?.secrets['key']).not.toBe(bridge.key);
});

test('a found bridge asks for no address', async () => {
  const { shown } = await openSetup(foundAt);
  const form = await shown();
  expect(Object.keys(form?.type === 'form' ? form.fields : {})).toEqual(['take_rooms']);
  expect(await shown({ take_rooms: true })).toMatchObject({ type: 'act' });
});

test('a button that nobody presses can be tried again', async () => {
  const { bridge, next, shown } = await openSetup(foundAt, 600);
  await shown();
  let step = await shown({ take_rooms: true });
  while (step?.type === 'act') step = await shown();
  expect(step).toMatchObject({ type: 'choose', options: [{ id: 'again' }] });
  expect(await shown({ option: 'again' })).toMatchObject({ type: 'act' });
  await bridge.act('link');
  expect((await next()).result?.uniqueId).toBe(bridge.bridgeId);
});

test.each<[string, (bridge: HueBridge) => Promise<string> | string, RegExp]>([
  ['nothing', () => '127.0.0.1:9', /does not answer/],
  ['a public address', () => '203.0.113.7', /not an address in the home network/],
  [
    'a bridge of the first generation',
    async (bridge) => {
      await bridge.act('model', { model: 'BSB001' });
      return bridge.host;
    },
    /first generation/,
  ],
])('an address of %s is asked for again, with the reason', async (_what, make, message) => {
  const { bridge, shown } = await openSetup();
  await shown();
  const host = await make(bridge);
  const again = await shown({ host, take_rooms: true });
  expect(again).toMatchObject({
    type: 'form',
    values: { host },
    errors: [{ pointer: '/host', message: expect.stringMatching(message) }],
  });
  await bridge.act('model');
  expect(await shown({ host: bridge.host, take_rooms: true })).toMatchObject({ type: 'act' });
});

test('a found bridge that is another one by now is not set up as the one found', async () => {
  const { bridge, shown } = await openSetup((found) => ({ ...foundAt(found), uniqueId: '001788fffe99c0de' }));
  await shown();
  const again = await shown({ take_rooms: true });
  expect(again).toMatchObject({
    type: 'form',
    errors: [{ message: expect.stringMatching(/another bridge/) }],
    values: { host: bridge.host },
  });
});

test('a bridge that changes its certificate before the button gets no further', async () => {
  const { bridge, next, shown } = await openSetup(foundAt);
  await shown();
  await shown({ take_rooms: true });
  await bridge.act('link');
  await bridge.act('certificate', { name: 'other' });
  await expect(next()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
});

test('a bridge with old software says what to do', async () => {
  const { bridge, next, shown } = await openSetup(foundAt);
  await bridge.act('model', { isOld: true });
  await shown();
  await shown({ take_rooms: true });
  await bridge.act('link');
  const failure = await next().catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(SetupFailure);
  expect(failure).toMatchObject({ code: 'bridge_too_old', message: expect.stringMatching(/Update it/) });
});

test('a set-up that is ended while it waits leaves nothing', async () => {
  const { world, talk, abort, shown } = await openSetup(foundAt);
  await shown();
  await shown({ take_rooms: true });
  const going = talk.next({});
  abort.abort();
  await Promise.allSettled([going, talk.return(undefined as never)]);
  expect(world.open()).toBe(0);
});

const SERVICE: MdnsService = {
  name: 'Hue Bridge - 01A0B0',
  type: '_hue._tcp',
  host: 'bridge.local',
  port: 443,
  addresses: ['192.168.1.20', 'fe80::1%eth0'],
  txt: { bridgeid: '001788FFFE01A0B0', modelid: 'BSB002' },
};

test.each<[string, Partial<MdnsService>, boolean]>([
  ['a bridge', {}, true],
  ['no id', { txt: {} }, false],
  ['an id that is none', { txt: { bridgeid: '<b>' } }, false],
  ['no address', { addresses: [] }, false],
])('an announcement with %s', (_what, change, isOne) => {
  const found = hue.discovery?.identify({ ...SERVICE, ...change });
  const expected = { uniqueId: '001788fffe01a0b0', name: SERVICE.name, settings: { host: '192.168.1.20' } };
  expect(found).toEqual(isOne ? expected : undefined);
});

test('the manifest loads the code only when it is asked to', async () => {
  expect(Object.keys(await hue.load())).toEqual(['create', 'setUp']);
});
