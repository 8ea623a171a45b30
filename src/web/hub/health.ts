import type { Health, SystemInfo } from '#web/client/api.ts';

/** The answer with the right `system:read`; without it the hub answers only the status. */
export type FullHealth = Required<Health>;

/** Backups and the database's log need free space to work. */
const LOW_BYTES = 200_000_000;
/** The page shows all other errors beside their integration. */
const OF_THE_HUB = new Set(['SAFE_MODE', 'TOO_MANY_DEVICES', 'DEVICES_TOO_LARGE']);

/** Lists the ids of what is wrong, without words: the home looks at every visit, and seldom finds one. */
export function troublesOf(
  { database, clock, history, integrations, exporters, put_off: putOff }: FullHealth,
  system: SystemInfo | undefined,
): readonly string[] {
  const free = system?.disk.free_bytes ?? null;
  const codes = integrations.flatMap(({ error }) => error?.code ?? []);
  return [
    ...(database.status === 'ok' ? [] : [database.status]),
    ...(database.read_only ? ['read_only'] : []),
    ...(database.recovered === null ? [] : [database.recovered.from === null ? 'emptied' : 'recovered']),
    ...(database.set_aside.length === 0 ? [] : ['set_aside']),
    ...(database.backup_failure === null ? [] : ['backup']),
    ...(history.paused_since === null ? [] : ['history']),
    ...(history.left_out.length === 0 ? [] : ['history_left_out']),
    ...(history.unusable.length === 0 ? [] : ['history_files']),
    ...(free !== null && free < LOW_BYTES && database.status !== 'full' ? ['low'] : []),
    // A time that a person told is as good as it gets without a time server.
    ...(clock.source === 'none' ? ['clock'] : []),
    ...new Set(codes.filter((code) => OF_THE_HUB.has(code))),
    ...putOff,
    ...(exporters.some(({ status }) => status === 'failing') ? ['export'] : []),
  ];
}
