import type { HubClock } from '#base/time/hub-clock.ts';
import { peerGroup } from '#base/ip-address.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { recordFromEvent, type AuditEvent, type AuditRecord, type AuditStore } from './audit-entry.ts';

/** The audit log: who logged in, who was refused and who changed what. */
export type Audit = {
  /**
   * Never rejects: entries that cannot be written wait in memory. Resolves when the entry is on disk or writing it has
   * failed. Resolves at once for a refusal, which a crash within 30 s may lose.
   */
  readonly record: (event: AuditEvent) => Promise<void>;
};

type AuditDeps = Pick<Runtime, 'monotonicMs' | 'startTimer' | 'log'> & {
  readonly store: Pick<AuditStore, 'insertAudit'>;
  readonly hubClock: HubClock;
  /** `null` while the machine's clock is not synchronised. */
  readonly syncedWallMs: () => number | null;
};

/** Refusals within this time are written together. */
const REFUSAL_DELAY_MS = 20_000;
const RETRY_MS = 60_000;
/** Number of different events that may wait. Further ones are counted without their peers and accounts. */
const MAX_WAITING = 512;

/**
 * Equal events beyond their ration become one record with a count. So a client that is refused, or logs in, a thousand
 * times an hour neither fills the history nor wears out the memory card.
 */
export function startAudit(deps: AuditDeps): Audit & { readonly stop: () => Promise<void> } {
  const { store, hubClock, startTimer, log } = deps;
  const waiting = new Map<string, AuditRecord>();
  const mayWrite = createRations(deps.monotonicMs);
  let stopTimer: (() => void) | undefined;
  let isFailing = false;

  const arm = (afterMs: number): void => {
    stopTimer ??= startTimer(afterMs, () => {
      stopTimer = undefined;
      void write([...waiting].filter(([, record]) => mayWrite(record)));
    });
  };
  const write = async (entries: readonly (readonly [string, AuditRecord])[]): Promise<void> => {
    for (const [key] of entries) waiting.delete(key);
    if (waiting.size > 0) arm(RETRY_MS);
    if (entries.length === 0) return;
    try {
      await store.insertAudit(entries.map(([, record]) => record));
      if (isFailing) log.info('the audit log is written again');
      isFailing = false;
    } catch (cause) {
      if (!isFailing) log.warn('the audit log cannot be written and waits in memory', { cause });
      isFailing = true;
      for (const [, record] of entries) addTo(waiting, record);
      arm(RETRY_MS);
    }
  };

  return {
    record: (event) => {
      const epoch = hubClock.epoch();
      const atMs = hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs();
      const now = { atMs, epoch, wallMs: deps.syncedWallMs() };
      const fresh = recordFromEvent(event, now, peerGroup);
      const entry = addTo(waiting, fresh);
      // While the disk fails, only the retry writes.
      if (fresh.kind !== 'refusal' && !isFailing && mayWrite(fresh)) return write([entry]);
      arm(fresh.kind === 'refusal' ? REFUSAL_DELAY_MS : RETRY_MS);
      return Promise.resolve();
    },
    stop: async () => {
      stopTimer?.();
      await write([...waiting]);
      stopTimer?.();
    },
  };
}

function createRations(monotonicMs: () => number): (record: AuditRecord) => boolean {
  const ofParty = createTokenBuckets({ capacity: 12, refillMs: 300_000, maxNames: 1_024, monotonicMs });
  const ofAllRefusals = createTokenBuckets({ capacity: 60, refillMs: 60_000, maxNames: 1, monotonicMs });
  return ({ kind, type, party }) =>
    (kind !== 'refusal' || ofAllRefusals.take(kind)) && ofParty.take(`${type} ${party}`);
}

/** Adds the record to the waiting one that equals it, or stores it as the first of its kind. */
function addTo(waiting: Map<string, AuditRecord>, fresh: AuditRecord): readonly [string, AuditRecord] {
  const key = keyOf(fresh);
  const known = waiting.get(key);
  if (known !== undefined) return put(waiting, key, merge(known, fresh));
  if (waiting.size < MAX_WAITING || key === keyOf(anonymous(fresh))) return put(waiting, key, fresh);
  return addTo(waiting, anonymous(fresh));
}

function put(waiting: Map<string, AuditRecord>, key: string, record: AuditRecord): readonly [string, AuditRecord] {
  waiting.set(key, record);
  return [key, record];
}

function keyOf({ type, peer, userId, actorId, session, apiToken, detail, epoch }: AuditRecord): string {
  return JSON.stringify([type, peer, userId, actorId, session, apiToken, detail, epoch]);
}

function anonymous(record: AuditRecord): AuditRecord {
  const blank = { peer: null, userId: null, actorId: null, session: null, apiToken: null };
  return { ...record, ...blank, party: 'others', detail: 'others' };
}

function merge(left: AuditRecord, right: AuditRecord): AuditRecord {
  const [first, last] = left.atMs <= right.atMs ? [left, right] : [right, left];
  return { ...last, count: left.count + right.count, firstAtMs: Math.min(first.firstAtMs, last.firstAtMs) };
}
