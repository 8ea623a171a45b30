import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import { COMMAND_STATUSES } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import { AVAILABILITY_STATES, type Device, deviceName } from '#core/device/device.ts';
import { INTEGRATION_STATES } from '#core/integration/integration-status.ts';
import type { User, UserId } from '#core/person/user.ts';
import { PRESENCE_STATES } from '#core/presence/presence.ts';
import { TIMELINE_TYPES, type TimelineEntry } from '#core/past/timeline/timeline-line.ts';
import type { TimelineLine } from '#core/past/timeline/timeline-reader.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { causeJson, causeSchema } from '#http/command/json.ts';
import { namedDeviceSchema, namedIssuerSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { statusCodeForAll } from '#core/integration/status-error.ts';

const valueSchema = z.union([z.boolean(), z.number(), z.string()]);

const recordValueSchema = named(
  'TimelineRecord',
  z.object({ key: described('Names the record, as a mode by its key.', z.string()), value: valueSchema }),
);
const timelineLineSchema = named(
  'TimelineLine',
  z.object({
    at: timeSchema,
    type: described(
      'What happened: the line has the member that goes with it.',
      wordOf('TimelineType', TIMELINE_TYPES),
    ),
    device: described('With its present name; `null` if the line is about the home.', z.nullable(namedDeviceSchema)),
    feature: described(
      'Of `feature.changed` its new value, of `feature.occurred` the action.',
      z.optional(
        z.object({
          key: z.string(),
          value: described('What it came to; absent: something happened that is no value.', z.optional(valueSchema)),
          action: described('What was done, such as `single`.', z.optional(z.string())),
        }),
      ),
    ),
    availability: described(
      'Whether the device can be reached.',
      z.optional(
        z.object({
          state: described(
            'How the device can be reached from then on.',
            wordOf('AvailabilityState', AVAILABILITY_STATES),
          ),
        }),
      ),
    ),
    command: described(
      'The command that ended.',
      z.optional(
        z.object({
          id: z.string(),
          status: described('How it ended.', wordOf('CommandStatus', COMMAND_STATUSES)),
          reason: described('Why it failed, for people.', z.nullable(z.string())),
          code: described(
            'The same for programs: the code of a problem; `null`: none says it, or an older version wrote the line.',
            z.nullable(z.string()),
          ),
          set: described(
            'What was wished of each feature; `null` of an action, and of what could be the code of a lock.',
            z.record(z.string(), z.nullable(valueSchema)),
          ),
        }),
      ),
    ),
    integration: described(
      'The integration whose status changed.',
      z.optional(
        z.object({
          id: z.string(),
          status: described(
            'Its status from then on; `removed`: it is gone.',
            z.enum([...INTEGRATION_STATES, 'removed']),
          ),
          error: described('Code of the failure.', z.nullable(z.string())),
        }),
      ),
    ),
    mode: described('The mode that was set.', z.optional(recordValueSchema)),
    variable: described('The variable that was set.', z.optional(recordValueSchema)),
    presence: described(
      'The person who came or left.',
      z.optional(
        z.object({
          user: z.object({ id: z.string(), name: described('`null`: the account is gone.', z.nullable(z.string())) }),
          state: described('Where the person is from then on.', wordOf('PresenceState', PRESENCE_STATES)),
        }),
      ),
    ),
    automation: z.optional(
      z.object({
        id: z.string(),
        selector: described('`null`: it is gone.', z.nullable(z.string())),
        name: z.nullable(z.string()),
      }),
    ),
    run: described(
      'Of `automation.run`: the run that ended, and how.',
      z.optional(z.object({ id: z.string(), outcome: wordOf('RunOutcome', RUN_OUTCOMES) })),
    ),
    name: described('Of `device.renamed`: the name that it got.', z.optional(z.string())),
    skipped: described(
      'Of `lines.skipped`: so many lines before this one were too many to be kept.',
      z.optional(z.int()),
    ),
    cause: described('Because of what. `null`: nobody commanded it, or that is not known.', z.nullable(causeSchema)),
    by: described(
      'Who gave the command. `null` if nobody did, if that is not known, or if the caller may not see the command.',
      z.nullable(namedIssuerSchema),
    ),
  }),
);

export const timelineSchema = named(
  'Timeline',
  z.object({
    lines: described('Newest first.', z.array(timelineLineSchema)),
    next: described('The `cursor` of older lines; `null` if there are none.', z.nullable(z.string())),
  }),
);

type LineJson = z.infer<typeof timelineLineSchema>;
/** The person who issued something; `null` if the caller may not know. */
export type FindIssuer = (issuer: Issuer) => { readonly user: Pick<User, 'id' | 'name'> | null } | null;

type FindPeople = {
  readonly findIssuer: FindIssuer;
  readonly findUser: (id: UserId) => Pick<User, 'id' | 'name'> | undefined;
  readonly findAutomation: (id: string) => { readonly selector: string; readonly name: string } | undefined;
};

export function timelineLineJson({ atMs, entry }: TimelineLine, device: Device | null, find: FindPeople): LineJson {
  const isCommanded = entry.type === 'feature.changed' || entry.type === 'command.finished';
  return {
    at: timeJson(atMs),
    type: entry.type,
    device: device && { id: device.id, selector: device.selector, name: deviceName(device) },
    ...partsOf(entry, find),
    cause: isCommanded ? causeJson(entry.cause) : null,
    by: isCommanded && entry.by !== null ? issuerJson(entry.by, find.findIssuer(entry.by)) : null,
  };
}

function issuerJson({ type, id }: Issuer, found: ReturnType<FindIssuer>): LineJson['by'] {
  return found && { type, id, user: found.user && { id: found.user.id, name: found.user.name } };
}

function partsOf(entry: TimelineEntry, { findUser, findAutomation }: FindPeople): Partial<LineJson> {
  switch (entry.type) {
    case 'feature.changed':
      return { feature: { key: entry.key, value: entry.value } };
    case 'feature.occurred':
      return { feature: { key: entry.key, action: entry.action } };
    case 'availability.changed':
      return { availability: { state: entry.state } };
    case 'command.finished':
      return {
        command: {
          id: entry.command,
          status: entry.status,
          reason: entry.reason,
          code: entry.code,
          set: { ...entry.wishes },
        },
      };
    case 'device.renamed':
      return { name: entry.name };
    case 'integration.changed':
      return { integration: { id: entry.integration, status: entry.state, error: statusCodeForAll(entry.error) } };
    case 'mode.changed':
      return { mode: { key: entry.key, value: entry.value } };
    case 'variable.changed':
      return { variable: { key: entry.key, value: entry.value } };
    case 'presence.changed':
      return {
        presence: { user: { id: entry.user, name: findUser(entry.user)?.name ?? null }, state: entry.state },
      };
    case 'automation.run': {
      const { selector = null, name = null } = findAutomation(entry.automation) ?? {};
      const run = { id: entry.run, outcome: entry.outcome };
      return { automation: { id: entry.automation, selector, name }, run };
    }
    case 'lines.skipped':
      return { skipped: entry.count };
    default:
      return {};
  }
}
