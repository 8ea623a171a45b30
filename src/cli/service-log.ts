import { systemClock } from '#base/time/clock.ts';
import { createLog, type Log, type LogLevel } from '#base/log.ts';
import { isStderrJournal } from '#systemd/journal.ts';

/** The hub's log on stderr, in the form of the journal where stderr is the journal. */
export function createServiceLog(level: LogLevel, environment: Readonly<Record<string, string | undefined>>): Log {
  const journal = isStderrJournal(environment);
  return createLog({ level, journal, write: (text) => void process.stderr.write(text), wallMs: systemClock.wallMs });
}
