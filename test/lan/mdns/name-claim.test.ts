import { describe, expect, test } from 'vitest';
import { decodeDnsMessage, type DnsMessage, DNS_TYPE } from '#lan/mdns/dns-message.ts';
import { hubRecords } from '#lan/mdns/hub-records.ts';
import type { MdnsLink } from '#lan/mdns/mdns-links.ts';
import { createNameClaim } from '#lan/mdns/name-claim.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const CARD = { id: 'id-1', name: 'Home', claimed: true, apiVersion: 'v1', path: '/api', port: 8080 };
const OTHER_CARD = { ...CARD, id: 'id-2', port: 80 };
const EMPTY: DnsMessage = { id: 0, isResponse: false, questions: [], answers: [], authorities: [], additionals: [] };
const OWN = '192.168.50.1';
const OTHER = '192.168.50.2';
const MINUTE_MS = 60_000;

/** What another host says of the n-th name, from an address that it need not have. */
const claimOf = (count: number): DnsMessage => ({
  ...EMPTY,
  isResponse: true,
  answers: hubRecords(OTHER_CARD, count, [OTHER]).all,
});

function openClaim() {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const sent: DnsMessage[] = [];
  const asked: DnsMessage[] = [];
  /** Hears each message of the hub, as a host on the link does. */
  const neighbour: { hear: (message: DnsMessage) => void } = { hear: () => undefined };
  const link: MdnsLink = {
    interface: 'eth0',
    addresses: [OWN],
    answers: { answer: (query) => void asked.push(query), stop: () => undefined },
    socket: {
      close: () => undefined,
      send: (bytes) => {
        const message = decodeDnsMessage(bytes) ?? EMPTY;
        sent.push(message);
        neighbour.hear(message);
      },
    },
  };
  const links = [link];
  const claim = createNameClaim({
    links: { all: () => links },
    card: () => CARD,
    random: () => 0,
    startTimer: time.startTimer,
    clock: time.clock,
    log,
  });
  const say = (message: DnsMessage, address = OTHER, port = 5353): void =>
    claim.receive(link, message, { address, port });
  /** A host that answers each question for the n-th name, and claims it once more when another host announces it. */
  const hold = (count: number, address = OTHER): void => {
    const { uniqueNames } = hubRecords(OTHER_CARD, count, [OTHER]);
    neighbour.hear = ({ questions }) => {
      if (questions.some(({ name }) => uniqueNames.some(({ key }) => key === name.key))) say(claimOf(count), address);
    };
  };
  return { claim, time, lines, sent, asked, neighbour, say, hold };
}

type Open = ReturnType<typeof openClaim>;

async function openHeld(): Promise<Open> {
  const open = openClaim();
  open.claim.start();
  await open.time.advance(5_000);
  expect(open.claim.host()).toBe('hearthd.local');
  open.sent.length = 0;
  return open;
}

const probesOf = (sent: readonly DnsMessage[]): number =>
  sent.filter(({ isResponse, questions }) => !isResponse && questions.length > 0).length;

describe('a name that is asked for', () => {
  test('is taken after three probes if no other host has it', async () => {
    const { claim, time, sent, lines } = openClaim();
    claim.start();
    await time.advance(749);
    expect([probesOf(sent), claim.host()]).toEqual([3, undefined]);
    // Only an answer may make other hosts forget what they have.
    expect(sent.flatMap(({ authorities }) => authorities).filter(({ isUnique }) => isUnique)).toEqual([]);
    await time.advance(1);
    expect(claim.host()).toBe('hearthd.local');
    await time.advance(MINUTE_MS);
    expect(sent.filter(({ isResponse }) => isResponse)).toHaveLength(2);
    expect(lines).toHaveLength(1);
    expect([claim.conflict(), time.pendingMs()]).toEqual([undefined, []]);
  });

  test('is left to a host that answers three probes', async () => {
    const { claim, time, lines, hold } = openClaim();
    hold(1);
    claim.start();
    await time.advance(2_000);
    expect(claim.host()).toBe('hearthd-2.local');
    expect(claim.conflict()).toEqual({ name: 'hearthd.local', holder: OTHER });
    expect(lines.join('\n')).toContain('another host has this name taken=hearthd.local holder=192.168.50.2');
  });

  test('is left to a host that answers once a second', async () => {
    const { claim, time, neighbour, say } = openClaim();
    let answeredMs = -1_000;
    neighbour.hear = ({ questions }) => {
      if (questions.length === 0 || time.clock.monotonicMs() - answeredMs < 1_000) return;
      answeredMs = time.clock.monotonicMs();
      if (claim.conflict() === undefined) say(claimOf(1));
    };
    claim.start();
    await time.advance(10_000);
    expect(claim.host()).toBe('hearthd-2.local');
  });

  test.each([
    ['one packet', (_nth: number) => OTHER, 1],
    ['a thousand packets from one address between two probes', () => OTHER, 1_000],
    ['a packet for each probe from an address that is new each time', (nth: number) => `192.168.51.${nth}`, 200],
  ])('is not lost to %s', async (_what, addressOf, packets) => {
    const { claim, time, neighbour, say, lines } = openClaim();
    let left = packets;
    neighbour.hear = () => {
      const now = packets === 1_000 ? left : Math.min(1, left);
      for (let nth = 0; nth < now; nth += 1, left -= 1) say(claimOf(1), addressOf(left));
    };
    claim.start();
    await time.advance(20_000);
    expect(claim.host()).toBe('hearthd.local');
    expect(lines.length).toBeLessThanOrEqual(2);
  });

  test('is not lost to an objection that comes while no probe is out', async () => {
    const { claim, time, say } = openClaim();
    claim.start();
    await time.advance(0);
    say(claimOf(1));
    // The round was not clear, so a second one waits: packets of this second count for nothing.
    await time.advance(900);
    for (let nth = 0; nth < 3_000; nth += 1) say(claimOf(1));
    await time.advance(10_000);
    expect(claim.host()).toBe('hearthd.local');
  });

  test('is probed for slowly after many conflicts', async () => {
    const { claim, time, neighbour, say, sent, lines } = openClaim();
    neighbour.hear = ({ questions }) => {
      const asked = /hearthd(?:-(\d+))?/.exec(questions[0]?.name.wire ?? '');
      if (asked !== null) say(claimOf(Number(asked[1] ?? 1)));
    };
    claim.start();
    await time.advance(10 * MINUTE_MS);
    expect(probesOf(sent)).toBeLessThan(15 + (10 * MINUTE_MS) / 1_500);
    expect(claim.host()).toBeUndefined();
    expect(lines.length).toBeLessThanOrEqual(11);
    neighbour.hear = () => undefined;
    await time.advance(2 * MINUTE_MS);
    expect(claim.host()).toBe('hearthd.local');
  });

  test('goes to the hub with the later addresses when two probe at once', async () => {
    const { claim, time, say, sent } = openClaim();
    claim.start();
    await time.advance(0);
    const { all } = hubRecords(OTHER_CARD, 1, [OTHER]);
    const probe = { ...EMPTY, authorities: all.filter(({ isUnique, type }) => isUnique && type !== DNS_TYPE.NSEC) };
    say(probe);
    await time.advance(999);
    expect(probesOf(sent)).toBe(1);
    // A host that keeps asking and never says that it has the name does not hold up the hub for ever.
    for (let nth = 0; nth < 60; nth += 1) {
      say(probe);
      await time.advance(250);
    }
    expect(claim.host()).toBe('hearthd.local');
  });
});

