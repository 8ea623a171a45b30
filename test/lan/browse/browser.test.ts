import { describe, expect, test } from 'vitest';
import { DNS_TYPE, dnsName, type DnsRecord } from '#lan/mdns/dns-message.ts';
import {
  addressRecord,
  BRIDGE,
  nameOf,
  placeRecord,
  pointerTo,
  recordsOf,
  textRecord,
} from '#test/support/lan/announced.ts';
import { openBrowseWorld } from '#test/support/lan/browse-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const FOUND = {
  name: 'Hue Bridge - 1A2B3C',
  type: '_hue._tcp',
  host: 'hue-1.local',
  port: 443,
  addresses: ['192.168.50.20'],
  txt: { bridgeid: '001788fffe1a2b3c', modelid: 'BSB002' },
};

type World = ReturnType<typeof openBrowseWorld>;

/** The questions that were sent since, as `type of first label`, with the time. */
const questionsOf = ({ sent }: World): readonly string[] =>
  sent.flatMap(({ message }) =>
    message.questions.map(({ name, type }) => `${type} ${name.wire.slice(1, 1 + name.wire.charCodeAt(0))}`),
  );
const typesOf = (changes: readonly { readonly type: string }[]): readonly string[] => changes.map(({ type }) => type);

describe('a type that is watched', () => {
  test('is asked for at once, after 1 s, 2 s, 4 s and so on, and then each hour', async () => {
    const world = openBrowseWorld();
    world.watch();
    await world.time.advance(10 * HOUR_MS);
    const atMs = world.sent.map((one) => one.atMs);
    expect(atMs.slice(0, 6)).toEqual([20, 1_020, 3_020, 7_020, 15_020, 31_020]);
    const pauses = atMs.slice(1).map((ms, index) => ms - (atMs[index] ?? 0));
    expect(Math.max(...pauses)).toBe(HOUR_MS);
    expect(new Set(questionsOf(world))).toEqual(new Set([`${DNS_TYPE.PTR} _hue`]));
  });

  test('is asked for once however many watch it, and no more when the last one has left', async () => {
    const world = openBrowseWorld();
    const [first, second] = [world.watch(), world.watch()];
    await world.time.advance(500);
    expect(world.sent).toHaveLength(1);
    world.say(recordsOf(BRIDGE));
    await world.time.advance(500);
    expect([first.changes, second.changes]).toEqual([
      [{ type: 'found', service: FOUND }],
      [{ type: 'found', service: FOUND }],
    ]);
    first.stop();
    await world.time.advance(2_000);
    expect(world.sent).toHaveLength(3);
    second.stop();
    expect(world.time.pendingMs()).toEqual([]);
    expect(world.browser.isActive()).toBe(false);
    expect(world.browser.isWanted(nameOf('_hue._tcp').key, DNS_TYPE.PTR)).toBe(false);
    world.say(recordsOf({ ...BRIDGE, name: 'Another' }));
    await world.time.advance(HOUR_MS);
    expect(world.sent).toHaveLength(3);
    expect(typesOf(first.changes)).toEqual(['found']);
  });

  test('tells a late watcher at once what is known', async () => {
    const world = openBrowseWorld();
    world.watch();
    world.say(recordsOf(BRIDGE));
    await world.time.advance(1_000);
    expect(world.watch().changes).toEqual([{ type: 'found', service: FOUND }]);
  });

  test('is watched by one that fails without harm to the others', async () => {
    const world = openBrowseWorld();
    world.browser.browse(
      '_hue._tcp',
      () => {
        throw new Error('a fault');
      },
      new AbortController().signal,
    );
    const { changes } = world.watch();
    world.say(recordsOf(BRIDGE));
    await world.time.advance(1_000);
    expect(typesOf(changes)).toEqual(['found']);
    expect(world.lines.join()).toContain('a fault');
  });

  test('can be left in the first call, and before it', async () => {
    const world = openBrowseWorld();
    world.watch();
    world.say(recordsOf(BRIDGE));
    await world.time.advance(1_000);
    const controller = new AbortController();
    const seen: string[] = [];
    const leave = ({ type }: { type: string }): void => {
      seen.push(type);
      controller.abort();
    };
    world.browser.browse('_hue._tcp', leave, controller.signal);
    world.browser.browse('_hue._tcp', leave, AbortSignal.abort());
    world.say([pointerTo({ ...BRIDGE, ttlS: 0 })]);
    await world.time.advance(5_000);
    expect(seen).toEqual(['found']);
  });

  test.each(['hue', '_hue', '_hue._sctp', '_hue._tcp.local', '_Hue._tcp', '_<b>._tcp', `_${'a'.repeat(16)}._tcp`, ''])(
    'is not "%s"',
    (type) => {
      expect(() => openBrowseWorld().watch(type)).toThrow(RangeError);
    },
  );
});

