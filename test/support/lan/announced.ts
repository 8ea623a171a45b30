import type { DnsMessage, DnsRecord } from '#lan/mdns/dns-message.ts';
import { DNS_TYPE, type DnsName, dnsName, encodeDnsName, uint16 } from '#lan/mdns/dns-message.ts';

export const EMPTY: DnsMessage = {
  id: 0,
  isResponse: false,
  questions: [],
  answers: [],
  authorities: [],
  additionals: [],
};

/** A service as a test describes it. */
export type Announced = {
  readonly name: string;
  readonly type: string;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly txt: readonly string[];
  readonly ttlS: number;
};

export const BRIDGE: Announced = {
  name: 'Hue Bridge - 1A2B3C',
  type: '_hue._tcp',
  host: 'hue-1',
  port: 443,
  addresses: ['192.168.50.20'],
  txt: ['bridgeid=001788fffe1a2b3c', 'modelid=BSB002'],
  ttlS: 120,
};

const POINTER_TTL_S = 4_500;

export const nameOf = (type: string): DnsName => dnsName(...type.split('.'), 'local');
export const pointerTo = ({ name, type, ttlS }: Pick<Announced, 'name' | 'type' | 'ttlS'>): DnsRecord => ({
  name: nameOf(type),
  type: DNS_TYPE.PTR,
  ttlS: ttlS === 0 ? 0 : Math.max(ttlS, POINTER_TTL_S),
  isUnique: false,
  data: encodeDnsName(dnsName(name, ...type.split('.'), 'local')),
});
const unique = (name: readonly string[], type: number, more: { ttlS: number; data: Buffer }): DnsRecord => ({
  name: dnsName(...name, 'local'),
  type,
  isUnique: true,
  ...more,
});
export const placeRecord = ({ name, type, host, port, ttlS }: Announced): DnsRecord =>
  unique([name, ...type.split('.')], DNS_TYPE.SRV, {
    ttlS,
    data: Buffer.concat([uint16(0, 0, port), encodeDnsName(dnsName(host, 'local'))]),
  });
export const textRecord = ({ name, type, txt, ttlS }: Announced): DnsRecord =>
  unique([name, ...type.split('.')], DNS_TYPE.TXT, {
    ttlS,
    data: Buffer.concat(txt.flatMap((pair) => [Buffer.of(Buffer.byteLength(pair)), Buffer.from(pair)])),
  });
export const addressRecord = (host: string, address: string, ttlS: number): DnsRecord => {
  const isIpv4 = !address.includes(':');
  const words = isIpv4 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  return unique([host], isIpv4 ? DNS_TYPE.A : DNS_TYPE.AAAA, { ttlS, data: words });
};
const ipv6Bytes = (address: string): Buffer => {
  const [head = '', tail = ''] = address.split('::').map((part) => part);
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((one) => Number.parseInt(one, 16));
  const [first, last] = [groups(head), groups(tail)];
  return uint16(...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last);
};

export const recordsOf = (announced: Announced): readonly DnsRecord[] => [
  pointerTo(announced),
  placeRecord(announced),
  textRecord(announced),
  ...announced.addresses.map((address) => addressRecord(announced.host, address, announced.ttlS)),
];
