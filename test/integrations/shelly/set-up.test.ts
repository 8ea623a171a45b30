import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { shelly } from '#integrations/shelly/manifest.ts';
import { setUpShelly } from '#integrations/shelly/set-up.ts';
import type { ShellySettings } from '#integrations/shelly/shelly-settings.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { nextOf } from '#test/support/kinds/setup-talk.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';
import { SHELLY_MAC } from '#test/support/shelly/shelly-dumps.ts';
import { createShellyWorld } from '#test/support/shelly/shelly-world.ts';

type Options = { readonly password?: string; readonly found?: Omit<Discovery<ShellySettings>, 'settings'> };

async function openSetup({ password, found }: Options = {}) {
  const device = await startShellyDevice('plus1pm', password === undefined ? {} : { password });
  onTestFinished(device.close);
  const { host } = device;
  const { ports } = createShellyWorld(host);
  const { signal } = new AbortController();
  const talk = setUpShelly(found && { ...found, settings: { host } }, { ...ports, signal });
  return { device, host, next: nextOf(talk) };
}

test('a typed address leads to an instance with the name and identity of the device', async () => {
  const { host, next } = await openSetup();
  expect((await next()).step).toMatchObject({ type: 'form', values: {}, errors: [] });
  expect((await next({ host })).result).toEqual({
    uniqueId: SHELLY_MAC,
    name: 'Kettle',
    settings: { host, sleeps: false },
    secrets: {},
  });
});

test('a found device without a password asks nothing', async () => {
  const { next } = await openSetup({ found: { uniqueId: SHELLY_MAC, name: 'shellyplus1pm' } });
  expect((await next()).result).toMatchObject({ uniqueId: SHELLY_MAC, secrets: {} });
});

test('a password is asked for until it is right, and kept as a secret', async () => {
  const { next } = await openSetup({ password: 'swordfish', found: { uniqueId: SHELLY_MAC, name: 'shellyplus1pm' } });
  expect((await next()).step).toMatchObject({ type: 'form', fields: { password: { type: 'secret' } }, errors: [] });
  expect((await next({ password: 'guess' })).step).toMatchObject({
    errors: [{ pointer: '/password', message: 'is not the password of the device' }],
  });
  expect((await next({ password: 'swordfish' })).result).toMatchObject({ secrets: { password: 'swordfish' } });
});

test('a found device that is another one by now is not set up as the one found', async () => {
  const { host, next } = await openSetup({ found: { uniqueId: 'ffffffffffff', name: 'shellyplus1pm' } });
  expect((await next()).step).toMatchObject({
    values: { host },
    errors: [{ pointer: '/host', message: expect.stringMatching(/another device/) }],
  });
});

test.each<[string, string, RegExp]>([
  ['nothing', '127.0.0.1:9', /does not answer/],
  ['a public address', '203.0.113.7', /not an address in the home network/],
])('an address of %s is asked for again, with the reason', async (_what, host, message) => {
  const { next } = await openSetup();
  await next();
  const { step } = await next({ host });
  expect(step).toMatchObject({ values: { host }, errors: [{ message: expect.stringMatching(message) }] });
});

test.each<[string, JsonObject, RegExp]>([
  ['of the first generation', { type: 'SHSW-1', mac: SHELLY_MAC, auth: false }, /first generation/],
  ['that is no Shelly', { mac: SHELLY_MAC, gen: 'two' }, /not the address of a Shelly/],
])('a device %s is refused with the reason', async (_what, info, message) => {
  const { device, host, next } = await openSetup();
  device.setInfo(info);
  await next();
  const { step } = await next({ host });
  expect(step).toMatchObject({ errors: [{ message: expect.stringMatching(message) }] });
});

describe('a device that sleeps', () => {
  const openSleeper = async (given: { readonly isNowhere?: true } = {}) => {
    const device = await startShellyDevice('climate');
    onTestFinished(device.close);
    const { host } = device;
    const { ports } = createShellyWorld(host);
    const hubAddressFor = (peer: string): string | null =>
      peer === '127.0.0.1' && given.isNowhere !== true ? '127.0.0.1:8080' : null;
    const found = { uniqueId: SHELLY_MAC, name: 'shellyplusht', settings: { host } };
    const talk = setUpShelly(found, { ...ports, hubAddressFor, signal: new AbortController().signal });
    return { device, next: nextOf(talk) };
  };
  const URL = 'ws://127.0.0.1:8080/api/v1/shelly/socket';

  test('gets the address of the hub if the person agrees, and becomes an instance that waits for it', async () => {
    const { device, next } = await openSleeper();
    const { step } = await next();
    expect(step).toMatchObject({ type: 'choose', text: expect.stringContaining(URL) });
    expect(device.wire).toEqual([]);
    expect((await next({ option: 'write' })).result).toMatchObject({ settings: { sleeps: true } });
    const config = { enable: true, server: URL };
    expect(device.wire.map((line): unknown => JSON.parse(line))).toEqual([
      { method: 'Ws.SetConfig', params: { config } },
      { method: 'Shelly.Reboot', params: {} },
    ]);
    expect((await openAgain(device)).step).toBeUndefined();
  });

  const openAgain = async (device: Awaited<ReturnType<typeof startShellyDevice>>) => {
    const { ports } = createShellyWorld(device.host);
    const found = { uniqueId: SHELLY_MAC, name: 'shellyplusht', settings: { host: device.host } };
    const signal = new AbortController().signal;
    return nextOf(setUpShelly(found, { ...ports, hubAddressFor: () => '127.0.0.1:8080', signal }))();
  };

  test('is left as it is if the person wants that', async () => {
    const { device, next } = await openSleeper();
    await next();
    expect((await next({ option: 'leave' })).result).toMatchObject({ settings: { sleeps: true } });
    expect(device.wire).toEqual([]);
  });

  test('that refuses the setting is not set up', async () => {
    const { device, next } = await openSleeper();
    device.setRefusal(-103);
    await next();
    await expect(next({ option: 'write' })).rejects.toMatchObject({ code: 'not_taken' });
  });

  test('that cannot reach the hub is not set up', async () => {
    const { next } = await openSleeper({ isNowhere: true });
    await expect(next()).rejects.toMatchObject({ code: 'no_address' });
  });
});

describe('what is announced in the network', () => {
  const service: MdnsService = {
    name: 'shellyplus1pm-a0b0c0d0e010',
    type: '_shelly._tcp',
    host: 'shellyplus1pm-a0b0c0d0e010.local',
    port: 80,
    addresses: ['192.168.1.40'],
    txt: { gen: '2', app: 'Plus1PM', ver: '1.7.1' },
  };
  const identify = (change: Partial<MdnsService>) => shelly.discovery?.identify({ ...service, ...change });

  test('is found with its identity and address', () => {
    expect(identify({})).toEqual({
      uniqueId: 'a0b0c0d0e010',
      name: 'shellyplus1pm-a0b0c0d0e010',
      settings: { host: '192.168.1.40' },
    });
    expect(identify({ port: 8_080, addresses: ['fd00::1'] })).toMatchObject({ settings: { host: '[fd00::1]:8080' } });
  });

  test.each<[string, Partial<MdnsService>]>([
    ['without an address', { addresses: [] }],
    ['with the name of something else', { name: 'printer' }],
    ['of the first generation', { txt: { gen: '1' } }],
    ['that says no generation', { txt: {} }],
  ])('%s is left alone', (_what, change) => {
    expect(identify(change)).toBeUndefined();
  });
});
