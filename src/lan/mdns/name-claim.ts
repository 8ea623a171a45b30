import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';
import { createConflictNotes, type NameConflict } from './conflict-notes.ts';
import { DNS_TYPE, encodeDnsMessage, type DnsMessage, type DnsRecord } from './dns-message.ts';
import { type HubCard, type HubRecords, hubRecords } from './hub-records.ts';
import type { MdnsLink, MdnsLinks } from './mdns-links.ts';
import { MDNS_PORT } from './mdns-socket.ts';
import { isLater, recordKey, conflictRule } from './name-conflict.ts';
import { createNameProbe, type NameProbe } from './name-probe.ts';

/** Holds a name that only this hub has in the network, and answers to it. */
export type NameClaim = {
  readonly host: () => string | undefined;
  readonly conflict: () => NameConflict | undefined;
  /** Asks the network whether the name is free, then announces. */
  readonly start: () => void;
  readonly pause: () => void;
  readonly goodbye: () => void;
  readonly receive: (
    link: MdnsLink,
    message: DnsMessage,
    from: { readonly address: string; readonly port: number },
  ) => void;
  /** Whether the hub has records of the name with this key, or asks the network for that name. */
  readonly isSpokenOf: (key: string) => boolean;
  /** Whether the hub has records of the name with this key. */
  readonly isOwn: (key: string) => boolean;
  /** The hub's own answers to a question for services of this type. */
  readonly pointers: (typeKey: string) => readonly DnsRecord[];
};

