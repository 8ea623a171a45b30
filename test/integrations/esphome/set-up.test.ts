import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Discovery } from '#core/integration/instance.ts';
import type { SetupStep } from '#core/integration/setup-step.ts';
import type { EsphomeSettings } from '#integrations/esphome/esphome-settings.ts';
import { esphome } from '#integrations/esphome/manifest.ts';
import { setUpEsphome } from '#integrations/esphome/set-up.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { NODE_MAC, startEsphomeNode } from '#test/support/esphome/esphome-node.ts';
import { createEsphomeWorld } from '#test/support/esphome/esphome-world.ts';

type Options = {
  readonly node?: Parameters<typeof startEsphomeNode>[0];
  readonly found?: Omit<Discovery<EsphomeSettings>, 'settings'>;
};

const FOUND = { uniqueId: NODE_MAC, name: 'testnode' };

async function openSetup({ node: options = {}, found }: Options = {}) {
  const node = await startEsphomeNode(options);
  onTestFinished(node.close);
  const { host } = node;
  const world = createEsphomeWorld(host);
  const { signal } = new AbortController();
  const talk = setUpEsphome(found && { ...found, settings: { host } }, { ...world.ports, signal });
  /** Goes on to the next step that a person sees, or the end. */
  const next = async (answer: Record<string, string> = {}) => {
    for (let step = await talk.next(answer); ; step = await talk.next({})) {
      if (step.done === true) return { result: step.value };
      if (step.value.type !== 'busy') return { step: step.value satisfies SetupStep };
    }
  };
  return { node, host, next, world };
}

test('a typed address leads to an instance with the name and identity of the node', async () => {
  const { host, next } = await openSetup();
  expect((await next()).step).toMatchObject({ type: 'form', values: {}, errors: [] });
  expect((await next({ host })).result).toEqual({
    uniqueId: NODE_MAC,
    name: 'Test Node',
    settings: { host, mac: NODE_MAC, take_rooms: true },
    secrets: {},
  });
});

test('a found node with a key asks for it until it is right, and keeps it as a secret', async () => {
  const key = randomBytes(32);
  const { next } = await openSetup({ node: { key }, found: FOUND });
  expect((await next()).step).toMatchObject({ type: 'form', fields: { key: { type: 'secret' } }, errors: [] });
  expect((await next({ key: 'guess' })).step).toMatchObject({ errors: [{ message: expect.stringMatching(/no key/) }] });
  expect((await next({ key: randomBytes(32).toString('base64') })).step).toMatchObject({
    errors: [{ pointer: '/key', message: 'is not the key of the node' }],
  });
  const text = key.toString('base64');
  expect((await next({ key: ` ${text} ` })).result).toMatchObject({ secrets: { key: text }, uniqueId: NODE_MAC });
});

describe('a node that has no key and takes one', () => {
  test('gets the key that the person has seen', async () => {
    const { next, node } = await openSetup({ node: { takesKey: true }, found: FOUND });
    expect((await next()).step).toMatchObject({ type: 'choose', options: [{ id: 'set' }, { id: 'leave' }] });
    const { step } = await next({ option: 'set' });
    if (step?.type !== 'show') throw new Error('no key is shown');
    expect(node.key()).toBeUndefined();
    const { result } = await next();
    expect(result).toMatchObject({ secrets: { key: step.code } });
    expect(Buffer.from(node.key() ?? []).toString('base64')).toBe(step.code);
  });

  test('stays open if the person wants that', async () => {
    const { next, node } = await openSetup({ node: { takesKey: true }, found: FOUND });
    await next();
    expect((await next({ option: 'leave' })).result).toMatchObject({ secrets: {} });
    expect(node.key()).toBeUndefined();
  });

  test('that got another key meanwhile ends the set-up with the reason', async () => {
    const { next, node } = await openSetup({ node: { takesKey: true }, found: FOUND });
    await next();
    await next({ option: 'set' });
    node.become({ key: randomBytes(32) });
    await expect(next()).rejects.toMatchObject({ code: 'key_not_taken' });
  });
});

test('a found node that is another one by now is not set up as the one found', async () => {
  const { host, next } = await openSetup({ found: { ...FOUND, uniqueId: 'ffffffffffff' } });
  expect((await next()).step).toMatchObject({
    values: { host },
    errors: [{ pointer: '/host', message: expect.stringMatching(/another node/) }],
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

test('no connection is left after a set-up', async () => {
  const { next, world, host } = await openSetup();
  await next();
  await next({ host });
  await expect.poll(() => world.open()).toBe(0);
});

describe('what is announced in the network', () => {
  const service: MdnsService = {
    name: 'kitchen-node',
    type: '_esphomelib._tcp',
    host: 'kitchen-node.local',
    port: 6_053,
    addresses: ['192.168.1.50'],
    txt: { mac: NODE_MAC, friendly_name: 'Kitchen', version: '2026.6.5' },
  };
  const identify = (change: Partial<MdnsService>) => esphome.discovery?.identify({ ...service, ...change });

  test('is found with its identity and address', () => {
    expect(identify({})).toEqual({
      uniqueId: NODE_MAC,
      name: 'Kitchen',
      settings: { host: '192.168.1.50', mac: NODE_MAC },
    });
    expect(identify({ port: 16_053, addresses: ['fd00::1'], txt: { mac: NODE_MAC.toUpperCase() } })).toEqual({
      uniqueId: NODE_MAC,
      name: 'kitchen-node',
      settings: { host: '[fd00::1]:16053', mac: NODE_MAC },
    });
  });

  test.each<[string, Partial<MdnsService>]>([
    ['without an address', { addresses: [] }],
    ['without a MAC', { txt: {} }],
    ['with something else for a MAC', { txt: { mac: '../../etc' } }],
  ])('%s is left alone', (_what, change) => {
    expect(identify(change)).toBeUndefined();
  });
});
