import type { Database } from './database.ts';
import { INITIAL } from '#storage/migrations/001-initial.ts';
import { WEBHOOK } from '#storage/migrations/002-webhook.ts';
import { AUDIT } from '#storage/migrations/003-audit.ts';
import { USER_REVISION } from '#storage/migrations/004-user-revision.ts';
import { API_TOKEN } from '#storage/migrations/005-api-token.ts';
import { REVOKED_API_TOKEN } from '#storage/migrations/006-revoked-api-token.ts';
import { AUDIT_API_TOKEN } from '#storage/migrations/007-audit-api-token.ts';
import { API_TOKEN_PROVIDER } from '#storage/migrations/008-api-token-provider.ts';
import { JOURNAL } from '#storage/migrations/009-journal.ts';
import { INTEGRATION } from '#storage/migrations/010-integration.ts';
import { DEVICE_PARENT } from '#storage/migrations/011-device-parent.ts';
import { RECORDING } from '#storage/migrations/012-recording.ts';
import { NOTIFICATION } from '#storage/migrations/013-notification.ts';
import { MODE_VARIABLE } from '#storage/migrations/014-mode-variable.ts';
import { USER_LIMITS } from '#storage/migrations/015-user-limits.ts';
import { PRESENCE } from '#storage/migrations/016-presence.ts';
import { ENERGY } from '#storage/migrations/017-energy.ts';
import { SCENE } from '#storage/migrations/018-scene.ts';
import { EXPORTER } from '#storage/migrations/019-exporter.ts';
import { AUTOMATION } from '#storage/migrations/020-automation.ts';
import { CALENDAR } from '#storage/migrations/021-calendar.ts';
import { AUTOMATION_HOOK } from '#storage/migrations/022-automation-hook.ts';
import { HOME_VIEW } from '#storage/migrations/023-home-view.ts';
import { AUTOMATION_TEMPLATE } from '#storage/migrations/024-automation-template.ts';
import { SET_ASIDE } from '#storage/migrations/025-set-aside.ts';
import { REQUEST_KEY } from '#storage/migrations/026-request-key.ts';

/** Append only: number n brings schema n - 1 to n. A released migration never changes. */
export const MIGRATIONS: readonly string[] = [
  INITIAL,
  WEBHOOK,
  AUDIT,
  USER_REVISION,
  API_TOKEN,
  REVOKED_API_TOKEN,
  AUDIT_API_TOKEN,
  API_TOKEN_PROVIDER,
  JOURNAL,
  INTEGRATION,
  DEVICE_PARENT,
  RECORDING,
  NOTIFICATION,
  MODE_VARIABLE,
  USER_LIMITS,
  PRESENCE,
  ENERGY,
  SCENE,
  EXPORTER,
  AUTOMATION,
  CALENDAR,
  AUTOMATION_HOOK,
  HOME_VIEW,
  AUTOMATION_TEMPLATE,
  SET_ASIDE,
  REQUEST_KEY,
];

/** The schema of an open database; 0 for an empty one. */
export function schemaVersion(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version']);
}

/**
 * Brings the schema up to date, in one transaction: after a crash it is the old one or the new one, never a mixture.
 * `prepare` gets the old one, inside of that transaction, if there is anything to do.
 */
export function migrate(
  database: Database,
  migrations: readonly string[] = MIGRATIONS,
  prepare: (schema: number) => void = () => undefined,
): void {
  const schema = schemaVersion(database);
  if (schema >= migrations.length) return;
  database.transaction(() => {
    prepare(schema);
    for (const migration of migrations.slice(schema)) database.exec(migration);
    database.exec(`PRAGMA user_version=${migrations.length}`);
  });
}

/** Returns SQLite's complaint about the file; `ok` if it has none. */
export function quickCheck(database: Database): string {
  return withoutConstraints(database, () => String(database.get('PRAGMA quick_check(1)')?.['quick_check']));
}

/** For a check of the file: a text in it that is not JSON, which the schema asks for, is the matter of one row. */
export function withoutConstraints<Result>(database: Database, check: (database: Database) => Result): Result {
  database.run('PRAGMA ignore_check_constraints=ON');
  try {
    return check(database);
  } finally {
    database.run('PRAGMA ignore_check_constraints=OFF');
  }
}
