import { fstatSync } from 'node:fs';

const STDERR = 2;

/** Whether stderr is the journal, which takes the level of a line from a `<3>` before it. */
export function isStderrJournal(environment: Readonly<Record<string, string | undefined>>): boolean {
  return isJournal(environment['JOURNAL_STREAM'], fstatSync(STDERR));
}

/**
 * systemd names device and inode of its journal's stream; a shell below the unit inherits the name, but not always the
 * stream.
 */
export function isJournal(stream: string | undefined, { dev, ino }: { dev: number; ino: number }): boolean {
  return stream === `${dev}:${ino}`;
}
