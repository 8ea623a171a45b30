import { describe, expect, test } from 'vitest';
import type { DnsRecord } from '#lan/mdns/dns-message.ts';
import {
  addressRecord,
  type Announced,
  BRIDGE,
  placeRecord,
  pointerTo,
  recordsOf,
  textRecord,
} from '#test/support/lan/announced.ts';
import { openBrowseWorld } from '#test/support/lan/browse-world.ts';

/** Each host says so many services of the type, in packets as large as Ethernet takes. */
function announceMany(
  world: ReturnType<typeof openBrowseWorld>,
  count: number,
  of: (nth: number) => Partial<Announced> & { readonly from?: string },
): void {
  let packet: DnsRecord[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const { from = '192.168.50.20', ...more } = of(nth);
    packet.push(...recordsOf({ ...BRIDGE, txt: ['a=1'], ...more }));
    if (packet.length < 20 && of(nth + 1).from === of(nth).from && nth < count - 1) continue;
    world.say(packet, { address: from });
    packet = [];
  }
}

describe('a flood of services', () => {
  test('of 10,000 from one host leaves room for those of others, and says so once', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    announceMany(world, 10_000, (nth) => ({ name: `liar ${nth}`, host: `h${nth}`, from: '192.168.50.66' }));
    announceMany(world, 200, (nth) => ({ name: `honest ${nth}`, from: `192.168.50.${nth % 50}` }));
    await world.time.advance(10_000);
    const found = changes.filter(({ type }) => type === 'found').map(({ service }) => service.name);
    expect(found.filter((name) => name.startsWith('liar'))).toHaveLength(300);
    expect(found.filter((name) => name.startsWith('honest'))).toHaveLength(200);
    expect(world.lines).toHaveLength(1);
    expect(world.lines[0]).toContain('too many services in the network');
    expect(world.lines[0]).toContain('type=_hue._tcp services=300 announced_by=192.168.50.66');
  });

  test('from many hosts ends at 1,000 of a type and 2,000 in all, and room comes back as they leave', async () => {
    const world = openBrowseWorld();
    const types = ['_hue._tcp', '_hap._tcp', '_http._tcp'];
    const watched = types.map((type) => world.watch(type));
    const from = (nth: number) => `192.168.50.${nth % 100}`;
    for (const type of types)
      announceMany(world, 1_500, (nth) => ({ type, name: `n${nth}`, host: `h${nth}`, from: from(nth) }));
    await world.time.advance(20_000);
    expect(watched.map(({ changes }) => changes.length)).toEqual([1_000, 1_000, 0]);
    announceMany(world, 10, (nth) => ({ name: `n${nth}`, host: `h${nth}`, ttlS: 0, from: from(nth) }));
    await world.time.advance(3_000);
    announceMany(world, 20, (nth) => ({ type: '_http._tcp', name: `n${nth}`, host: `h${nth}`, from: from(nth) }));
    await world.time.advance(10_000);
    expect(watched[0]?.changes.filter(({ type }) => type === 'gone')).toHaveLength(10);
    expect(watched[2]?.changes).toHaveLength(10);
    expect(world.lines).toHaveLength(1);
    for (const { stop } of watched) stop();
    expect(world.time.pendingMs()).toEqual([]);
  });

  test('that cannot be resolved costs the network 6 kB of questions a second', async () => {
    const world = openBrowseWorld();
    world.watch();
    for (let nth = 0; nth < 1_000; nth += 1)
      world.say([pointerTo({ ...BRIDGE, name: `nobody ${nth}` })], { address: `192.168.50.${nth % 20}` });
    await world.time.advance(60_000);
    const questions = world.sent.flatMap(({ message }) => message.questions);
    const bytes = questions.reduce((sum, { name }) => sum + name.wire.length + 4, 0);
    expect(bytes).toBeLessThan(2 * (30_000 + 60 * 6_000));
    // All of them were asked for, nevertheless.
    expect(new Set(questions.map(({ name }) => name.key)).size).toBe(1_001);
  });

  test('of changes is reported once a second', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    for (let nth = 0; nth < 1_000; nth += 1) {
      world.say(recordsOf({ ...BRIDGE, txt: [`n=${nth}`], addresses: [`192.168.50.${nth % 250}`] }));
      await world.time.advance(10);
    }
    expect(changes.length).toBeLessThanOrEqual(12);
  });

  test('of records of one service keeps a few of each type', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    world.say(recordsOf(BRIDGE));
    const shared = (record: DnsRecord): DnsRecord => ({ ...record, isUnique: false });
    for (let nth = 0; nth < 3_000; nth += 1) {
      const address = `192.168.50.${nth % 250}`;
      world.say(
        [
          placeRecord({ ...BRIDGE, port: nth }),
          textRecord({ ...BRIDGE, txt: [`n=${nth}`] }),
          addressRecord('hue-1', address, 120),
        ].map(shared),
      );
    }
    await world.time.advance(5_000);
    expect(changes.at(-1)?.service.addresses).toHaveLength(8);
  });

  test('of services that share a host is described in parts, each in its own turn', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    announceMany(world, 1_000, (nth) => ({ name: `n${nth}`, host: 'one', from: `192.168.50.${nth % 100}` }));
    await world.time.advance(100);
    expect(changes).toHaveLength(50);
    await world.time.advance(1_900);
    expect(changes).toHaveLength(1_000);
    world.say([addressRecord('one', '192.168.50.99', 120)]);
    await world.time.advance(100);
    expect(changes.length).toBeLessThanOrEqual(1_050);
  });
});
