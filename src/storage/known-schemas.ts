import type { KnownSchemas } from '#storage/engine/newer-files.ts';
import { MIGRATIONS } from '#storage/engine/schema.ts';
import { MONTH_MIGRATIONS } from '#storage/history/month-file.ts';
import { HOURS_MIGRATIONS } from '#storage/hours/hours-file.ts';
import { JOURNAL_MIGRATIONS } from '#storage/journal/journal-file.ts';

/** What this version can read, also for its package, which refuses to be put in the place of a newer one. */
export const KNOWN_SCHEMAS: KnownSchemas = {
  database: MIGRATIONS.length,
  journal: JOURNAL_MIGRATIONS.length,
  month: MONTH_MIGRATIONS.length,
  year: HOURS_MIGRATIONS.length,
};
