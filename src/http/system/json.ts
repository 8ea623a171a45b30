import { z } from 'zod/mini';
import { CLOCK_SOURCES } from '#base/time/hub-clock.ts';
import { AUDIT_TYPES, type NumberedAuditRecord } from '#auth/audit/audit-entry.ts';
import { EXPORTER_STATES } from '#core/exporter/exporter.ts';
import { INTEGRATION_STATES } from '#core/integration/integration-status.ts';
import { BUDGET_KINDS } from '#core/past/history/tracks/budget-subject.ts';
import { PAUSE_REASONS } from '#core/past/history/tracks/recording-budget.ts';
import { UNUSABLE_REASONS } from '#core/past/history/history-store.ts';
import { languageTagSchema } from '#http/answer/language-schema.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { clockSchema } from '#http/place/json.ts';
import { failureSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';

const timeZoneSchema = described(
  'An IANA time zone, as `Europe/Berlin`: days and hours of the history begin in it.',
  z.optional(z.string().check(z.maxLength(100))),
);
const languageSchema = described(
  'In which the hub writes what it sends by itself, and its page for browsers that ask for no language it speaks: a tag of BCP 47, such as `de`. It speaks `en`, `de`, `fr` and `es`; `null` is English.',
  z.nullable(languageTagSchema),
);
export const hubUpdateSchema = named(
  'HubUpdate',
  z.strictObject({
    name: described('What people call the hub.', z.optional(nameSchema)),
    time_zone: timeZoneSchema,
    language: z.optional(languageSchema),
  }),
);
export const hubSchema = named(
  'Hub',
  z.object({
    id: z.string(),
    name: z.string(),
    time_zone: timeZoneSchema,
    language: languageSchema,
    clock: clockSchema,
  }),
);

/** `degraded`: the hub works, but something needs a person. */
const HEALTH_STATES = ['ok', 'degraded'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

const recoverySchema = named('DatabaseRecovery', z.looseObject({ reason: z.string(), from: z.nullable(z.string()) }));
const setAsideSchema = described(
  'A record in the database that the hub cannot read and does without; the database keeps it. `noun` is what it is of, as `notification`, `reason` what is wrong with it. The hub lists it in the run in which it found it, and for seven days, and keeps it for 90.',
  z.looseObject({
    code: z.literal('RECORD_SET_ASIDE'),
    noun: z.string(),
    id: z.string(),
    reason: z.string(),
    at: timeSchema,
  }),
);
export const healthSchema = named(
  'Health',
  described(
    'Only callers with the right `system:read` see more than `status`.',
    z.looseObject({
      status: z.enum(HEALTH_STATES),
      database: described(
        'The state of the database, and how the hub repaired it at the last start, if it was broken.',
        z.optional(
          z.looseObject({
            status: z.string(),
            read_only: z.boolean(),
            recovered: z.nullable(recoverySchema),
            set_aside: z.array(setAsideSchema),
            set_aside_kept: described(
              'All records that are set aside, listed or not. They go after 90 days, or once they take more than 64 MiB: `until` is when the oldest go, `null` without any, and while the clock of the hub has not been set since.',
              z.looseObject({ records: z.int(), bytes: z.int(), until: z.nullable(timeSchema) }),
            ),
            backup_failure: z.nullable(z.string()),
          }),
        ),
      ),
      last_backup: z.optional(z.nullable(timeSchema)),
      disk: z.optional(
        z.looseObject({ free_bytes: z.nullable(z.number()), written_today_bytes: z.nullable(z.number()) }),
      ),
      history: described(
        'What the months of history take on disk, how many samples are in no month yet, and since when samples are dropped because the disk takes none; `null` if none are. `unusable` lists files that are left alone, because of their rights or where they come from: what they have is a gap until a person acts, and samples for a month that is `not_permitted` wait. `open_month` is the present month, which may take half of what history may, so that the one before it stays; `null` until it is known. `left_out` lists up to 100 devices and integrations whose samples are left out for the rest of the `day` (UTC) or `month`, because they reported too much. A device may have a third of what the month still has free, and so has a quarter of it at most; a provider as well, with all of its devices; another integration with all of its devices as much as is free. `max_bytes` of the settings of history gives more room.',
        z.optional(
          z.looseObject({
            bytes: z.int(),
            waiting_samples: z.int(),
            paused_since: z.nullable(timeSchema),
            open_month: z.nullable(z.looseObject({ bytes: z.int(), max_bytes: z.int() })),
            left_out: z.array(
              z.looseObject({
                kind: z.enum(BUDGET_KINDS),
                id: z.string(),
                reason: z.enum(PAUSE_REASONS),
                since: timeSchema,
              }),
            ),
            unusable: z.array(
              z.looseObject({
                file: described('`2026-11`, `hours-2026`, or `history` for the whole folder.', z.string()),
                reason: z.enum(UNUSABLE_REASONS),
              }),
            ),
          }),
        ),
      ),
      /** The time of day of the machine, the hub time, and whether either can be trusted. */
      clock: z.optional(
        z.looseObject({
          now: timeSchema,
          hub_time: timeSchema,
          synced: z.boolean(),
          source: wordOf('ClockSource', CLOCK_SOURCES),
          detail: z.string(),
        }),
      ),
      addresses: described(
        'Base addresses at which the hub serves the API at the moment.',
        z.optional(z.array(z.string())),
      ),
      advertised: described(
        'The name under which mDNS finds the hub at the moment; `null` until the network has answered. `conflict` names another host that has, or in the last ten minutes had, one of the names of the hub. The hub tries to get its first name back by itself.',
        z.optional(
          z.looseObject({
            host: z.nullable(z.string()),
            conflict: z.nullable(z.looseObject({ name: z.string(), holder: z.string() })),
          }),
        ),
      ),
      event_clients: z.optional(z.int()),
      put_off: described(
        'What the hub does not do because it ended the hub three times within an hour: `automations`. `POST /automation/resume_all` takes it up again. Integrations say so themselves (`SAFE_MODE`).',
        z.optional(z.array(z.string())),
      ),
      integrations: z.optional(
        z.array(
          z.looseObject({
            id: z.string(),
            state: wordOf('IntegrationState', INTEGRATION_STATES),
            error: z.optional(z.nullable(failureSchema)),
            devices: z.int(),
          }),
        ),
      ),
      exporters: described(
        'How the exporters fare; `failing` is not a fault of the hub.',
        z.optional(
          z.array(
            z.looseObject({
              id: z.uuid(),
              name: z.nullable(z.string()),
              status: wordOf('ExporterStatus', EXPORTER_STATES),
              behind_s: z.nullable(z.int()),
            }),
          ),
        ),
      ),
    }),
  ),
);

export const systemInfoSchema = named(
  'SystemInfo',
  z.looseObject({
    version: z.string(),
    uptime_seconds: z.int(),
    memory_bytes: described('Memory that the hub uses.', z.int()),
    machine: z.looseObject({
      hostname: z.string(),
      model: z.nullable(z.string()),
      architecture: z.string(),
      operating_system: z.nullable(z.string()),
      kernel: z.string(),
      node: z.string(),
      processors: z.int(),
      memory_bytes: z.int(),
      uptime_seconds: z.int(),
    }),
    /** Base addresses at which the hub serves the API at the moment. */
    addresses: z.array(z.string()),
    clock: z.looseObject({ now: timeSchema, synced: z.boolean() }),
    disk: described(
      'The file system that holds the state, and the part of it that the hub may still use.',
      z.looseObject({ free_bytes: z.nullable(z.int()), total_bytes: z.nullable(z.int()) }),
    ),
  }),
);

export const auditEntrySchema = named(
  'AuditEntry',
  z.object({
    id: z.string(),
    type: wordOf('AuditType', AUDIT_TYPES),
    at: timeSchema,
    first_at: timeSchema,
    wall_at: z.nullable(timeSchema),
    epoch: z.string(),
    count: z.int(),
    peer: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    actor_id: z.nullable(z.string()),
    session: z.nullable(z.string()),
    api_token: z.nullable(z.string()),
    detail: z.nullable(z.string()),
  }),
);

export function auditEntryJson(record: NumberedAuditRecord): z.infer<typeof auditEntrySchema> {
  return {
    id: String(record.number),
    type: record.type,
    at: timeJson(record.atMs),
    first_at: timeJson(record.firstAtMs),
    wall_at: timeJson(record.wallMs),
    epoch: record.epoch,
    count: record.count,
    peer: record.peer,
    user_id: record.userId,
    actor_id: record.actorId,
    session: record.session,
    api_token: record.apiToken,
    detail: record.detail,
  };
}

export type BackupInfo = {
  readonly id: string;
  readonly kind: string;
  readonly createdAtMs: number;
  readonly bytes: number;
};

export const backupSchema = named(
  'Backup',
  z.object({ id: z.string(), kind: z.string(), created_at: timeSchema, size: z.int() }),
);
export const backupDetailSchema = named(
  'BackupDetail',
  z.extend(backupSchema, {
    content: z.object({
      people: z.int(),
      rooms: z.int(),
      devices: z.int(),
      /** The version of the hub that wrote it last; null in backups that are older than this field. */
      hub_version: z.nullable(z.string()),
    }),
  }),
);

export function backupJson({ id, kind, createdAtMs, bytes }: BackupInfo): z.infer<typeof backupSchema> {
  return { id, kind, created_at: timeJson(createdAtMs), size: bytes };
}
