import type { KnownSchemas } from '#storage/engine/schema-note.ts';
import { MIGRATIONS } from '#storage/engine/schema.ts';
import { MONTH_MIGRATIONS } from '#storage/history/month-file.ts';
import { HOURS_MIGRATIONS } from '#storage/hours/hours-file.ts';
import { JOURNAL_MIGRATIONS } from '#storage/journal/journal-file.ts';

/** The schemas of all kinds of files, as this program writes them. */
export const KNOWN_SCHEMAS: KnownSchemas = {
  database: MIGRATIONS.length,
  journal: JOURNAL_MIGRATIONS.length,
  month: MONTH_MIGRATIONS.length,
  year: HOURS_MIGRATIONS.length,
};
