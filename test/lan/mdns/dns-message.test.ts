import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeDnsMessage,
  DNS_TYPE,
  type DnsName,
  dnsName,
  encodeDnsMessage,
  encodeDnsName,
} from '#lan/mdns/dns-message.ts';
import { answersTo, hubRecords } from '#lan/mdns/hub-records.ts';
import { conflictRule, isLater } from '#lan/mdns/name-conflict.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const CARD = { id: 'id-1', name: 'Home', claimed: false, apiVersion: 'v1', path: '/api', port: 8080 };
const EMPTY = { id: 0, isResponse: true, questions: [], answers: [], authorities: [], additionals: [] };
const records = hubRecords(CARD, 1, ['192.168.50.1', 'fe80::1%eth0']);

describe('a DNS message', () => {
  test('reads as it was written', () => {
    const message = { ...EMPTY, id: 9, questions: [{ name: dnsName('a', 'local'), type: 255 }], answers: records.all };
    expect(decodeDnsMessage(encodeDnsMessage(message))).toEqual(message);
  });

  test('is written with each name once, except in the data that resolvers of other kinds read', () => {
    const bytes = encodeDnsMessage({ ...EMPTY, answers: records.all });
    const timesOf = (name: DnsName): number => bytes.toString('latin1').split(name.wire).length - 1;
    expect(timesOf(dnsName('_http', '_tcp', 'local'))).toBe(1);
    // Its own name, and the data of two SRV and one NSEC.
    expect(timesOf(dnsName('hearthd', 'local'))).toBe(3);
    expect(bytes.length).toBeLessThan(700);
    expect(decodeDnsMessage(bytes)?.answers).toEqual(records.all);
  });

  test('with compressed names reads with names in full', () => {
    const name = encodeDnsName(dnsName('_http', '_tcp', 'local'));
    const answer = [0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 9, 0, 7, 4, ...Buffer.from('Home'), 0xc0, 12];
    const question = [...name, 0, 12, 0, 1];
    const bytes = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0, ...question, ...answer]);
    expect(decodeDnsMessage(bytes)?.answers[0]?.data).toEqual(encodeDnsName(dnsName('Home', '_http', '_tcp', 'local')));
  });

  test.each([
    ['a name that points to itself', [0xc0, 12, 0, 1, 0, 1]],
    ['a name that points forward', [0xc0, 14, 0, 1, 0, 1]],
    ['a name without an end', [63, 65, 65]],
    ['a reserved label', [0x80, 0, 0, 1, 0, 1]],
    [
      'a name of more labels than an address of IPv6 turned round',
      [...Buffer.from(`${'\u0001a'.repeat(40)}\0`), 0, 1, 0, 1],
    ],
    ['nothing', []],
  ])('that has %s is refused', (_what, question) => {
    expect(decodeDnsMessage(Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...question]))).toBeUndefined();
  });

  test('is read as long as its names take ten hops at most', () => {
    const withHops = (hops: number): Buffer => {
      // The name at 12 is the root; each pointer behind it goes to the one before.
      const chain = Array.from({ length: hops }, (_, hop) => [0xc0, hop === 0 ? 12 : 21 + 2 * hop]).flat();
      const hidden = [0, 0, 16, 0, 1, 0, 0, 0, 9, 0, chain.length - 2, ...chain.slice(0, -2)];
      const last = [...chain.slice(-2), 0, 16, 0, 1, 0, 0, 0, 9, 0, 0];
      return Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0, ...hidden, ...last]);
    };
    expect(decodeDnsMessage(withHops(10))?.answers[1]?.name).toEqual(dnsName());
    expect(decodeDnsMessage(withHops(11))).toBeUndefined();
  });

  test('is read up to 9,000 bytes', () => {
    const text = { name: dnsName('a', 'local'), type: DNS_TYPE.TXT, ttlS: 1, isUnique: false };
    const bytesOf = (size: number): Buffer =>
      encodeDnsMessage({ ...EMPTY, answers: [{ ...text, data: Buffer.alloc(size - 31) }] });
    expect(bytesOf(9_000)).toHaveLength(9_000);
    expect(decodeDnsMessage(bytesOf(9_000))?.answers).toHaveLength(1);
    expect(decodeDnsMessage(bytesOf(9_001))).toBeUndefined();
  });

  test('is read for the accepted names, in upper and lower case', () => {
    const questions = [dnsName('A', 'Local'), dnsName('b', 'local')].map((name) => ({ name, type: DNS_TYPE.A }));
    const bytes = encodeDnsMessage({ ...EMPTY, questions, answers: records.all });
    const wanted = decodeDnsMessage(bytes, (key) => key === dnsName('a', 'local').key);
    expect(wanted).toEqual({ ...EMPTY, questions: questions.slice(0, 1) });
  });

  test('of another class than that of the internet is not read', () => {
    const name = dnsName('a', 'local');
    const record = { name, type: DNS_TYPE.TXT, ttlS: 1, isUnique: false, data: Buffer.of(0) };
    const bytes = encodeDnsMessage({ ...EMPTY, questions: [{ name, type: DNS_TYPE.TXT }], answers: [record] });
    const at = bytes.indexOf(Buffer.of(0, 16, 0, 1)) + 3;
    bytes.writeUInt8(3, at);
    bytes.writeUInt8(3, bytes.indexOf(Buffer.of(0, 16, 0, 1)) + 3);
    expect(decodeDnsMessage(bytes)).toEqual(EMPTY);
    bytes.writeUInt8(255, at);
    expect(decodeDnsMessage(bytes)?.questions).toHaveLength(1);
  });

  test('of random bytes is read or refused, and nothing else happens', () => {
    const whole = encodeDnsMessage({ ...EMPTY, answers: records.all });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(whole.length), fc.nat(255), (noise, at, value) => {
        const flipped = Buffer.from(whole);
        flipped[Math.min(at, whole.length - 1)] = value;
        for (const bytes of [Buffer.from(noise), flipped, whole.subarray(0, at)]) {
          expect([undefined, true, false]).toContain(decodeDnsMessage(bytes)?.isResponse);
        }
      }),
      searchOf(3_000),
    );
  });
});

