import { createBrowser } from '#lan/browse/browser.ts';
import type { FoundChange } from '#lan/browse/found-services.ts';
import type { DnsMessage, DnsRecord } from '#lan/mdns/dns-message.ts';
import { decodeDnsMessage, DNS_TYPE, dnsName, encodeDnsMessage, encodeDnsName, uint16 } from '#lan/mdns/dns-message.ts';
import type { MdnsLink } from '#lan/mdns/mdns-links.ts';
import { createReceiver } from '#lan/mdns/mdns.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

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

export const nameOf = (type: string) => dnsName(...type.split('.'), 'local');
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

/** A hub that browses, in time and on links of the test; packets pass through bytes both ways. */
export function openBrowseWorld(names: readonly string[] = ['eth0']) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const sent: { readonly interface: string; readonly atMs: number; readonly message: DnsMessage }[] = [];
  const linkOf = (name: string): MdnsLink => ({
    interface: name,
    addresses: [],
    answers: { answer: () => undefined, stop: () => undefined },
    socket: {
      close: () => undefined,
      send: (bytes) => {
        const message = decodeDnsMessage(bytes);
        if (message === undefined) throw new Error('the hub sent what it cannot read');
        sent.push({ interface: name, atMs: time.clock.monotonicMs(), message });
      },
    },
  });
  const state = { links: names.map(linkOf), own: new Set<string>(), activities: 0 };
  const isOnLink = (address: string): boolean => /^(?:192\.168\.50\.|fd00:|fe80:.*%)/.test(address);
  const browser = createBrowser({
    links: () => state.links,
    isOnLink,
    own: { isOwn: (key) => state.own.has(key), pointers: () => [] },
    onActive: () => {
      state.activities += 1;
      browser.follow();
    },
    random: () => 0,
    startTimer: time.startTimer,
    clock: time.clock,
    log,
  });
  const receive = createReceiver({
    isOnLink: (peer) => peer.startsWith('192.168.50.') || peer.startsWith('fe80::'),
    claim: { isSpokenOf: () => false, receive: () => undefined },
    browser,
  });
  const hear = (bytes: Buffer, from: { address?: string; port?: number; on?: string } = {}): void => {
    const { address = '192.168.50.20', port = 5353, on = names[0] } = from;
    const link = state.links.find((one) => one.interface === on);
    if (link !== undefined) receive(link, bytes, { address, port });
  };
  const say = (answers: readonly DnsRecord[], from?: Parameters<typeof hear>[1]): void =>
    hear(encodeDnsMessage({ ...EMPTY, isResponse: true, answers }), from);
  /** The changes that a new watcher sees. */
  const watch = (type = '_hue._tcp') => {
    const changes: FoundChange[] = [];
    const controller = new AbortController();
    browser.browse(type, (change) => void changes.push(change), controller.signal);
    return { changes, stop: () => controller.abort(), signal: controller.signal };
  };
  /** The interfaces that the machine has now. */
  const relink = (...now: readonly string[]): void => {
    state.links = now.map(linkOf);
    browser.follow();
  };
  return { time, lines, sent, state, browser, hear, say, watch, relink };
}
