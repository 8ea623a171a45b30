import { beforeEach, describe, expect, test } from 'vitest';
import type { FoundThing } from '#core/integration/found-thing.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { type Discoveries, openDiscoveries } from '#integrations/discoveries.ts';
import type { MdnsChange, MdnsService } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createToyWorld, toyKind } from '#test/support/kinds/toy-kind.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const kind = toyKind(createToyWorld());

/** The network, the disk and the instances around the discoveries. */
async function openNetwork(given: { readonly ignored?: readonly string[] } = {}) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const told: [name: string, isGone: boolean][] = [];
  const met: Discovery[] = [];
  const disk = { ignored: given.ignored ?? [], fails: false };
  /** The instance of each unique id. */
  const instances = new Map<string, string>();
  const watchers = new Set<(change: MdnsChange) => void>();
  let ids = 0;
  const discoveries = await openDiscoveries({
    kinds: [kind, { ...kind, id: 'silent', discovery: { mdns: [], identify: () => undefined } }],
    browse: (type, onChange, signal) => {
      expect(type).toBe('_toy._tcp');
      watchers.add(onChange);
      signal.addEventListener('abort', () => watchers.delete(onChange));
    },
    rules: {
      isLanAddress: (address) => address.startsWith('192.168.') || address.startsWith('127.'),
      isOwnAddress: (address) => address.startsWith('127.') || address === '192.168.1.1',
    },
    meet: async (_kind, found) => {
      met.push(found);
      return instances.get(found.uniqueId ?? '');
    },
    store: {
      load: async () => disk.ignored,
      save: async (ignored) => {
        if (disk.fails) throw new Error('the disk is full');
        disk.ignored = ignored;
      },
    },
    onChange: ({ name }, isGone) => void told.push([name, isGone]),
    newId: () => `found-${(ids += 1)}`,
    clock: time.clock,
    log,
  });
  const stop = discoveries.start();
  const say = async (type: MdnsChange['type'], service: Partial<MdnsService>): Promise<void> => {
    for (const watcher of watchers) watcher({ type, service: serviceOf(service) });
    await time.advance(0);
  };
  return { discoveries, say, stop, told, met, instances, disk, lines, time, watchers };
}

const serviceOf = (given: Partial<MdnsService>): MdnsService => ({
  name: 'Box',
  type: '_toy._tcp',
  host: 'box.local',
  port: 80,
  addresses: ['192.168.1.20'],
  txt: { id: 'box-1' },
  ...given,
});
const namesOf = ({ things }: Discoveries): unknown => things().map(({ name, address }) => [name, address]);

let network: Awaited<ReturnType<typeof openNetwork>>;
beforeEach(async () => {
  network = await openNetwork();
});

test('a service of a known kind is shown until it says goodbye', async () => {
  const { discoveries, say, told, time } = network;
  await time.advance(5_000);
  await say('found', {});
  const thing: FoundThing = {
    id: 'found-1',
    kind: 'toy_box',
    name: 'Box',
    address: '192.168.1.20',
    isIgnored: false,
    foundAtMs: Date.UTC(2026, 0, 1) + 5_000,
  };
  expect(discoveries.things()).toEqual([thing]);
  expect(discoveries.findDiscovery('found-1')).toEqual({
    kind: 'toy_box',
    discovery: { uniqueId: 'box-1', name: 'Box', settings: { host: '192.168.1.20' } },
  });
  await say('gone', {});
  expect([discoveries.things(), discoveries.findDiscovery('found-1')]).toEqual([[], undefined]);
  expect(told).toEqual([
    ['Box', false],
    ['Box', true],
  ]);
});

test('a thing that has a new address keeps its id and shows the new address', async () => {
  const { discoveries, say } = network;
  await say('found', {});
  await say('changed', { addresses: ['192.168.1.99', '192.168.1.20'] });
  expect(discoveries.things()).toMatchObject([{ id: 'found-1', address: '192.168.1.99' }]);
});

