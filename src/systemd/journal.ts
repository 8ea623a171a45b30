import { fstatSync } from 'node:fs';

const STDERR = 2;

/** Whether stderr is the journal, which reads the level of a line from a prefix such as `<3>`. */
export function isStderrJournal(environment: Readonly<Record<string, string | undefined>>): boolean {
  return isJournal(environment['JOURNAL_STREAM'], fstatSync(STDERR));
}

/**
 * JOURNAL_STREAM holds the device and inode of the journal's stream. A shell below the unit inherits the variable, but
 * not always the stream.
 */
export function isJournal(stream: string | undefined, { dev, ino }: { dev: number; ino: number }): boolean {
  return stream === `${dev}:${ino}`;
}
