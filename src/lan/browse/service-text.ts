import { readIpAddress, formatIpAddress } from '#base/ip-address.ts';
import { DNS_TYPE, type DnsName, dnsName } from '#lan/mdns/dns-message.ts';

/** No name may have control characters, or characters that reverse the text around them. */
const UNSEEMLY = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const REPLACED = '\ufffd';
/** RFC 6763 section 6.2: what fits a packet. Of a longer text, the rest is not read. */
export const MAX_TEXT_BYTES = 1_300;
const MAX_PAIRS = 64;
/** RFC 6335 section 5.1, with the transport of RFC 6763 section 7. */
const TYPE = /^_[a-z0-9](?:[a-z0-9-]{0,13}[a-z0-9])?\._(?:tcp|udp)$/;

/** The name under which services of this type are found. Throws for what is no type, such as `hue`. */
export function typeName(type: string): DnsName {
  if (!TYPE.test(type)) throw new RangeError(`not a type of service: ${type}`);
  return dnsName(...type.split('.'), 'local');
}

/** The key of the name without its first label. */
export function keyOfRest(key: string): string {
  return key.slice(key.charCodeAt(0) + 1);
}

/** The first label of a name as a person reads it; bytes that are no UTF-8 become U+FFFD. */
export function firstLabel(wire: string): string {
  return textOf(wire.slice(1, 1 + wire.charCodeAt(0)));
}

/** A host name in its written form: a dot or backslash inside a label is escaped (RFC 4343 section 2.1). */
export function hostText(wire: string): string {
  const labels: string[] = [];
  for (let at = 0; at < wire.length - 1; at += wire.charCodeAt(at) + 1) {
    labels.push(textOf(wire.slice(at + 1, at + 1 + wire.charCodeAt(at))).replaceAll(/[.\\]/g, String.raw`\$&`));
  }
  return labels.join('.');
}

/**
 * The pairs of a TXT record (RFC 6763 section 6): keys in lower case, the first of equal keys, an empty text for a key
 * without a value. The record has no prototype: a device may name a key `constructor`.
 */
export function readPairs(data: string): Readonly<Record<string, string>> {
  const pairs: Record<string, string> = Object.create(null) as Record<string, string>;
  const end = Math.min(data.length, MAX_TEXT_BYTES);
  for (let [at, count] = [0, 0]; at < end && count < MAX_PAIRS; at += data.charCodeAt(at) + 1, count += 1) {
    const next = at + 1 + data.charCodeAt(at);
    if (next > end) break;
    const pair = data.slice(at + 1, next);
    const [, key = '', value = ''] = /^([ -<>-~]+)(?:=([^]*))?$/.exec(pair) ?? [];
    const name = key.toLowerCase();
    if (name !== '' && pairs[name] === undefined) pairs[name] = textOf(value);
  }
  return pairs;
}

/** The text of an address record, a link-local one with its zone; `undefined` for data that is no such address. */
export function addressText(type: number, data: string, interfaceName: string): string | undefined {
  const bytes = Buffer.from(data, 'latin1');
  if (type === DNS_TYPE.A) return bytes.length === 4 ? bytes.join('.') : undefined;
  if (bytes.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  const address = readIpAddress(groups.join(':'));
  // An IPv4 address in the clothes of an IPv6 one is no address of a host in a home.
  if (address === undefined || address.family === 4) return undefined;
  const isLinkLocal = (address.words[0] & 0xffc00000) >>> 0 === 0xfe800000;
  return formatIpAddress(address) + (isLinkLocal ? `%${interfaceName}` : '');
}

function textOf(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8').replaceAll(UNSEEMLY, REPLACED);
}
