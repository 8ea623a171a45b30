import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { zwave } from '#integrations/zwave/manifest.ts';
import { setUpZwave } from '#integrations/zwave/zwave.ts';
import type { ZwaveSettings } from '#integrations/zwave/zwave-settings.ts';
import { NETWORK_ID, startZwaveServer } from '#test/support/zwave/zwave-server.ts';
import { createZwaveWorld } from '#test/support/zwave/zwave-world.ts';

const SERVICE = {
  name: '2119630914',
  type: '_zwave-js-server._tcp',
  host: 'pi.local',
  port: 3_000,
  addresses: ['192.168.1.30'],
  txt: { homeid: '2119630914' },
};

function openSetUp(host: string, found?: Discovery<ZwaveSettings>) {
  const world = createZwaveWorld(host);
  onTestFinished(world.close);
  const steps = setUpZwave(found, { ...world.ports, signal: new AbortController().signal });
  /** The next step that a person sees, or the result. */
  const next = async (answer: JsonObject = {}) => {
    let step = await steps.next(answer);
    while (step.done !== true && step.value.type === 'busy') step = await steps.next({});
    return step.value;
  };
  return { next, open: world.open };
}

test('a server is set up by its address alone, and leaves no connection behind', async () => {
  const server = await startZwaveServer();
  onTestFinished(server.close);
  const { next, open } = openSetUp(server.host);
  expect(await next()).toMatchObject({ type: 'form' });
  expect(await next({ host: server.host })).toEqual({
    uniqueId: NETWORK_ID,
    name: `Z-Wave ${NETWORK_ID}`,
    settings: { host: server.host, take_rooms: true },
    secrets: {},
  });
  expect(open()).toBe(0);
});

test.each<[string, readonly [number, number], string]>([
  ['too old', [0, 31], 'is that of a server that is too old: update it'],
  ['too new', [51, 60], 'is that of a server that is too new for this hub: update the hub'],
])('a server that is %s is refused with a reason', async (_what, schemas, message) => {
  const server = await startZwaveServer({ schemas });
  onTestFinished(server.close);
  const { next } = openSetUp(server.host);
  await next();
  expect(await next({ host: server.host })).toMatchObject({ errors: [{ pointer: '/host', message }] });
});

test('what is no such server, does not answer or has another network is refused with a reason', async () => {
  const server = await startZwaveServer();
  onTestFinished(server.close);
  const { next } = openSetUp(server.host, {
    uniqueId: '00000001',
    name: 'Stick',
    settings: { host: server.host, take_rooms: true },
  });
  expect(await next()).toMatchObject({
    errors: [{ message: 'is the address of another Z-Wave network than the one found' }],
  });
  await server.unplug();
  expect(await next({ host: server.host })).toMatchObject({ errors: [{ message: 'does not answer' }] });
  expect(await next({ host: '192.0.2.1' })).toMatchObject({
    errors: [{ message: 'is not an address in the home network' }],
  });
});

test.each<[string, Partial<typeof SERVICE>, unknown]>([
  ['at its port', {}, { uniqueId: NETWORK_ID, settings: { host: '192.168.1.30' } }],
  ['at another', { port: 3_001 }, { settings: { host: '192.168.1.30:3001' } }],
  ['at an address with a zone', { addresses: ['fe80::1%eth0'], port: 9 }, { settings: { host: '[fe80::1%eth0]:9' } }],
])('a server that announces itself is found %s', (_where, change, expected) => {
  expect(zwave.discovery?.identify({ ...SERVICE, ...change })).toMatchObject(expected as object);
});

test.each([
  { txt: { homeid: 'x' } },
  { txt: { homeid: '99999999999' } },
  { txt: { homeid: '4294967296' } },
  { addresses: [] },
])('what announces itself with %j is none', (change) => {
  expect(zwave.discovery?.identify({ ...SERVICE, ...change })).toBeUndefined();
});
