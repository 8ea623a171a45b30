import { createBrowser } from '#lan/browse/browser.ts';
import type { FoundChange } from '#lan/browse/found-services.ts';
import { decodeDnsMessage, type DnsMessage, type DnsRecord, encodeDnsMessage } from '#lan/mdns/dns-message.ts';
import type { MdnsLink } from '#lan/mdns/mdns-links.ts';
import { createReceiver } from '#lan/mdns/mdns.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { EMPTY } from './announced.ts';

/** A hub that browses, in time and on links of the test; packets pass through bytes both ways. */
export function openBrowseWorld(names: readonly string[] = ['eth0']) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const sent: {
    readonly interface: string;
    readonly atMs: number;
    readonly size: number;
    readonly message: DnsMessage;
  }[] = [];
  const linkOf = (name: string): MdnsLink => ({
    interface: name,
    addresses: [],
    answers: { answer: () => undefined, stop: () => undefined },
    socket: {
      close: () => undefined,
      send: (bytes) => {
        const message = decodeDnsMessage(bytes);
        if (message === undefined) throw new Error('the hub sent what it cannot read');
        sent.push({ interface: name, atMs: time.clock.monotonicMs(), size: bytes.length, message });
      },
    },
  });
  const state = { links: names.map(linkOf), own: new Set<string>(), activities: 0 };
  const mayConnect = (address: string): boolean => /^(?:192\.168\.50\.|169\.254\.|fd00:|fe80:.*%)/.test(address);
  const browser = createBrowser({
    links: () => state.links,
    mayConnect,
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
