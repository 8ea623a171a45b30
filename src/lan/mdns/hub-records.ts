import type { DnsName, DnsRecord } from './dns-message.ts';
import { DNS_TYPE, dnsName, encodeDnsName, uint16 } from './dns-message.ts';
import { readIpAddress } from '#base/ip-address.ts';

/** The hub advertises this about itself, to every host of its network. */
export type HubCard = {
  readonly id: string;
  readonly name: string;
  readonly claimed: boolean;
  readonly apiVersion: string;
  readonly path: string;
  readonly port: number;
};

export type HubRecords = {
  readonly all: readonly DnsRecord[];
  /** Host name with its zone, such as `hearthd.local`. */
  readonly host: string;
  /** The names that only this hub may have in the network. */
  readonly uniqueNames: readonly DnsName[];
};

const HOST_TTL_S = 120;
const SERVICE_TTL_S = 4_500;
const TYPES = ['_hearthd', '_http'];
const MAX_LABEL_BYTES = 63;

/** The records (RFC 6763) of the hub as the `count`-th of its name, with these addresses of one link. */
export function hubRecords(card: HubCard, count: number, addresses: readonly string[]): HubRecords {
  const hostLabel = count === 1 ? 'hearthd' : `hearthd-${count}`;
  const host = dnsName(hostLabel, 'local');
  const instance = cutLabel(card.name === '' ? 'hearthd' : card.name, count === 1 ? '' : ` (${count})`);
  const shared = (name: DnsName, target: DnsName): DnsRecord => {
    return { name, type: DNS_TYPE.PTR, ttlS: SERVICE_TTL_S, isUnique: false, data: encodeDnsName(target) };
  };
  const unique = (name: DnsName, type: number, data: Buffer): DnsRecord => {
    const ttlS = type === DNS_TYPE.TXT ? SERVICE_TTL_S : HOST_TTL_S;
    return { name, type, ttlS, isUnique: true, data };
  };
  const hosts = addresses.flatMap((address) => addressData(address)).map(({ type, data }) => unique(host, type, data));
  const services = TYPES.flatMap((type) => {
    const service = dnsName(type, '_tcp', 'local');
    const name = dnsName(instance, type, '_tcp', 'local');
    return [
      shared(service, name),
      shared(dnsName('_services', '_dns-sd', '_udp', 'local'), service),
      unique(name, DNS_TYPE.SRV, Buffer.concat([uint16(0, 0, card.port), encodeDnsName(host)])),
      unique(name, DNS_TYPE.TXT, textData(card)),
      unique(name, DNS_TYPE.NSEC, nsecData(name, [DNS_TYPE.TXT, DNS_TYPE.SRV])),
    ];
  });
  const present = [...new Set(hosts.map(({ type }) => type))];
  return {
    all: [...services, ...hosts, unique(host, DNS_TYPE.NSEC, nsecData(host, present))],
    host: `${hostLabel}.local`,
    uniqueNames: [host, ...TYPES.map((type) => dnsName(instance, type, '_tcp', 'local'))],
  };
}

/** The records that answer a question, and those that the client will need next. */
export function answersTo(
  records: readonly DnsRecord[],
  question: { readonly name: DnsName; readonly type: number },
): { readonly answers: readonly DnsRecord[]; readonly additionals: readonly DnsRecord[] } {
  const named = records.filter(({ name }) => name.key === question.name.key);
  const typed = named.filter(({ type }) => question.type === DNS_TYPE.ANY || type === question.type);
  // RFC 6762 section 6.1: saying that there is no such record saves the client a time-out.
  const answers = typed.length > 0 ? typed : named.filter(({ type }) => type === DNS_TYPE.NSEC);
  const follow = answers.some(({ type }) => type === DNS_TYPE.PTR || type === DNS_TYPE.SRV || isAddress(type));
  const additionals = follow ? records.filter((record) => record.isUnique && !answers.includes(record)) : [];
  return { answers, additionals };
}

function isAddress(type: number): boolean {
  return type === DNS_TYPE.A || type === DNS_TYPE.AAAA;
}

function addressData(text: string): { type: number; data: Buffer }[] {
  const address = readIpAddress(text);
  if (address === undefined) return [];
  const data = Buffer.alloc(16);
  for (const [index, word] of address.words.entries()) data.writeUInt32BE(word, index * 4);
  return address.family === 4 ? [{ type: DNS_TYPE.A, data: data.subarray(12) }] : [{ type: DNS_TYPE.AAAA, data }];
}

function textData(card: HubCard): Buffer {
  const pairs = [
    'txtvers=1',
    `id=${card.id}`,
    `name=${cutLabel(card.name, '')}`,
    `api=${card.apiVersion}`,
    `path=${card.path}`,
    `claimed=${card.claimed}`,
  ];
  return Buffer.concat(
    pairs.map((pair) => {
      const text = Buffer.from(cutBytes(pair, 255));
      return Buffer.concat([Buffer.of(text.length), text]);
    }),
  );
}

/** RFC 4034 section 4.1: the existing types, all below 256, as one block of bits. */
function nsecData(name: DnsName, types: readonly number[]): Buffer {
  const bits = Buffer.alloc(Math.floor(Math.max(DNS_TYPE.NSEC, ...types) / 8) + 1);
  for (const type of types) bits[type >> 3] = (bits[type >> 3] ?? 0) | (0x80 >> (type & 7));
  return Buffer.concat([encodeDnsName(name), Buffer.of(0, bits.length), bits]);
}

function cutLabel(text: string, end: string): string {
  return cutBytes(text, MAX_LABEL_BYTES - end.length) + end;
}

/** Never cuts in the middle of a character. */
function cutBytes(text: string, maxBytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > maxBytes) cut = Array.from(cut).slice(0, -1).join('');
  return cut;
}
