import { fstatSync } from 'node:fs';
import { systemClock } from '#base/clock.ts';
import { createLog, type Log, type LogLevel } from '#base/log.ts';

const STDERR = 2;

/** The hub's log on stderr, in the form of the journal where stderr is the journal. */
export function createServiceLog(level: LogLevel, environment: Readonly<Record<string, string | undefined>>): Log {
  const journal = isJournal(environment['JOURNAL_STREAM'], fstatSync(STDERR));
  return createLog({ level, journal, write: (text) => void process.stderr.write(text), wallMs: systemClock.wallMs });
}

/**
 * systemd names device and inode of its journal's stream; a shell below the unit inherits the name, but not always the
 * stream.
 */
export function isJournal(stream: string | undefined, { dev, ino }: { dev: number; ino: number }): boolean {
  return stream === `${dev}:${ino}`;
}