type NameClaimDeps = Pick<Runtime, 'random' | 'startTimer' | 'log'> & {
  readonly links: Pick<MdnsLinks, 'all'>;
  readonly card: () => HubCard | undefined;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

const ANNOUNCE_AGAIN_MS = 1_000;
/** Waiting times before the hub asks for its first name again, by the number of failed tries. */
const FIRST_NAME_AFTER_MS = [60_000, 600_000, 3_600_000] as const;
const EMPTY: DnsMessage = { id: 0, isResponse: false, questions: [], answers: [], authorities: [], additionals: [] };

/**
 * Probes for a name, announces it and defends it. If another host keeps the name nevertheless, takes the next one,
 * `hearthd-2`, and answers to it; from then on the hub asks for its first name again now and then.
 */
export function createNameClaim(deps: NameClaimDeps): NameClaim {
  const { links, card, clock, random, startTimer } = deps;
  const ownAs = createOwnRecords(links, card);
  const notes = createConflictNotes(deps);
  const state: ClaimState = { held: undefined, asked: undefined, last: 1, inVain: 0 };
  let stopAgain = (): void => undefined;
  let stopFirst = (): void => undefined;

  const ownOf = (count: number | undefined): OwnRecords | undefined => (count === undefined ? undefined : ownAs(count));
  const tell = (count: number | undefined, messageOf: (records: HubRecords) => Partial<DnsMessage>): void => {
    const own = ownOf(count);
    if (own !== undefined)
      for (const link of links.all()) link.socket.send(encodeDnsMessage({ ...EMPTY, ...messageOf(own.on(link)) }));
  };
  const announce = (): void => tell(state.held, ({ all }) => ({ isResponse: true, answers: all }));
  const ask = (count: number): void => {
    state.asked = count;
    if (links.all().length > 0) probe.start();
  };
  const askForFirstLater = (): void => {
    stopFirst();
    if (state.held === 1) state.inVain = 0;
    if (state.held === undefined || state.held === 1) return;
    const waitMs = FIRST_NAME_AFTER_MS[Math.min(state.inVain, FIRST_NAME_AFTER_MS.length - 1)] ?? 0;
    state.inVain += 1;
    stopFirst = startTimer(waitMs, () => ask(1));
  };
  const take = (count: number): void => {
    const before = state.held;
    Object.assign(state, { held: count, asked: undefined });
    if (before !== undefined) tell(before, takenBack(ownOf(count), links.all()));
    notes.noteHeld(ownOf(count)?.host, links.all());
    announce();
    stopAgain();
    stopAgain = startTimer(ANNOUNCE_AGAIN_MS, announce);
    askForFirstLater();
  };
  const probe = createNameProbe({
    random,
    startTimer,
    clock,
    send: () => tell(state.asked, probeOf),
    onFree: () => state.asked !== undefined && take(state.asked),
    onTaken: (holder) => {
      const { asked = 1, held } = state;
      const next = held ?? asked + 1;
      notes.noteTaken({ name: ownOf(asked)?.host ?? '', holder }, ownOf(next)?.host);
      if (held === undefined) return ask(next);
      state.asked = undefined;
      askForFirstLater();
    },
  });
  const defence = createNameDefence({
    clock,
    announce: (holder) => {
      notes.noteClaimed({ name: ownOf(state.held)?.host ?? '', holder });
      announce();
    },
    onStable: () => {
      const { held = 1 } = state;
      pause();
      ask(held);
    },
  });
  const pause = (): void => {
    for (const stop of [probe.stop, stopAgain, stopFirst]) stop();
    Object.assign(state, { held: undefined, asked: undefined, last: state.held ?? state.asked ?? state.last });
  };
  return {
    conflict: () => notes.conflict(state.held === 1),
    pause,
    start: () => {
      pause();
      state.inVain = 0;
      ask(state.last);
    },
    goodbye: () => tell(state.held, ({ all }) => ({ isResponse: true, answers: all.map(expired) })),
    ...ownNames(state, ownOf),
    receive: receiverOf({ state, ownOf, probe, defence }),
  };
}

type OwnNames = Pick<NameClaim, 'host' | 'isSpokenOf' | 'isOwn' | 'pointers'>;

function ownNames(state: Receiver['state'], ownOf: Receiver['ownOf']): OwnNames {
  return {
    host: () => ownOf(state.held)?.host,
    isOwn: (key) => ownOf(state.held)?.isSpokenOf(key) === true,
    isSpokenOf: (key) => ownOf(state.held)?.isSpokenOf(key) === true || ownOf(state.asked)?.isSpokenOf(key) === true,
    pointers: (typeKey) => (ownOf(state.held)?.pointers ?? []).filter(({ name }) => name.key === typeKey),
  };
}

type Receiver = {
  readonly state: Pick<ClaimState, 'held' | 'asked'>;
  readonly ownOf: (count: number | undefined) => OwnRecords | undefined;
  readonly probe: Pick<NameProbe, 'contest' | 'giveWay'>;
  readonly defence: NameDefence;
};

function receiverOf({ state, ownOf, probe, defence }: Receiver): NameClaim['receive'] {
  return (link, message, from) => {
    const [held, asked] = [ownOf(state.held), ownOf(state.asked)];
    if (!message.isResponse && held !== undefined) link.answers.answer(message, from, held.on(link).all);
    // The hub's own messages come back, and may be older than what it would say now.
    if (link.addresses.includes(from.address) || from.port !== MDNS_PORT) return;
    if (message.isResponse) {
      const said = [...message.answers, ...message.additionals];
      if (held?.isConflict(said) === true) defence.hear(from.address);
      if (asked?.isConflict(said) === true) probe.contest(from.address);
    } else if (asked?.isConflict(message.authorities) === true) {
      // Two hubs start at the same time after a power cut.
      if (isLater(message.authorities, asked.on(link).all)) probe.giveWay();
    }
  };
}

type ClaimState = {
  /** Number of the name that the hub announces and answers to. */
  held: number | undefined;
  /** Number of the name that the hub is asking the network for. */
  asked: number | undefined;
  /** Number of the name to begin with after a pause. */
  last: number;
  /** How often the first name was found to be still taken. */
  inVain: number;
};

function probeOf({ all, uniqueNames }: HubRecords): Partial<DnsMessage> {
  return {
    questions: uniqueNames.map((name) => ({ name, type: DNS_TYPE.ANY })),
    // RFC 6762 section 10.2: only an answer makes others forget what they have.
    authorities: all
      .filter(({ isUnique, type }) => isUnique && type !== DNS_TYPE.NSEC)
      .map((record) => ({ ...record, isUnique: false })),
  };
}

const expired = (record: DnsRecord): DnsRecord => ({ ...record, ttlS: 0 });

/** Withdraws the records that the new name does not have. */
function takenBack(
  now: OwnRecords | undefined,
  links: readonly MdnsLink[],
): (before: HubRecords) => Partial<DnsMessage> {
  const kept = new Set(links.flatMap((link) => now?.on(link).all ?? []).map(recordKey));
  return ({ all }) => ({
    isResponse: true,
    answers: all.filter((record) => !kept.has(recordKey(record))).map(expired),
  });
}

/** Defends a name that the hub has (RFC 6762 section 9). */
type NameDefence = ReturnType<typeof createNameDefence>;

type NameDefenceDeps = {
  /** Announces the name once more: a host that took it by accident gives it up. */
  readonly announce: (holder: string) => void;
  /** One host keeps claiming the name: then the hub has to ask the network again. */
  readonly onStable: (holder: string) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

const ANNOUNCE_EVERY_MS = 1_000;
const STABLE_AFTER = 3;
const FORGOTTEN_AFTER_MS = 60_000;
/** While the hub asks the network it does not answer to the name: no host may force it to ask all the time. */
const ASK_EVERY_MS = 60_000;
const MAX_HOLDERS = 64;

function createNameDefence({ announce, onStable, clock }: NameDefenceDeps) {
  const holders = new Map<string, { readonly times: number; readonly lastMs: number }>();
  let announcedMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    /** Another host claims the name. */
    hear: (holder: string): void => {
      const nowMs = clock.monotonicMs();
      // A claim counts only if it came after an announcement had time to reach its sender.
      if (nowMs - announcedMs < ANNOUNCE_EVERY_MS) return;
      announcedMs = nowMs;
      announce(holder);
      const known = holders.get(holder);
      const times = known !== undefined && nowMs - known.lastMs < FORGOTTEN_AFTER_MS ? known.times + 1 : 1;
      holders.delete(holder);
      holders.set(holder, { times, lastMs: nowMs });
      const [oldest] = holders.keys();
      if (holders.size > MAX_HOLDERS && oldest !== undefined) holders.delete(oldest);
      if (times < STABLE_AFTER || nowMs - askedMs < ASK_EVERY_MS) return;
      askedMs = nowMs;
      holders.clear();
      onStable(holder);
    },
  };
}

/** The records of the hub under one of its names. */
type OwnRecords = ReturnType<typeof recordsOf>;

type Made = { readonly card: HubCard; readonly links: readonly MdnsLink[]; readonly records: OwnRecords };

/** One name that the hub holds and one that it asks for. */
const MAX_MADE = 2;

/** By the number of the name; kept while card and links stay the same, since each packet is compared with them. */
function createOwnRecords(
  links: Pick<MdnsLinks, 'all'>,
  card: () => HubCard | undefined,
): (count: number) => OwnRecords | undefined {
  const made = new Map<number, Made>();
  return (count) => {
    const shown = card();
    if (shown === undefined) return undefined;
    const known = made.get(count);
    if (known?.card === shown && known.links === links.all()) return known.records;
    const records = recordsOf(count, shown, links.all());
    made.delete(count);
    for (const older of [...made.keys()].slice(0, made.size + 1 - MAX_MADE)) made.delete(older);
    made.set(count, { card: shown, links: links.all(), records });
    return records;
  };
}

function recordsOf(count: number, card: HubCard, links: readonly MdnsLink[]) {
  const byLink = new Map(links.map((link) => [link, hubRecords(card, count, link.addresses)]));
  const plain = hubRecords(card, count, []);
  const all: readonly DnsRecord[] = [plain, ...byLink.values()].flatMap((records) => records.all);
  const keys = new Set(all.map(({ name }) => name.key));
  return {
    /** Host name with its zone, as `hearthd.local`. */
    host: plain.host,
    on: (link: MdnsLink): HubRecords => byLink.get(link) ?? plain,
    /** Whether there are records of the name with this key. */
    isSpokenOf: (key: string): boolean => keys.has(key),
    isConflict: conflictRule(plain.uniqueNames, all),
    /** From the types of service to the hub's services. */
    pointers: plain.all.filter(({ type }) => type === DNS_TYPE.PTR),
  };
}