test('a thing that is an instance is not shown, and the instance learns its address', async () => {
  const { discoveries, say, instances, met, told } = network;
  instances.set('box-1', 'toy_box');
  await say('found', {});
  await say('changed', { addresses: ['192.168.1.99'] });
  expect(discoveries.things()).toEqual([]);
  expect(met.at(-1)).toMatchObject({ uniqueId: 'box-1', settings: { host: '192.168.1.99' } });
  expect(told).toEqual([]);
});

test('a thing leaves the list when it becomes an instance and is back when that is removed', async () => {
  const { discoveries, say, instances, told, time } = network;
  await say('found', {});
  instances.set('box-1', 'toy_box');
  discoveries.review();
  await time.advance(0);
  expect(discoveries.things()).toEqual([]);
  instances.clear();
  discoveries.review();
  await time.advance(0);
  expect(discoveries.things()).toMatchObject([{ id: 'found-1' }]);
  expect(told.map(([, isGone]) => isGone)).toEqual([false, true, false]);
});

test('an ignored thing stays ignored after a restart, at any address, and can still be seen', async () => {
  const { discoveries, say, disk } = network;
  await say('found', {});
  expect(await discoveries.ignore('found-1', { authorize: () => undefined })).toMatchObject({ isIgnored: true });
  const later = await openNetwork({ ignored: disk.ignored });
  await later.say('found', { name: 'Renamed', addresses: ['192.168.1.7'] });
  await later.say('found', { name: 'Other', txt: { id: 'box-2' } });
  expect(later.discoveries.things()).toMatchObject([
    { name: 'Renamed', isIgnored: true },
    { name: 'Other', isIgnored: false },
  ]);
});

test('nothing is ignored by a caller without the right, on a full disk, or once it is gone', async () => {
  const { discoveries, say, disk } = network;
  await say('found', {});
  const refuse = (): never => {
    throw new Error('no more');
  };
  await expect(discoveries.ignore('found-1', { authorize: refuse })).rejects.toThrow('no more');
  disk.fails = true;
  await expect(discoveries.ignore('found-1', { authorize: () => undefined })).rejects.toThrow('full');
  expect(discoveries.things()).toMatchObject([{ isIgnored: false }]);
  expect(await discoveries.ignore('found-2', { authorize: refuse })).toBeUndefined();
});

test('an ignored thing that is restored is as any other, also after a restart', async () => {
  const { discoveries, say, disk, told } = await openNetwork({ ignored: ['toy_box:other'] });
  const authorize = (): void => undefined;
  await say('found', {});
  await discoveries.ignore('found-1', { authorize });
  expect(await discoveries.restore('found-1', { authorize })).toMatchObject({ isIgnored: false });
  expect(disk.ignored).toEqual(['toy_box:other']);
  expect(discoveries.things()).toMatchObject([{ id: 'found-1', isIgnored: false }]);
  // Found, ignored, restored; to restore it once more changes nothing.
  expect(await discoveries.restore('found-1', { authorize })).toMatchObject({ isIgnored: false });
  expect(told).toHaveLength(3);
  expect(await discoveries.restore('found-2', { authorize })).toBeUndefined();
  disk.fails = true;
  await expect(discoveries.restore('found-1', { authorize })).rejects.toThrow('full');
  const refuse = (): never => {
    throw new Error('no more');
  };
  await expect(discoveries.restore('found-1', { authorize: refuse })).rejects.toThrow('no more');
});

test('the list of ignored things does not grow for ever', async () => {
  const { say, discoveries, disk, time } = await openNetwork({
    ignored: Array.from({ length: 500 }, (_, index) => `toy_box:${index}`),
  });
  await say('found', {});
  await discoveries.ignore('found-1', { authorize: () => undefined });
  await time.advance(0);
  expect([disk.ignored.length, disk.ignored[0], disk.ignored.at(-1)]).toEqual([500, 'toy_box:1', 'toy_box:box-1']);
});