describe('the records of the hub', () => {
  test('fit into one packet and one label with any name of the hub', () => {
    const long = hubRecords({ ...CARD, name: '🏠'.repeat(200) }, 12, ['192.168.50.1']);
    expect(decodeDnsMessage(encodeDnsMessage({ ...EMPTY, answers: long.all }))?.answers).toEqual(long.all);
    expect(encodeDnsMessage({ ...EMPTY, answers: long.all }).length).toBeLessThan(1_400);
    expect(Buffer.from(long.uniqueNames[1]?.wire ?? '', 'latin1').toString()).toMatch(/^=🏠+ \(12\)/u);
    expect(long.host).toBe('hearthd-12.local');
  });

  test('answer questions in upper and lower case, and say that a record does not exist', () => {
    const found = answersTo(records.all, { name: dnsName('HEARTHD', 'Local'), type: DNS_TYPE.AAAA });
    expect(found.answers).toHaveLength(1);
    expect(found.additionals.map(({ type }) => type)).toContain(DNS_TYPE.A);
    const ipv4Only = hubRecords(CARD, 1, ['192.168.50.1']).all;
    const none = answersTo(ipv4Only, { name: dnsName('hearthd', 'local'), type: DNS_TYPE.AAAA });
    expect(none.answers.map(({ type }) => type)).toEqual([DNS_TYPE.NSEC]);
    expect(answersTo(ipv4Only, { name: dnsName('other', 'local'), type: DNS_TYPE.ANY }).answers).toEqual([]);
  });

  test('conflict with what another host says of their names, and with nothing else', () => {
    const theirs = hubRecords(CARD, 1, ['192.168.50.2']);
    const isConflict = conflictRule(records.uniqueNames, records.all);
    expect(isConflict(theirs.all)).toBe(true);
    expect(isConflict(records.all)).toBe(false);
    expect(isConflict(hubRecords(CARD, 2, ['192.168.50.2']).all)).toBe(false);
    const goodbye = theirs.all.map((record) => ({ ...record, ttlS: 0 }));
    expect(isConflict(goodbye)).toBe(false);
  });

  test('of two hubs that probe at once sort so that exactly one is later', () => {
    const theirs = hubRecords(CARD, 1, ['192.168.50.2']);
    expect(isLater(theirs.all, records.all)).toBe(true);
    expect(isLater(records.all, theirs.all)).toBe(false);
    expect(isLater(records.all, records.all)).toBe(false);
  });

  test('have names that cannot be mixed up', () => {
    expect(dnsName('a.b', 'c').key).not.toBe(dnsName('a', 'b', 'c').key);
  });
});
