import type { DnsRecord } from '#lan/mdns/dns-message.ts';

/** How long a record may be believed, and when the network is asked for it again. */
export type Lifetime = {
  readonly heardMs: number;
  readonly lifeMs: number;
  endsMs: number;
  /** It was withdrawn or replaced, and lives for the rest of a second. */
  isEnding: boolean;
  /** How often the network has been asked since the record was heard. */
  asked: number;
  /** The next time at which something is to be done for the record: ask for it, or forget it. */
  dueMs: number;
};

/** One host says these records of one name and type, each once; `most` bounds what a liar can make the hub keep. */
export type RecordSet = { readonly most: number; readonly lives: Map<string, Lifetime> };

/** Records have aged so. */
export type Aged = { readonly isChanged: boolean; readonly isDue: boolean; readonly nextMs: number };

/** RFC 6762 section 5.2: asked for again at these shares of its life, each a little later on each host. */
const ASK_AGAIN_AT = [0.8, 0.85, 0.9, 0.95] as const;
const ASK_SPREAD = 0.02;
/** A question that would be due within this share of its life goes into the same packet. */
const TOGETHER = 0.01;
/** The longest life that RFC 6762 section 10 recommends, so that a lie of a hundred years is forgotten too. */
const MAX_LIFE_S = 4_500;
/** RFC 6762 section 10.1 and 10.2: what was withdrawn or replaced lives for one more second. */
const LAST_MS = 1_000;
/** RFC 6762 section 5.2: no question is repeated within a second, however short the life of a record. */
const ASK_PAUSE_MS = 1_000;

export function startLife(ttlS: number, nowMs: number, random: () => number): Lifetime {
  const lifeMs = Math.min(ttlS, MAX_LIFE_S) * 1_000;
  const life = { heardMs: nowMs, lifeMs, endsMs: nowMs + lifeMs, isEnding: false, asked: 0, dueMs: 0 };
  life.dueMs = nextDue(life, random);
  return life;
}

/** The record was withdrawn or replaced. */
export function endLife(life: Lifetime, nowMs: number): void {
  life.endsMs = Math.min(life.endsMs, nowMs + LAST_MS);
  life.dueMs = life.endsMs;
  life.isEnding = true;
}

/** Whether the network is to be asked for the record now. Call it only before the life has ended. */
export function isDueAgain(life: Lifetime, nowMs: number, random: () => number): boolean {
  const isOver = life.isEnding || life.asked === ASK_AGAIN_AT.length;
  if (isOver || life.dueMs > nowMs + life.lifeMs * TOGETHER) return false;
  while (life.dueMs < nowMs + ASK_PAUSE_MS && life.asked < ASK_AGAIN_AT.length) {
    life.asked += 1;
    life.dueMs = nextDue(life, random);
  }
  return true;
}

function nextDue({ heardMs, lifeMs, endsMs, asked }: Lifetime, random: () => number): number {
  const share = ASK_AGAIN_AT[asked];
  return share === undefined ? endsMs : heardMs + lifeMs * (share + random() * ASK_SPREAD);
}

export function createRecordSet(most: number): RecordSet {
  return { most, lives: new Map() };
}

/** Takes in what was heard; true if the present data may be other data now. */
export function hearRecord(set: RecordSet, record: DnsRecord, when: { nowMs: number; random: () => number }): boolean {
  const { nowMs, random } = when;
  const data = record.data.toString('latin1');
  const known = set.lives.get(data);
  let isChanged = known === undefined || known.isEnding;
  if (record.ttlS === 0) {
    if (known !== undefined) endLife(known, nowMs);
    return !isChanged;
  }
  if (record.isUnique) {
    // RFC 6762 section 10.2: records of the same second may be parts of one announcement.
    for (const [other, life] of set.lives) {
      if (other === data || life.isEnding || life.heardMs >= nowMs - LAST_MS) continue;
      endLife(life, nowMs);
      isChanged = true;
    }
  }
  set.lives.set(data, startLife(record.ttlS, nowMs, random));
  const [oldest] = set.lives.keys();
  if (set.lives.size > set.most && oldest !== undefined) set.lives.delete(oldest);
  return isChanged;
}

/** The data that holds now: not what was replaced or withdrawn, as long as there is something else. */
export function presentData({ lives }: RecordSet): readonly string[] {
  const all = [...lives.keys()];
  const lasting = all.filter((data) => lives.get(data)?.isEnding === false);
  return lasting.length > 0 ? lasting : all;
}

/** Forgets what has ended. */
export function ageRecords(set: RecordSet, nowMs: number, random: () => number): Aged {
  let [isChanged, isDue, nextMs] = [false, false, Number.POSITIVE_INFINITY];
  for (const [data, life] of set.lives) {
    if (life.endsMs <= nowMs) {
      set.lives.delete(data);
      isChanged = true;
      continue;
    }
    isDue = isDueAgain(life, nowMs, random) || isDue;
    nextMs = Math.min(nextMs, life.dueMs);
  }
  return { isChanged, isDue, nextMs };
}
