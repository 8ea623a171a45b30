import { recordOf } from '#core/records/record-check.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { HookSecret } from '#core/automation/hook/hooks.ts';
import type { Database } from '#storage/engine/database.ts';
import { plain, recordColumnsOf } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';
import { isTimedSigner } from './signer-record.ts';

const COLUMNS = recordColumnsOf<HookSecret>({
  automation: plain('automation'),
  trigger: plain('trigger_id'),
  hash: plain('hash'),
});
const SAVE = `INSERT OR REPLACE INTO automation_hook (${COLUMNS.names.join(', ')}) VALUES (?, ?, ?, ?)`;

/** The secrets of hooks, as hashes. They go with their trigger and their automation. */
export const automationHookTable = {
  open: openAutomationHooks,
  checks: [{ since: 22, table: 'automation_hook', json: { record: recordOf({ signer: isTimedSigner }) } }],
  carryOver: carryTakenBack,
} satisfies StoredNoun;

function openAutomationHooks({ database, sound }: NounDeps) {
  return {
    loadHookSecrets: read((): HookSecret[] =>
      sound('automation_hook', database.all('SELECT * FROM automation_hook')).map(COLUMNS.fromRow),
    ),
    saveHookSecret: write((secret: HookSecret): void => void database.run(SAVE, COLUMNS.valuesOf(secret))),
    deleteHookSecret: write((automation: AutomationId, trigger: string): void => {
      database.run('DELETE FROM automation_hook WHERE automation = ? AND trigger_id = ?', [automation, trigger]);
    }),
  };
}

/** Deletes the secrets of hooks that a definition has no more, inside the transaction that writes it. */
export function keepHooksOf(database: Database, id: AutomationId, { triggers }: Definition): void {
  const hooks = triggers.flatMap((trigger) => (trigger.type === 'hook' ? [trigger.id] : []));
  database.run(
    'DELETE FROM automation_hook WHERE automation = ? AND trigger_id NOT IN (SELECT value FROM json_each(?))',
    [id, JSON.stringify(hooks)],
  );
}

/** Keeps secrets away that were taken back or replaced since the backup, as long as the hub knows their automation. */
function carryTakenBack(live: Database, restored: Database): void {
  restored.transaction(() => {
    for (const { automation = null, trigger_id: trigger = null, hash } of restored.all(
      'SELECT * FROM automation_hook',
    )) {
      const isKnown = live.get('SELECT 1 FROM automation WHERE id = ?', [automation]) !== undefined;
      const kept = live.get('SELECT hash FROM automation_hook WHERE automation = ? AND trigger_id = ?', [
        automation,
        trigger,
      ]);
      if (!isKnown || isSameHash(kept?.['hash'], hash)) continue;
      restored.run('DELETE FROM automation_hook WHERE automation = ? AND trigger_id = ?', [automation, trigger]);
    }
  });
}

function isSameHash(left: unknown, right: unknown): boolean {
  return left instanceof Uint8Array && right instanceof Uint8Array && Buffer.compare(left, right) === 0;
}
