import type { Runtime } from '#base/time/runtime.ts';
import type { Budget } from '#base/token-buckets.ts';
import { DNS_TYPE, type DnsName, type DnsRecord } from '#lan/mdns/dns-message.ts';
import type { FoundServices } from './found-services.ts';
import { type Query, queryBytes, queryPackets } from './query-packets.ts';
import { createServiceCache } from './service-cache.ts';
import type { ServiceRoom } from './service-room.ts';

/** Asks for services on one interface, by both families of addresses, and keeps what is heard there. */
export type LinkBrowser = ReturnType<typeof createLinkBrowser>;

export type LinkBrowserDeps = Pick<Runtime, 'monotonicMs' | 'random'> & {
  readonly interface: string;
  readonly send: (packet: Buffer) => void;
  /** In bytes of questions. */
  readonly budget: Budget;
  readonly own: OwnServices;
  readonly room: ServiceRoom;
  readonly foundOf: (typeKey: string) => FoundServices | undefined;
};

/** The hub says these services itself. */
export type OwnServices = {
  readonly isOwn: (key: string) => boolean;
  /** The hub knows its own services: it need not answer its own questions for them. */
  readonly pointers: (typeKey: string) => readonly DnsRecord[];
};

/** So that hosts that all start after a power cut do not ask in the same moment. */
const FIRST_QUESTION_MS = { min: 20, spread: 100 };
const NEXT_QUESTION_MS = { first: 1_000, most: 3_600_000 };

export function createLinkBrowser({ budget, own, foundOf, monotonicMs, random, ...deps }: LinkBrowserDeps) {
  const types = new Map<string, TypeQuestions>();
  const cache = createServiceCache({
    ...deps,
    isBrowsed: (typeKey) => types.has(typeKey),
    isOwn: own.isOwn,
    onAdded: (service) => foundOf(service.typeKey)?.add(service),
    onRemoved: (service) => foundOf(service.typeKey)?.remove(service),
    onChanged: (service) => foundOf(service.typeKey)?.touch(service),
    onHostChanged: (host) => {
      for (const typeKey of types.keys()) foundOf(typeKey)?.touch(host);
    },
    monotonicMs,
    random,
  });
  const mayAsk = ({ wire }: DnsName): boolean => {
    if (!budget.isLeft()) return false;
    budget.spend(wire.length);
    return true;
  };
  const pointerQuery = ({ name }: TypeQuestions): Query => {
    const answers = [...own.pointers(name.key), ...cache.knownPointers(name)];
    const query = { question: { name, type: DNS_TYPE.PTR }, answers };
    budget.spend(queryBytes(query));
    return query;
  };
  return {
    /** Asks for services of this type from now on; begins again if it did already. Returns when to look. */
    ask: (type: DnsName): number => {
      const questions = createTypeQuestions(type, monotonicMs(), random);
      types.set(type.key, questions);
      return questions.nextMs();
    },
    forget: (typeKey: string): void => {
      types.delete(typeKey);
      cache.forgetType(typeKey);
    },
    forgetAll: cache.forgetAll,
    /** True if one of the records is of use. */
    hear: cache.hear,
    /** Asks what is due and forgets what has ended. Returns when to look again. */
    look: (nowMs: number): number => {
      const work = cache.age({ nowMs, random, mayAsk });
      // A type is asked for as planned whatever a flood has cost; only to hear a pointer again can wait.
      const queries = [...types.values()]
        .filter((type) => type.isDue(nowMs, work.dueTypes.has(type.name.key) && budget.isLeft()))
        .map(pointerQuery);
      const asked = work.asked.map((question): Query => ({ question, answers: [] }));
      for (const packet of queryPackets([...queries, ...asked])) deps.send(packet);
      return Math.min(work.nextMs, ...[...types.values()].map((type) => type.nextMs()));
    },
  };
}

/** When the network is asked for services of one type on one interface (RFC 6762 section 5.2). */
type TypeQuestions = ReturnType<typeof createTypeQuestions>;

/** At first within 120 ms, then after 1 s, 2 s, 4 s and so on up to an hour; never twice within a second. */
function createTypeQuestions(name: DnsName, startMs: number, random: () => number) {
  let askedMs = Number.NEGATIVE_INFINITY;
  let pauseMs = NEXT_QUESTION_MS.first;
  let nextMs = startMs + FIRST_QUESTION_MS.min + random() * FIRST_QUESTION_MS.spread;
  return {
    name,
    nextMs: (): number => nextMs,
    /** Whether to ask now; `isDue` if a pointer that the hub has will end soon. */
    isDue: (nowMs: number, isDue: boolean): boolean => {
      const isPlanned = nowMs >= nextMs;
      if (!isPlanned && (!isDue || nowMs - askedMs < NEXT_QUESTION_MS.first)) return false;
      askedMs = nowMs;
      if (!isPlanned) return true;
      nextMs = nowMs + pauseMs;
      pauseMs = Math.min(pauseMs * 2, NEXT_QUESTION_MS.most);
      return true;
    },
  };
}