describe('a question', () => {
  test('says which services are known for more than half of their time', async () => {
    const world = openBrowseWorld();
    world.watch();
    await world.time.advance(500);
    world.say(recordsOf(BRIDGE));
    await world.time.advance(1_000);
    const again = world.sent.find(({ atMs }) => atMs === 1_020);
    expect(again?.message.answers).toEqual([{ ...pointerTo(BRIDGE), ttlS: 4_499 }]);
    await world.time.advance(HOUR_MS);
    const late = world.sent.filter(({ atMs, message }) => atMs > 2_250_500 && message.questions.length > 0);
    expect(late.flatMap(({ message }) => message.answers)).toEqual([]);
  });

  test('goes into several packets where the known services do not fit into one', async () => {
    const world = openBrowseWorld();
    world.watch();
    for (let nth = 0; nth < 90; nth += 1) world.say(recordsOf({ ...BRIDGE, name: `Bridge ${nth} ${'x'.repeat(40)}` }));
    await world.time.advance(1_500);
    const packets = world.sent.filter(({ atMs, message }) => atMs > 900 && message.answers.length > 0);
    expect(packets.length).toBeGreaterThan(2);
    expect(packets.map(({ message }) => message.isTruncated === true)).toEqual([
      ...packets.slice(1).map(() => true),
      false,
    ]);
    expect(packets.map(({ message }) => message.questions.length)).toEqual([1, ...packets.slice(1).map(() => 0)]);
    expect(packets.flatMap(({ message }) => message.answers)).toHaveLength(90);
    expect(Math.max(...world.sent.map(({ size }) => size))).toBeLessThanOrEqual(1_400);
  });

  test('is asked for what an answer left out, in a growing time', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    await world.time.advance(500);
    world.sent.length = 0;
    world.say([pointerTo(BRIDGE)]);
    await world.time.advance(120);
    expect(questionsOf(world)).toEqual(['33 Hue Bridge - 1A2B3C', '16 Hue Bridge - 1A2B3C']);
    expect(world.sent).toHaveLength(1);
    world.sent.length = 0;
    world.say([placeRecord(BRIDGE), textRecord(BRIDGE)]);
    await world.time.advance(150);
    expect(questionsOf(world)).toEqual(['1 hue-1', '28 hue-1']);
    expect(changes).toEqual([]);
    world.sent.length = 0;
    await world.time.advance(10_000);
    expect(questionsOf(world).filter((one) => one === '1 hue-1')).toHaveLength(3);
    world.say([addressRecord('hue-1', '192.168.50.20', 120)]);
    await world.time.advance(1_100);
    expect(changes).toEqual([{ type: 'found', service: FOUND }]);
  });

  test('for services that end at nearly the same time is put together', async () => {
    const world = openBrowseWorld();
    world.watch();
    for (let nth = 0; nth < 10; nth += 1) {
      world.say(recordsOf({ ...BRIDGE, name: `b${nth}`, host: `h${nth}`, addresses: ['192.168.50.20', 'fd00::20'] }));
      await world.time.advance(110);
    }
    await world.time.advance(90_000);
    world.sent.length = 0;
    await world.time.advance(8_000);
    const asked = world.sent.filter(({ message }) => message.questions.some(({ type }) => type === DNS_TYPE.SRV));
    expect(asked.flatMap(({ message }) => message.questions).filter(({ type }) => type === DNS_TYPE.SRV)).toHaveLength(
      10,
    );
    expect(asked).toHaveLength(1);
  });

  test('for a text that a device does not have is given up, and the service is found without one', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    world.say([pointerTo(BRIDGE), placeRecord(BRIDGE), addressRecord('hue-1', '192.168.50.20', 120)]);
    await world.time.advance(10_000);
    expect(changes).toEqual([{ type: 'found', service: { ...FOUND, txt: {} } }]);
    expect(questionsOf(world).filter((one) => one.startsWith('16 '))).toHaveLength(3);
  });
});

