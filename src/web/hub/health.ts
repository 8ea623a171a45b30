import { s } from '#web/strings/settings-strings.ts';

export type Health = {
  readonly status: string;
  readonly database: {
    readonly status: string;
    readonly read_only: boolean;
    readonly recovered: { readonly reason: string; readonly from: string | null } | null;
    readonly backup_failure: string | null;
  };
  readonly last_backup: string | null;
  readonly disk: { readonly free_bytes: number | null; readonly written_today_bytes: number | null };
  readonly clock: { readonly now: string; readonly hub_time: string; readonly synced: boolean };
  readonly addresses: readonly string[];
  readonly event_clients: number;
  readonly integrations: readonly { readonly id: string; readonly error: { readonly code: string } | null }[];
};

export type SystemInfo = {
  readonly version: string;
  readonly uptime_seconds: number;
  readonly memory_bytes: number;
  readonly machine: {
    readonly hostname: string;
    readonly model: string | null;
    readonly architecture: string;
    readonly operating_system: string | null;
    readonly kernel: string;
    readonly node: string;
    readonly processors: number;
    readonly memory_bytes: number;
    readonly uptime_seconds: number;
  };
  readonly disk: { readonly free_bytes: number | null; readonly total_bytes: number | null };
};

export type Trouble = { readonly id: string; readonly text: string; readonly todo: string };

/** Backups and the log of the database need room to turn round in. */
const LOW_BYTES = 200_000_000;

/** What needs a person, and what they can do. */
export function troublesOf(
  { database, clock, integrations }: Health,
  system: SystemInfo | undefined,
): readonly Trouble[] {
  const free = system?.disk.free_bytes ?? null;
  const isFull = database.status === 'full';
  return [
    ...(database.status in s.health.databaseTroubles ? [troubleOf(database.status)] : []),
    ...(database.read_only ? [troubleOf('read_only')] : []),
    ...(database.recovered === null ? [] : [troubleOf(database.recovered.from === null ? 'emptied' : 'recovered')]),
    ...(database.backup_failure === null ? [] : [troubleOf('backup')]),
    ...(free !== null && free < LOW_BYTES && !isFull ? [troubleOf('low')] : []),
    ...(clock.synced ? [] : [troubleOf('clock')]),
    ...[...new Set(integrations.flatMap(({ error }) => error?.code ?? []))]
      .filter((code) => code in s.health.databaseTroubles)
      .map(troubleOf),
  ];
}

function troubleOf(id: string): Trouble {
  const [text, todo] = s.health.databaseTroubles[id] ?? [id, ''];
  return { id, text, todo };
}
