import * as z from 'zod/mini';
import { CLOCK_SOURCES } from '#base/time/hub-clock.ts';
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

const recoverySchema = named(
  'DatabaseRecovery',
  z.looseObject({
    reason: described('What was wrong with the database.', z.string()),
    from: described('The backup or copy from which the hub took its state; `null`: none.', z.nullable(z.string())),
  }),
);
const setAsideSchema = described(
  'A record in the database that the hub cannot read and does without; the database keeps it. `noun` is what it is of, as `notification`, `reason` what is wrong with it. The hub lists it in the run in which it found it, and for seven days, and keeps it for 90.',
  z.looseObject({
    code: z.literal('RECORD_SET_ASIDE'),
    noun: described('What it is a record of, such as `notification`.', z.string()),
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
      status: described('`degraded`: the hub works, but something needs a person.', z.enum(HEALTH_STATES)),
      database: described(
        'The state of the database, and how the hub repaired it at the last start, if it was broken.',
        z.optional(
          z.looseObject({
            status: described('`ok`, or what is wrong with it.', z.string()),
            read_only: described('The hub cannot write: what is changed now is refused.', z.boolean()),
            recovered: described(
              'How it was repaired at the last start; `null`: it was whole.',
              z.nullable(recoverySchema),
            ),
            set_aside: described('Records that the hub cannot read and does without.', z.array(setAsideSchema)),
            set_aside_kept: described(
              'All records that are set aside, listed or not. They go after 90 days, or once they take more than 64 MiB: `until` is when the oldest go, `null` without any, and while the clock of the hub has not been set since.',
              z.looseObject({
                records: described('How many there are.', z.int()),
                bytes: z.int(),
                until: described(
                  'When the oldest go; `null`: there are none, or the clock is not set.',
                  z.nullable(timeSchema),
                ),
              }),
            ),
            backup_failure: described('Why the last backup failed; `null`: it did not.', z.nullable(z.string())),
          }),
        ),
      ),
      last_backup: described(
        'When the last backup was made; `null`: there is none.',
        z.optional(z.nullable(timeSchema)),
      ),
      disk: described(
        'The file system that holds the state of the hub.',
        z.optional(
          z.looseObject({
            free_bytes: described('What is free; `null`: unknown.', z.nullable(z.number())),
            written_today_bytes: described(
              'What the hub wrote since midnight; `null`: unknown.',
              z.nullable(z.number()),
            ),
          }),
        ),
      ),
      history: described(
        'What the months of history take on disk, how many samples are in no month yet, and since when samples are dropped because the disk takes none; `null` if none are. `unusable` lists files that are left alone, because of their rights or where they come from: what they have is a gap until a person acts, and samples for a month that is `not_permitted` wait. `open_month` is the present month, which may take half of what history may, so that the one before it stays; `null` until it is known. `left_out` lists up to 100 devices and integrations whose samples are left out for the rest of the `day` (UTC) or `month`, because they reported too much. A device may have a third of what the month still has free, and so has a quarter of it at most; a provider as well, with all of its devices; another integration with all of its devices as much as is free. `max_bytes` of the settings of history gives more room.',
        z.optional(
          z.looseObject({
            bytes: z.int(),
            waiting_samples: described('Samples that are in no month yet.', z.int()),
            paused_since: described(
              'Since when samples are dropped, because the disk takes none; `null`: none are.',
              z.nullable(timeSchema),
            ),
            open_month: described(
              'The month that is being written; `null`: there is none.',
              z.nullable(z.looseObject({ bytes: z.int(), max_bytes: described('What it takes at most.', z.int()) })),
            ),
            left_out: described(
              'What has no history at the moment, to keep within limits.',
              z.array(
                z.looseObject({
                  kind: described('Whether it is a single device or all of an integration.', z.enum(BUDGET_KINDS)),
                  id: z.string(),
                  reason: z.enum(PAUSE_REASONS),
                  since: timeSchema,
                }),
              ),
            ),
            unusable: described(
              'Files that cannot be read.',
              z.array(
                z.looseObject({
                  file: described('`2026-11`, `hours-2026`, or `history` for the whole folder.', z.string()),
                  reason: z.enum(UNUSABLE_REASONS),
                }),
              ),
            ),
          }),
        ),
      ),
      /** The time of day of the machine, the hub time, and whether either can be trusted. */
      clock: described(
        'The time of day of the machine, the time of the hub, and whether they can be trusted.',
        z.optional(
          z.looseObject({
            now: described('The time of day of the machine.', timeSchema),
            hub_time: described('The time by which the hub counts, which never jumps back.', timeSchema),
            synced: described('A time server has set it since the machine was switched on.', z.boolean()),
            source: described('From where the hub knows the time of day.', wordOf('ClockSource', CLOCK_SOURCES)),
            detail: described('The same in a sentence.', z.string()),
          }),
        ),
      ),
      addresses: described(
        'Base addresses at which the hub serves the API at the moment.',
        z.optional(z.array(z.string())),
      ),
      advertised: described(
        'The name under which mDNS finds the hub at the moment; `null` until the network has answered. `conflict` names another host that has, or in the last ten minutes had, one of the names of the hub. The hub tries to get its first name back by itself.',
        z.optional(
          z.looseObject({
            host: described(
              'The name with `.local`; `null`: the network has not answered yet.',
              z.nullable(z.string()),
            ),
            conflict: described(
              'Another host that has the name; `null`: none.',
              z.nullable(z.looseObject({ name: z.string(), holder: described('Address of that host.', z.string()) })),
            ),
          }),
        ),
      ),
      event_clients: described('How many event streams and polls are open.', z.optional(z.int())),
      put_off: described(
        'What the hub does not do because it ended the hub three times within an hour: `automations`. `POST /automation/resume_all` takes it up again. Integrations say so themselves (`SAFE_MODE`).',
        z.optional(z.array(z.string())),
      ),
      integrations: described(
        'How the integrations fare.',
        z.optional(
          z.array(
            z.looseObject({
              id: z.string(),
              state: described(
                'How it stands, as in `GET /api/v1/integration`.',
                wordOf('IntegrationState', INTEGRATION_STATES),
              ),
              error: z.optional(z.nullable(failureSchema)),
              devices: described('How many devices come through it.', z.int()),
            }),
          ),
        ),
      ),
      exporters: described(
        'How the exporters fare; `failing` is not a fault of the hub.',
        z.optional(
          z.array(
            z.looseObject({
              id: z.uuid(),
              name: z.nullable(z.string()),
              status: described(
                'How it stands, as in `GET /api/v1/exporter`.',
                wordOf('ExporterStatus', EXPORTER_STATES),
              ),
              behind_s: described(
                'Seconds since the oldest sample that the receiver lacks; `null`: unknown.',
                z.nullable(z.int()),
              ),
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
    version: described('Version of the hub, as in `hearthd --version`.', z.string()),
    uptime_seconds: described('Seconds since the hub started.', z.int()),
    memory_bytes: described('Memory that the hub uses.', z.int()),
    machine: described(
      'The computer on which the hub runs.',
      z.looseObject({
        hostname: described('What the computer calls itself.', z.string()),
        model: described('What its maker calls it; `null`: unknown.', z.nullable(z.string())),
        architecture: described('Kind of processor, such as `arm64`.', z.string()),
        operating_system: described('Name and version of the system; `null`: unknown.', z.nullable(z.string())),
        kernel: described('Version of the kernel of Linux.', z.string()),
        node: described('Version of Node.js, which runs the hub.', z.string()),
        processors: described('How many cores it has.', z.int()),
        memory_bytes: described('Memory that the computer has.', z.int()),
        uptime_seconds: described('Seconds since the computer started.', z.int()),
      }),
    ),
    /** Base addresses at which the hub serves the API at the moment. */
    addresses: described('Base addresses at which the hub serves the API at the moment.', z.array(z.string())),
    clock: described(
      'The time of day.',
      z.looseObject({
        now: described('The time of day of the machine.', timeSchema),
        synced: described('A time server has set it since the machine was switched on.', z.boolean()),
      }),
    ),
    disk: described(
      'The file system that holds the state, and the part of it that the hub may still use.',
      z.looseObject({
        free_bytes: described('What the hub may still use; `null`: unknown.', z.nullable(z.int())),
        total_bytes: described('How large the file system is; `null`: unknown.', z.nullable(z.int())),
      }),
    ),
  }),
);

export type BackupInfo = {
  readonly id: string;
  readonly kind: string;
  readonly createdAtMs: number;
  readonly bytes: number;
};

export const backupSchema = named(
  'Backup',
  z.object({
    id: z.string(),
    kind: described('Why it was made: by a person, by a script, each day, or before something changed.', z.string()),
    created_at: timeSchema,
    size: described('How large the file is, in bytes.', z.int()),
  }),
);
export const backupDetailSchema = named(
  'BackupDetail',
  z.extend(backupSchema, {
    content: described(
      'What is in it.',
      z.object({
        people: described('How many accounts.', z.int()),
        rooms: described('How many rooms.', z.int()),
        devices: described('How many devices.', z.int()),
        /** The version of the hub that wrote it last; null in backups that are older than this field. */
        hub_version: described(
          'Version of the hub that wrote it; `null`: older than this field.',
          z.nullable(z.string()),
        ),
      }),
    ),
  }),
);

export function backupJson({ id, kind, createdAtMs, bytes }: BackupInfo): z.infer<typeof backupSchema> {
  return { id, kind, created_at: timeJson(createdAtMs), size: bytes };
}
