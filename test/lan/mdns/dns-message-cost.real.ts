import { findExcess } from '#test/support/attack/costly-input.ts';
import { DNS_LANGUAGE, SERVICE_LANGUAGE } from '#test/support/attack/costly-dns.ts';
import { expect, test } from 'vitest';
import { decodeDnsMessage } from '#lan/mdns/dns-message.ts';
import { openHeardClaim } from '#test/support/daemon/heard-claim.ts';

// The largest input of a search is the largest packet that is read at all.
const SIZE = 1_100;

test('the cost of reading a message is bounded for each byte, wherever its names point', async () => {
  const parse = (bytes: Buffer): unknown => decodeDnsMessage(bytes);
  expect(await findExcess({ ...DNS_LANGUAGE, parse, size: SIZE, stepsPerByte: 400 })).toEqual([]);
});

test('so is the cost of all that the hub does with the message', async () => {
  const { hear } = await openHeardClaim();
  expect(await findExcess({ ...DNS_LANGUAGE, parse: hear, size: SIZE, stepsPerByte: 400 })).toEqual([]);
});

test('and so it is while the hub looks for services', async () => {
  const { hear } = await openHeardClaim('_http._tcp');
  expect(await findExcess({ ...SERVICE_LANGUAGE, parse: hear, size: SIZE, stepsPerByte: 600 })).toEqual([]);
});
