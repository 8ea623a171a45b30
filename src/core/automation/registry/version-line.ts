import type { Definition } from '#core/automation/document/definition.ts';
import { differencesOf } from '#core/automation/document/difference.ts';
import { type AutomationRecord, MAX_POINTERS, type VersionLine } from './automation-record.ts';

/** What is noted of the version that a record has, and where it differs from the one before. */
export function lineFor(
  { version, signer, updatedAtMs, definition }: AutomationRecord,
  note: string | null,
  from: Definition | null,
): VersionLine {
  const { user, via } = signer;
  const pointers = from === null ? [] : differencesOf(from, definition).map(({ pointer }) => pointer);
  return {
    version,
    atMs: updatedAtMs,
    by: { user, via },
    note,
    revertedTo: null,
    pointers: pointers.slice(0, MAX_POINTERS),
  };
}
