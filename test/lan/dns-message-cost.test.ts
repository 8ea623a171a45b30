import { findExcess } from '#test/support/costly-input.ts';
import { DNS_LANGUAGE } from '#test/support/costly-dns.ts';
import { expect, test } from 'vitest';
import { decodeDnsMessage, dnsName } from '#lan/dns-message.ts';

const WANTED = new Set([dnsName('hearthd', 'local').key, dnsName('_http', '_tcp', 'local').key]);

// The largest of these is the largest packet that is read at all.
test.each([
  ['of all names', undefined],
  ['of the names of the hub', (key: string) => WANTED.has(key)],
])('reading a message costs no more for each byte than it may, %s', { timeout: 60_000 }, async (_what, isWanted) => {
  const parse = (bytes: Buffer): unknown => decodeDnsMessage(bytes, isWanted);
  expect(await findExcess({ ...DNS_LANGUAGE, parse, size: 1_100, stepsPerByte: 400 })).toEqual([]);
});