describe('a service that lies', () => {
  const services: readonly [what: string, service: Partial<MdnsService>, shown: unknown][] = [
    [
      'with markup in its name',
      { name: '<img src=x onerror=alert(1)>' },
      [['<img src=x onerror=alert(1)>', '192.168.1.20']],
    ],
    [
      'with control characters and a reversed text',
      { name: 'a\u0000\u001B[31mb\u202Ec\n' },
      [['a [31mb c', '192.168.1.20']],
    ],
    ['with an endless name', { name: 'x'.repeat(10_000) }, [['x'.repeat(64), '192.168.1.20']]],
    ['with an empty name', { name: '\u200B \u2060' }, [['Toy box', '192.168.1.20']]],
    ['with an address outside the LAN', { addresses: ['8.8.8.8'] }, []],
    ['with the address of the hub', { addresses: ['192.168.1.1'] }, []],
    ['with a loopback address', { addresses: ['127.0.0.1'] }, []],
    ['with no address', { addresses: [] }, []],
    ['with an address that is none', { addresses: ['192.168.1.20/<b>'] }, []],
    ['with an endless unique id', { txt: { id: 'x'.repeat(129) } }, []],
  ];
  test.each(services)('%s', async (_what, service, shown) => {
    const { discoveries, say } = network;
    await say('found', service);
    expect(namesOf(discoveries)).toEqual(shown);
  });

  test('about an id that another one has: they are one thing, which the first one describes while it is there', async () => {
    const { discoveries, say } = network;
    await say('found', {});
    await say('found', { name: 'Thief', addresses: ['192.168.1.66'] });
    expect(namesOf(discoveries)).toEqual([['Box', '192.168.1.20']]);
    await say('gone', {});
    expect(namesOf(discoveries)).toEqual([['Thief', '192.168.1.66']]);
    await say('gone', { name: 'Thief' });
    expect(namesOf(discoveries)).toEqual([]);
  });

  test('about who it is: it is another thing then', async () => {
    const { discoveries, say } = network;
    await say('found', {});
    await say('changed', { txt: { id: 'box-2' } });
    expect(discoveries.things()).toMatchObject([{ id: 'found-2', name: 'Box' }]);
    await say('changed', { addresses: [] });
    expect(discoveries.things()).toEqual([]);
  });
});

test('of ten thousand things 200 are shown, and an instance behind them all still moves', async () => {
  const { discoveries, say, instances, met, lines, told, watchers, time } = network;
  instances.set('mine', 'toy_box');
  for (let index = 0; index < 10_000; index += 1) {
    for (const watcher of watchers) {
      watcher({ type: 'found', service: serviceOf({ name: `Box ${index}`, txt: { id: `box-${index}` } }) });
    }
  }
  await time.advance(0);
  while (met.length < 10_000) await time.advance(0);
  expect(discoveries.things()).toHaveLength(200);
  expect(lines.filter((line) => line.includes('too many things'))).toHaveLength(4);
  expect(told.length).toBeLessThanOrEqual(100);
  await say('found', { name: 'Mine', txt: { id: 'mine' }, addresses: ['192.168.1.77'] });
  expect(met.at(-1)).toMatchObject({ uniqueId: 'mine', settings: { host: '192.168.1.77' } });
  expect(discoveries.things()).toHaveLength(200);
});

test('a service that changes faster than it is looked at is looked at once', async () => {
  const { met, watchers, time } = network;
  for (let index = 0; index < 1_000; index += 1) {
    for (const watcher of watchers) watcher({ type: 'changed', service: serviceOf({ port: index }) });
  }
  await time.advance(0);
  expect(met.length).toBeLessThan(10);
});

test('a service that makes a kind throw is nothing, and does not stop the others', async () => {
  const { discoveries, say, lines } = network;
  for (const name of ['Evil', 'Twin']) {
    await say('found', { name, txt: JSON.parse('null') as Record<string, string> });
  }
  await say('found', {});
  expect(namesOf(discoveries)).toEqual([['Box', '192.168.1.20']]);
  expect(lines.filter((line) => line.includes('cannot identify'))).toHaveLength(1);
});

test('the end leaves nothing that watches', async () => {
  const { stop, watchers } = network;
  expect(watchers.size).toBe(1);
  stop();
  expect(watchers.size).toBe(0);
});
