import type { AutomationId } from '#core/automation/document/condition.ts';
import { type AutomationTerms, type ChangeParts, checked } from './automation-changes.ts';
import { AUTOMATION_LIMITS, type AutomationRecord } from './automation-record.ts';
import { beyondTrash, refuseMore, requireRoom } from './shares.ts';

/** Into the trash, and out of it. */
export function createTrash(parts: ChangeParts) {
  const { store, nowMs, clock, turn, book, find, isOwner, commit, log } = parts;
  const forget = async (records: readonly AutomationRecord[]): Promise<void> => {
    if (records.length === 0) return;
    await store.deleteAutomations(records.map(({ id }) => id));
    for (const { id } of records) book.remove(id);
  };
  return {
    remove: (id: AutomationId, terms?: AutomationTerms) =>
      turn(async () => {
        const old = checked(find(id), terms);
        const record = { ...old, deletedAtMs: nowMs(), revision: old.revision + 1, updatedAtMs: clock.wallMs() };
        await commit({ record, version: null }, 'removed');
        // The automation is gone already, so that a failure is left to the next removal.
        await forget(beyondTrash(book.list('trash'), AUTOMATION_LIMITS.trash)).catch((cause: unknown) =>
          log.warn('more automations are in the trash than it keeps', { cause }),
        );
        return record;
      }),
    restore: (id: AutomationId, terms?: AutomationTerms) =>
      turn(async () => {
        const found = book.find(id);
        const old = checked(found?.deletedAtMs === null ? undefined : found, terms);
        refuseMore(book.list('live').length + 1);
        const revision = old.revision + 1;
        const enabledAtMs = clock.wallMs();
        const record = { ...old, deletedAtMs: null, revision, enabledAtMs, updatedAtMs: enabledAtMs };
        requireRoom(book.list('live'), [record], isOwner);
        return commit({ record, version: null }, 'added');
      }),
    upkeep: () =>
      turn(async () => {
        const untilMs = nowMs() - AUTOMATION_LIMITS.trashDays * 86_400_000;
        await forget(book.list('trash').filter(({ deletedAtMs }) => deletedAtMs !== null && deletedAtMs <= untilMs));
      }),
  };
}