describe('a service', () => {
  async function openFound() {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    world.say(recordsOf(BRIDGE));
    await world.time.advance(2_000);
    expect(changes).toEqual([{ type: 'found', service: FOUND }]);
    changes.length = 0;
    world.sent.length = 0;
    return { ...world, world, changes };
  }

  test('that says the same again is not reported again', async () => {
    const { say, time, changes } = await openFound();
    for (let nth = 0; nth < 10; nth += 1) {
      say(recordsOf(BRIDGE));
      await time.advance(10_000);
    }
    expect(changes).toEqual([]);
  });

  test('that changes its address, its port or its text is reported with what it has now', async () => {
    const { say, time, changes } = await openFound();
    const moved = {
      ...BRIDGE,
      addresses: ['192.168.50.21', 'fd00::21', 'fe80::21'],
      port: 80,
      txt: ['modelid=BSB003'],
    };
    say(recordsOf(moved));
    await time.advance(3_000);
    expect(changes.at(-1)).toEqual({
      type: 'changed',
      service: {
        ...FOUND,
        port: 80,
        addresses: ['192.168.50.21', 'fd00::21', 'fe80::21%eth0'],
        txt: { modelid: 'BSB003' },
      },
    });
    expect(changes.length).toBeLessThanOrEqual(2);
  });

  test('that moves to another host is found there', async () => {
    const { say, time, changes } = await openFound();
    say(recordsOf({ ...BRIDGE, host: 'hue-2', addresses: ['192.168.50.22'] }));
    await time.advance(3_000);
    expect(changes.at(-1)).toMatchObject({
      type: 'changed',
      service: { host: 'hue-2.local', addresses: ['192.168.50.22'] },
    });
  });

  test('keeps both addresses where a second one is said in the same second', async () => {
    const { say, time, changes } = await openFound();
    say([addressRecord('hue-1', '192.168.50.20', 120)]);
    await time.advance(500);
    say([addressRecord('hue-1', '192.168.50.30', 120)]);
    await time.advance(3_000);
    expect(changes.at(-1)?.service.addresses).toEqual(['192.168.50.20', '192.168.50.30']);
  });

  test('that says goodbye is gone a second later, unless it is back by then', async () => {
    const { say, time, changes } = await openFound();
    say([pointerTo({ ...BRIDGE, ttlS: 0 })]);
    await time.advance(900);
    say(recordsOf(BRIDGE));
    await time.advance(5_000);
    expect(changes).toEqual([]);
    say(recordsOf({ ...BRIDGE, ttlS: 0 }));
    await time.advance(1_200);
    expect(changes).toEqual([{ type: 'gone', service: FOUND }]);
  });

  test('that vanished without a goodbye is asked for four times, and is gone when its time is over', async () => {
    const { time, changes, world } = await openFound();
    await time.advance(100_000);
    expect(questionsOf(world).filter((one) => one.startsWith('33 '))).toHaveLength(2);
    expect(changes).toEqual([]);
    await time.advance(18_500);
    expect(typesOf(changes)).toEqual(['gone']);
    // It is asked for again and again: it may have been away for a moment.
    world.sent.length = 0;
    await time.advance(2 * MINUTE_MS);
    expect(questionsOf(world).filter((one) => one.startsWith('33 ')).length).toBeGreaterThan(3);
    world.say(recordsOf(BRIDGE));
    await time.advance(1_000);
    expect(typesOf(changes)).toEqual(['gone', 'found']);
  });

  test('that answers when it is asked again stays', async () => {
    const { time, changes, world, say } = await openFound();
    for (let nth = 0; nth < 20; nth += 1) {
      world.sent.length = 0;
      await time.advance(97_000);
      expect(questionsOf(world)).toContain('33 Hue Bridge - 1A2B3C');
      say(recordsOf(BRIDGE));
    }
    expect(changes).toEqual([]);
  });

  test('has the addresses that it was given before those that it gave itself', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    const addresses = ['fe80::20', '169.254.7.7', 'fd00::20', '192.168.50.30', '192.168.50.20'];
    world.say(recordsOf({ ...BRIDGE, addresses }));
    await world.time.advance(1_000);
    expect(changes[0]?.service.addresses).toEqual([
      '192.168.50.20',
      '192.168.50.30',
      'fd00::20',
      '169.254.7.7',
      'fe80::20%eth0',
    ]);
  });

  test('on two interfaces is one service with the addresses of both', async () => {
    const world = openBrowseWorld(['eth0', 'wlan0']);
    const { changes } = world.watch();
    const announced = { ...BRIDGE, addresses: ['192.168.50.20', 'fe80::20'] };
    world.say(recordsOf(announced), { on: 'eth0' });
    world.say(recordsOf(announced), { on: 'wlan0' });
    await world.time.advance(1_500);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.service.addresses).toEqual(['192.168.50.20', 'fe80::20%eth0', 'fe80::20%wlan0']);
    world.relink('wlan0');
    await world.time.advance(1_500);
    expect(changes.at(-1)).toMatchObject({
      type: 'changed',
      service: { addresses: ['192.168.50.20', 'fe80::20%wlan0'] },
    });
  });

  test('is gone with its interface, and found again when that is back', async () => {
    const { time, changes, world } = await openFound();
    world.relink();
    await time.advance(1_000);
    expect(typesOf(changes)).toEqual(['gone']);
    await time.advance(HOUR_MS);
    expect(world.sent).toHaveLength(0);
    world.relink('eth0');
    await time.advance(100);
    expect(questionsOf(world)).toEqual(['12 _hue']);
    world.say(recordsOf(BRIDGE));
    await time.advance(1_000);
    expect(typesOf(changes)).toEqual(['gone', 'found']);
  });

  test('stays when an address of the interface changes, and is asked for anew', async () => {
    const { time, changes, world } = await openFound();
    world.relink('eth0');
    await time.advance(100);
    expect(questionsOf(world)).toEqual(['12 _hue']);
    expect(changes).toEqual([]);
  });

  test('of the hub itself is not found, nor one whose name becomes the hub’s', async () => {
    const { time, changes, world, say } = await openFound();
    const own = { ...BRIDGE, name: 'Home' };
    world.state.own.add(dnsName('Home', '_hue', '_tcp', 'local').key);
    say(recordsOf(own));
    await time.advance(2_000);
    expect(changes).toEqual([]);
    world.state.own.add(dnsName(BRIDGE.name, '_hue', '_tcp', 'local').key);
    say(recordsOf(BRIDGE));
    await time.advance(2_000);
    expect(typesOf(changes)).toEqual(['gone']);
  });
});

