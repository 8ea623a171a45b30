import { expect, onTestFinished, test } from 'vitest';
import type { Discovery } from '#core/integration/instance.ts';
import type { SetupStep } from '#core/integration/setup-step.ts';
import { wled } from '#integrations/wled/manifest.ts';
import { wledCode } from '#integrations/wled/wled.ts';
import type { WledSettings } from '#integrations/wled/wled-settings.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { startWledLight, WLED_MAC } from '#test/support/wled/wled-light.ts';
import { createWledWorld } from '#test/support/wled/wled-world.ts';

async function openSetup(makeFound?: (host: string) => Discovery<WledSettings>) {
  const light = await startWledLight('strip');
  onTestFinished(light.close);
  const world = createWledWorld(light.host);
  const { signal } = new AbortController();
  const talk = wledCode.setUp(makeFound?.(light.host), { ...world.ports, signal });
  /** Goes on to the next step that a person sees, or the end. */
  const next = async (answer: Record<string, string> = {}) => {
    for (let step = await talk.next(answer); ; step = await talk.next({})) {
      if (step.done === true) return { result: step.value };
      if (step.value.type !== 'busy') return { step: step.value satisfies SetupStep };
    }
  };
  return { light, next };
}

const foundAt = (host: string): Discovery<WledSettings> => ({
  uniqueId: WLED_MAC,
  name: 'WLED-Strip',
  settings: { host },
});

test('a typed address leads to an instance with the name and identity of the light', async () => {
  const { light, next } = await openSetup();
  expect((await next()).step).toMatchObject({ type: 'form', values: {}, errors: [] });
  expect((await next({ host: light.host })).result).toEqual({
    uniqueId: WLED_MAC,
    name: 'Strip',
    settings: { host: light.host },
    secrets: {},
  });
});

test('a found light asks nothing', async () => {
  const { next } = await openSetup(foundAt);
  expect((await next()).result).toMatchObject({ uniqueId: WLED_MAC, name: 'Strip' });
});

test('a found light that is another one by now is not set up as the one found', async () => {
  const { light, next } = await openSetup((host) => ({ ...foundAt(host), uniqueId: 'ffffffffffff' }));
  expect((await next()).step).toMatchObject({
    values: { host: light.host },
    errors: [{ pointer: '/host', message: expect.stringMatching(/another light/) }],
  });
});

test.each<[string, string, RegExp]>([
  ['nothing', '127.0.0.1:9', /does not answer/],
  ['a public address', '203.0.113.7', /not an address in the home network/],
])('an address of %s is asked for again, with the reason', async (_what, host, message) => {
  const { light, next } = await openSetup();
  await next();
  const { step } = await next({ host });
  expect(step).toMatchObject({ values: { host }, errors: [{ message: expect.stringMatching(message) }] });
  expect((await next({ host: light.host })).result?.uniqueId).toBe(WLED_MAC);
});

test.each<[string, Parameters<Awaited<ReturnType<typeof startWledLight>>['setFault']>[0], RegExp]>([
  ['is no light', { answer: '<html>' }, /not the address of a WLED light/],
  ['sends another JSON', { answer: '{"state":{"on":true},"info":{}}' }, /not the address of a WLED light/],
  ['is busy', { busy: 9 }, /try again/],
])('what %s is not set up', async (_what, fault, message) => {
  const { light, next } = await openSetup();
  await next();
  light.setFault(fault);
  expect((await next({ host: light.host })).step).toMatchObject({
    errors: [{ message: expect.stringMatching(message) }],
  });
});

const SERVICE: MdnsService = {
  name: 'WLED-Strip',
  type: '_wled._tcp',
  host: 'wled.local',
  port: 80,
  addresses: ['192.168.1.30'],
  txt: { mac: 'A0B0C0D1E010' },
};

test.each<[string, Partial<MdnsService>, string | undefined]>([
  ['a light', {}, '192.168.1.30'],
  ['another port', { port: 8080 }, '192.168.1.30:8080'],
  ['an address of IPv6 and a port', { addresses: ['fd00::7'], port: 8080 }, '[fd00::7]:8080'],
  ['no identity', { txt: {} }, undefined],
  ['an identity that is none', { txt: { mac: '<b>' } }, undefined],
  ['no address', { addresses: [] }, undefined],
])('an announcement with %s', (_what, change, host) => {
  const found = wled.discovery?.identify({ ...SERVICE, ...change });
  expect(found).toEqual(
    host === undefined ? undefined : { uniqueId: WLED_MAC, name: SERVICE.name, settings: { host } },
  );
});
