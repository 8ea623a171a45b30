import type { Health, SystemInfo } from '#web/client/api.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';

/** The answer with the right `system:read`; without it the hub answers only the status. */
export type FullHealth = Required<Health>;

export type Trouble = { readonly id: string; readonly text: string; readonly todo: string };

/** Backups and the database's log need free space to work. */
const LOW_BYTES = 200_000_000;

/** Lists what is wrong, and what to do about it. */
export function troublesOf(
  { database, clock, history, integrations, exporters, put_off: putOff }: FullHealth,
  system: SystemInfo | undefined,
): readonly Trouble[] {
  const free = system?.disk.free_bytes ?? null;
  const isFull = database.status === 'full';
  return [
    ...(database.status in troubleWords.ofHub ? [troubleOf(database.status)] : []),
    ...(database.read_only ? [troubleOf('read_only')] : []),
    ...(database.recovered === null ? [] : [troubleOf(database.recovered.from === null ? 'emptied' : 'recovered')]),
    ...(database.set_aside.length === 0 ? [] : [troubleOf('set_aside')]),
    ...(database.backup_failure === null ? [] : [troubleOf('backup')]),
    ...(history.paused_since === null ? [] : [troubleOf('history')]),
    ...(history.left_out.length === 0 ? [] : [troubleOf('history_left_out')]),
    ...(history.unusable.length === 0 ? [] : [troubleOf('history_files')]),
    ...(free !== null && free < LOW_BYTES && !isFull ? [troubleOf('low')] : []),
    // A time that a person told is as good as it gets without a time server.
    ...(clock.source === 'none' ? [troubleOf('clock')] : []),
    ...[...new Set(integrations.flatMap(({ error }) => error?.code ?? []))]
      .filter((code) => code in troubleWords.ofHub)
      .map(troubleOf),
    ...putOff.map(troubleOf),
    ...(exporters.some(({ status }) => status === 'failing') ? [troubleOf('export')] : []),
  ];
}

function troubleOf(id: string): Trouble {
  const [text, todo] = troubleWords.ofHub[id] ?? [id, ''];
  return { id, text, todo };
}
