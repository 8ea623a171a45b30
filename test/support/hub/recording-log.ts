import { createLog, type Log } from '#base/log.ts';

/** A log at level debug that keeps its lines. */
export function createRecordingLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    level: 'debug',
    journal: true,
    wallMs: () => 0,
    write: (line) => void lines.push(line.trimEnd()),
  });
  return { log, lines };
}