describe('what is said', () => {
  const heard = async (records: readonly DnsRecord[], from?: { address?: string; port?: number }) => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    world.say(records, from);
    await world.time.advance(20_000);
    return { changes, world };
  };

  test.each([
    ['from port 0', { port: 0 }],
    ['from a port that is not 5353', { port: 40_000 }],
    ['from outside the link', { address: '203.0.113.7' }],
  ])('%s counts for nothing', async (_what, from) => {
    const { changes, world } = await heard(recordsOf(BRIDGE), from);
    expect(changes).toEqual([]);
    expect(new Set(questionsOf(world))).toEqual(new Set(['12 _hue']));
  });

  test.each([
    ['outside the LAN', ['203.0.113.7', '2001:db8::7', '127.0.0.1', '0.0.0.0', '224.0.0.251', '::1', '::ffff:7f00:1']],
    ['nowhere', []],
  ])('of a service with addresses %s is not passed on', async (_what, addresses) => {
    expect((await heard(recordsOf({ ...BRIDGE, addresses }))).changes).toEqual([]);
  });

  test('of addresses inside and outside the LAN is passed on with those inside', async () => {
    const { changes } = await heard(recordsOf({ ...BRIDGE, addresses: ['203.0.113.7', '192.168.50.20'] }));
    expect(changes).toEqual([{ type: 'found', service: FOUND }]);
  });

  test('of another type, or of nothing that a pointer leads to, is not kept', async () => {
    const foreign = { ...pointerTo({ ...BRIDGE, type: '_http._tcp' }), name: nameOf('_hue._tcp') };
    const { changes, world } = await heard([foreign, placeRecord(BRIDGE), addressRecord('other', '192.168.50.9', 120)]);
    expect(changes).toEqual([]);
    expect(new Set(questionsOf(world))).toEqual(new Set(['12 _hue']));
  });

  test('counts in any order within a packet, and in upper and lower case', async () => {
    const records = [...recordsOf(BRIDGE)].toReversed();
    expect((await heard(records)).changes).toEqual([{ type: 'found', service: FOUND }]);
    const world = openBrowseWorld();
    const { changes } = world.watch();
    world.say([pointerTo(BRIDGE)]);
    world.say(recordsOf({ ...BRIDGE, name: BRIDGE.name.toUpperCase(), host: 'HUE-1' }));
    await world.time.advance(1_000);
    expect(changes).toHaveLength(1);
  });

  test('twice, by two hosts with one name, is one service: the first, and the other when that is gone', async () => {
    const world = openBrowseWorld();
    const { changes } = world.watch();
    const shared = (records: readonly DnsRecord[]) => records.map((record) => ({ ...record, isUnique: false }));
    const liar = { ...BRIDGE, host: 'liar', addresses: ['192.168.50.66'], txt: ['bridgeid=other'] };
    world.say(shared(recordsOf(BRIDGE)));
    for (let nth = 0; nth < 50; nth += 1) {
      world.say(shared(recordsOf(liar)), { address: '192.168.50.66' });
      world.say(shared(recordsOf(BRIDGE)));
      await world.time.advance(1_000);
    }
    expect(changes).toEqual([{ type: 'found', service: FOUND }]);
    const { say, time } = world;
    say([placeRecord(BRIDGE), textRecord(BRIDGE)].map((record) => ({ ...record, ttlS: 0 })));
    await time.advance(3_000);
    expect(questionsOf(world)).toContain('1 liar');
    say(shared(recordsOf(liar)), { address: '192.168.50.66' });
    await time.advance(3_000);
    expect(changes.at(-1)).toMatchObject({ type: 'found', service: { host: 'liar.local' } });
  });

  test('in lies about time is forgotten in good time, and asked for at most once a second', async () => {
    const long = await heard(recordsOf({ ...BRIDGE, ttlS: 0xffff_ffff }));
    expect(long.changes).toHaveLength(1);
    await long.world.time.advance(4_500_000);
    expect(typesOf(long.changes)).toEqual(['found', 'gone']);
    const world = openBrowseWorld();
    world.watch();
    for (let nth = 0; nth < 100; nth += 1) {
      world.say(recordsOf({ ...BRIDGE, ttlS: 1 }));
      await world.time.advance(100);
    }
    for (const question of new Set(questionsOf(world))) {
      expect(questionsOf(world).filter((one) => one === question).length).toBeLessThanOrEqual(12);
    }
  });
});
