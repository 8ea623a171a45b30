import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import type { AuditQuery, AuditStore, NumberedAuditRecord } from './audit-entry.ts';

export type AuditHistory = ReturnType<typeof createAuditHistory>;

const ROWS_AT_ONCE = 500;

export function createAuditHistory(deps: {
  readonly store: Pick<AuditStore, 'loadAudit' | 'countAudit'>;
  readonly hubClock: HubClock;
}) {
  const { store, hubClock } = deps;
  return {
    /** Newest first. A `null` limit means no limit. Times are in the hub's present time. */
    list: async ({
      types,
      before,
      limit,
    }: Omit<AuditQuery, 'limit'> & { readonly limit: number | null }): Promise<{
      readonly records: readonly NumberedAuditRecord[];
      /** The number of all matching records, wherever the page begins. */
      readonly total: number;
      readonly hasMore: boolean;
    }> => {
      const total = await store.countAudit(types);
      const most = limit ?? Number.POSITIVE_INFINITY;
      const records: NumberedAuditRecord[] = [];
      let hasMore = true;
      while (hasMore && records.length < most) {
        const asked = Math.min(ROWS_AT_ONCE, most - records.length);
        const page = await store.loadAudit({ types, before: records.at(-1)?.number ?? before, limit: asked + 1 });
        hasMore = page.length > asked;
        records.push(...page.slice(0, asked).map((record) => inHubTime(record, hubClock)));
      }
      return { records, total, hasMore };
    },
  };
}

function inHubTime(record: NumberedAuditRecord, hubClock: HubClock): NumberedAuditRecord {
  const shiftMs = hubTimeShiftMs(hubClock, record.epoch);
  return { ...record, firstAtMs: record.firstAtMs + shiftMs, atMs: record.atMs + shiftMs };
}
