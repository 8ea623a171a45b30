import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/timer.ts';
import { decodeDnsMessage, DNS_TYPE, encodeDnsMessage } from './dns-message.ts';
import type { DnsMessage } from './dns-message.ts';
import type { HubCard, HubRecords } from './hub-records.ts';
import { hubRecords } from './hub-records.ts';
import type { MdnsLink, MdnsLinks } from './mdns-links.ts';
import { MDNS_PORT } from './mdns-socket.ts';
import { hasConflict, isLater } from './name-conflict.ts';

/** Holds a name that is this hub's alone in the network, and answers to it. */
export type NameClaim = {
  readonly host: () => string | undefined;
  /** Asks the network whether the name is free, then announces. */
  readonly start: () => void;
  readonly pause: () => void;
  readonly goodbye: () => void;
  readonly receive: (link: MdnsLink, bytes: Buffer, from: { readonly address: string; readonly port: number }) => void;
};

export type NameClaimDeps = {
  readonly links: Pick<MdnsLinks, 'all'>;
  readonly card: () => HubCard | undefined;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

const PROBES = 3;
const PROBE_EVERY_MS = 250;
const ANNOUNCE_AGAIN_MS = 1_000;
const LOSER_WAITS_MS = 1_000;
/** After so many conflicts it is no accident, and haste helps nobody (RFC 6762 section 8.1). */
const MANY_CONFLICTS = 15;
const SLOW_DOWN_MS = 5_000;
const EMPTY: DnsMessage = { id: 0, isResponse: false, questions: [], answers: [], authorities: [], additionals: [] };

/** Probes, announces, defends and, where another host was there first, takes the next name: `hearthd-2`. */
export function createNameClaim({ links, card, log, random, startTimer }: NameClaimDeps): NameClaim {
  let state: 'silent' | 'probing' | 'announced' = 'silent';
  let count = 1;
  let conflicts = 0;
  let stopStep = (): void => undefined;

  const recordsOn = (addresses: readonly string[]): HubRecords | undefined => {
    const shown = card();
    return shown === undefined ? undefined : hubRecords(shown, count, addresses);
  };
  const sendAll = (messageOf: (records: HubRecords) => Partial<DnsMessage>): void => {
    for (const { addresses, socket } of links.all()) {
      const records = recordsOn(addresses);
      if (records !== undefined) socket.send(encodeDnsMessage({ ...EMPTY, ...messageOf(records) }));
    }
  };
  const next = (waitMs: number, step: () => void): void => {
    stopStep();
    stopStep = startTimer(waitMs, step);
  };
  const announce = (again: boolean): void => {
    const interfaces = [...new Set(links.all().map((link) => link.interface))].join(',');
    if (state !== 'announced') log.info('advertised in the network', { host: recordsOn([])?.host, interfaces });
    state = 'announced';
    sendAll(({ all }) => ({ isResponse: true, answers: all }));
    if (again) next(ANNOUNCE_AGAIN_MS, () => announce(false));
  };
  const probe = (left: number): void => {
    if (left === 0) return announce(true);
    sendAll(({ all, uniqueNames }) => ({
      questions: uniqueNames.map((name) => ({ name, type: DNS_TYPE.ANY })),
      authorities: all.filter(({ isUnique, type }) => isUnique && type !== DNS_TYPE.NSEC),
    }));
    next(PROBE_EVERY_MS, () => probe(left - 1));
  };
  const start = (waitMs = 0): void => {
    state = 'probing';
    if (links.all().length > 0) next(waitMs + random() * PROBE_EVERY_MS, () => probe(PROBES));
  };
  /** Who was there first keeps the name; who holds it already asks again, and is answered. */
  const loseName = (): void => {
    conflicts += 1;
    if (state === 'probing') {
      const taken = recordsOn([])?.host;
      count += 1;
      log.warn('another host has this name', { taken, next: recordsOn([])?.host });
    }
    start(conflicts > MANY_CONFLICTS ? SLOW_DOWN_MS : 0);
  };

  return {
    host: () => (state === 'announced' ? recordsOn([])?.host : undefined),
    start,
    pause: () => {
      stopStep();
      state = 'silent';
    },
    goodbye: () => {
      if (state !== 'announced') return;
      sendAll(({ all }) => ({ isResponse: true, answers: all.map((record) => ({ ...record, ttlS: 0 })) }));
    },
    receive: (link, bytes, from) => {
      const message = state === 'silent' ? undefined : decodeDnsMessage(bytes);
      const records = recordsOn(link.addresses);
      if (message === undefined || records === undefined) return;
      const isQuestion = !message.isResponse && state === 'announced';
      if (isQuestion) return link.answers.answer(message, from, records.all);
      // What the hub itself sent comes back, and may be older than what it would say now.
      if (link.addresses.includes(from.address) || from.port !== MDNS_PORT) return;
      const own = links.all().flatMap(({ addresses }) => recordsOn(addresses)?.all ?? []);
      if (message.isResponse) {
        if (hasConflict([...message.answers, ...message.additionals], records.uniqueNames, own)) loseName();
      } else if (hasConflict(message.authorities, records.uniqueNames, own)) {
        // Two hubs that start together after a power cut.
        if (isLater(message.authorities, records.all)) start(LOSER_WAITS_MS);
      }
    },
  };
}
