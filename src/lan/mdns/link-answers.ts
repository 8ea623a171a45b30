import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTokenBuckets, type TokenBuckets } from '#base/token-buckets.ts';
import type { DnsMessage, DnsQuestion, DnsRecord } from './dns-message.ts';
import { encodeDnsMessage } from './dns-message.ts';
import { answersTo } from './hub-records.ts';
import { MDNS_PORT, type MdnsSocket } from './mdns-socket.ts';
import { recordKey } from './name-conflict.ts';

/** Answers the questions that come from one link, each at most once a second. */
export type LinkAnswers = {
  readonly answer: (
    query: DnsMessage,
    from: { readonly address: string; readonly port: number },
    records: readonly DnsRecord[],
  ) => void;
  readonly stop: () => void;
};

export type LinkAnswersDeps = Pick<Runtime, 'random' | 'startTimer'> & {
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** RFC 6762 section 6: other hosts may answer a shared question too, so each waits for a random time. */
const SHARED_WAIT_MS = { min: 20, spread: 100 };
/** RFC 6762 section 7.2: what else a client knows comes in further packets. */
const MORE_KNOWN_WAIT_MS = { min: 400, spread: 100 };
const NO_WAIT_MS = { min: 0, spread: 0 };
const ONCE_PER_MS = 1_000;
const ONCE_PER_PROBE_MS = 250;
const LEGACY_TTL_S = 10;
/** An answer to one peer is about ten times as long as its question, whose source address can be forged. */
const LEGACY_PER_S = { link: 400, peer: 5 };
const MAX_LEGACY_PEERS = 256;
const NO_RECORDS: readonly DnsRecord[] = [];

export function createLinkAnswers(socket: MdnsSocket, { random, startTimer, clock }: LinkAnswersDeps): LinkAnswers {
  const sentMs = new Map<string, number>();
  const waiting = { answers: new Map<string, Waiting>(), additionals: new Map<string, DnsRecord>() };
  let planned: { readonly atMs: number; readonly stop: () => void } | undefined;
  const legacyRation = (perS: number, maxNames: number): TokenBuckets =>
    createTokenBuckets({ capacity: perS, refillMs: 1_000 / perS, maxNames, monotonicMs: clock.monotonicMs });
  const legacy = {
    link: legacyRation(LEGACY_PER_S.link, 1),
    peer: legacyRation(LEGACY_PER_S.peer, MAX_LEGACY_PEERS),
  };

  const flush = (): void => {
    planned = undefined;
    const answers = [...waiting.answers.values()].map(({ record }) => record);
    const additionals = [...waiting.additionals]
      .filter(([key]) => !waiting.answers.has(key))
      .map(([, record]) => record);
    waiting.answers.clear();
    waiting.additionals.clear();
    if (answers.length === 0) return;
    const nowMs = clock.monotonicMs();
    for (const [key, atMs] of sentMs) if (nowMs - atMs > ONCE_PER_MS) sentMs.delete(key);
    for (const record of answers) sentMs.set(recordKey(record), nowMs);
    socket.send(
      encodeDnsMessage({ id: 0, isResponse: true, questions: [], answers, authorities: NO_RECORDS, additionals }),
    );
  };
  const answerLegacy = (query: DnsMessage, to: { address: string; port: number }, found: Found): void => {
    if (!legacy.peer.take(to.address) || !legacy.link.take('link')) return;
    // A resolver without multicast expects its id and question in the answer, and no cache bit.
    const plain = (records: readonly DnsRecord[]): DnsRecord[] =>
      records.map((record) => ({ ...record, isUnique: false, ttlS: Math.min(record.ttlS, LEGACY_TTL_S) }));
    const { id } = query;
    const questions = distinct(query.questions);
    const [answers, additionals] = [plain(found.answers), plain(found.additionals)];
    socket.send(
      encodeDnsMessage({ id, isResponse: true, questions, answers, authorities: NO_RECORDS, additionals }),
      to,
    );
  };

  const flushIn = (waitMs: number): void => {
    const atMs = clock.monotonicMs() + waitMs;
    if (planned !== undefined && planned.atMs <= atMs) return;
    planned?.stop();
    planned = { atMs, stop: startTimer(waitMs, flush) };
  };
  /** Leaves out what the only client that waits for it knows, as a further packet of its question says. */
  const leaveOutKnown = (query: DnsMessage, asker: string): void => {
    for (const record of query.answers) {
      const key = recordKey(record);
      const one = waiting.answers.get(key);
      if (one?.asker === asker && record.ttlS >= one.record.ttlS / 2) waiting.answers.delete(key);
    }
  };

  return {
    stop: () => planned?.stop(),
    answer: (query, from, records) => {
      if (query.questions.length === 0) return leaveOutKnown(query, from.address);
      const found = findAnswers(query, records);
      if (found.answers.length === 0) return;
      if (from.port !== MDNS_PORT) return answerLegacy(query, from, found);
      const isProbe = query.authorities.length > 0;
      const notBeforeMs = clock.monotonicMs() - (isProbe ? ONCE_PER_PROBE_MS : ONCE_PER_MS);
      const due = found.answers.filter(
        (record) => (sentMs.get(recordKey(record)) ?? Number.NEGATIVE_INFINITY) < notBeforeMs,
      );
      if (due.length === 0) return;
      for (const record of due) {
        const key = recordKey(record);
        const other = waiting.answers.get(key);
        const asker = other === undefined || other.asker === from.address ? from.address : undefined;
        waiting.answers.set(key, { record, asker });
      }
      for (const record of found.additionals) waiting.additionals.set(recordKey(record), record);
      const isShared = due.some(({ isUnique }) => !isUnique);
      const wait = query.isTruncated === true && !isProbe ? MORE_KNOWN_WAIT_MS : isShared ? SHARED_WAIT_MS : NO_WAIT_MS;
      flushIn(wait.min + random() * wait.spread);
    },
  };
}

/** The one client that asked for the record; none if there are several. */
type Waiting = { readonly record: DnsRecord; readonly asker: string | undefined };

/** A question that a message asks twice is answered once. */
function distinct(questions: readonly DnsQuestion[]): readonly DnsQuestion[] {
  return [...new Map(questions.map((one) => [`${one.name.key} ${one.type}`, one])).values()];
}

type Found = { readonly answers: readonly DnsRecord[]; readonly additionals: readonly DnsRecord[] };

/** Leaves out the records that the client says it knows and will keep for a while. */
function findAnswers(query: DnsMessage, records: readonly DnsRecord[]): Found {
  const known = new Map(query.answers.map((record) => [recordKey(record), record.ttlS]));
  const found = distinct(query.questions).map((question) => answersTo(records, question));
  const answers = [...new Set(found.flatMap((one) => one.answers))];
  return {
    answers: answers.filter((record) => (known.get(recordKey(record)) ?? 0) < record.ttlS / 2),
    additionals: [...new Set(found.flatMap((one) => one.additionals))].filter((record) => !answers.includes(record)),
  };
}