describe('a name that is held', () => {
  test('is defended, and kept against packets from no stable host', async () => {
    const { claim, time, say, sent, lines } = await openHeld();
    for (let nth = 0; nth < 3_000; nth += 1) {
      say(claimOf(1), `fe80::${nth.toString(16)}%eth0`);
      await time.advance(10);
    }
    expect(claim.host()).toBe('hearthd.local');
    expect(probesOf(sent)).toBe(0);
    // Once a second, and not for each packet.
    expect(sent.length).toBeLessThanOrEqual(31);
    expect(lines.length).toBeLessThanOrEqual(2);
    expect(claim.conflict()?.name).toBe('hearthd.local');
    await time.advance(10 * MINUTE_MS);
    expect(claim.conflict()).toBeUndefined();
  });

  test.each([
    ['two packets at once', 2, 50],
    ['a packet now and then', 100, 61_000],
  ])('is not lost to %s', async (_what, packets, everyMs) => {
    const { claim, time, say, sent } = await openHeld();
    for (let nth = 0; nth < packets; nth += 1) {
      say(claimOf(1));
      await time.advance(everyMs);
    }
    expect(claim.host()).toBe('hearthd.local');
    expect(probesOf(sent)).toBe(0);
  });

  test('is lost to a host that repeats it and answers, and comes back when that host leaves', async () => {
    const { claim, time, say, sent, hold, neighbour, lines } = await openHeld();
    hold(1);
    for (let nth = 0; nth < 4; nth += 1) {
      say(claimOf(1));
      await time.advance(1_000);
    }
    await time.advance(3_000);
    expect(claim.host()).toBe('hearthd-2.local');
    expect(lines.join('\n')).toContain('next=hearthd-2.local');
    // It is still there a minute later: the hub asks, and keeps what it has.
    sent.length = 0;
    await time.advance(MINUTE_MS);
    expect(probesOf(sent)).toBe(3);
    expect(claim.host()).toBe('hearthd-2.local');
    neighbour.hear = () => undefined;
    sent.length = 0;
    await time.advance(9 * MINUTE_MS);
    expect(probesOf(sent)).toBe(0);
    await time.advance(2 * MINUTE_MS);
    expect(claim.host()).toBe('hearthd.local');
    const farewell = sent.find(({ answers }) => answers.some(({ ttlS }) => ttlS === 0));
    expect(farewell?.answers.map(({ name }) => name.wire).join()).toContain('hearthd-2');
    expect(farewell?.answers.map(({ name }) => name.wire).join()).not.toContain('_services');
  });

  test('is asked for again after 1, 10 and 60 minutes, and then each hour', async () => {
    const { claim, time, hold, sent } = openClaim();
    hold(1);
    claim.start();
    await time.advance(10_000);
    const askedAtMin: number[] = [];
    for (let minute = 0; minute < 200; minute += 1) {
      sent.length = 0;
      await time.advance(MINUTE_MS);
      if (probesOf(sent) > 0) askedAtMin.push(minute);
      expect(claim.host()).toBe('hearthd-2.local');
    }
    expect(askedAtMin).toEqual([0, 10, 70, 130, 190]);
  });

  test('is answered to while the hub asks for its first name', async () => {
    const { claim, time, hold, say, asked } = openClaim();
    hold(1);
    claim.start();
    await time.advance(MINUTE_MS + 1_400);
    const { uniqueNames } = hubRecords(CARD, 2, [OWN]);
    say({ ...EMPTY, questions: uniqueNames.map((name) => ({ name, type: DNS_TYPE.ANY })) });
    expect(asked.at(-1)?.questions).toHaveLength(3);
    expect(claim.host()).toBe('hearthd-2.local');
  });
});
