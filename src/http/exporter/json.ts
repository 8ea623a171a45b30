import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { fieldError, validationFailed } from '#base/hub-error.ts';
import {
  EXPORTER_STATES,
  EXPORTER_TYPES,
  type ExportError,
  type ExportStart,
  type ExportTest,
  type KnownExporter,
  type SetAside,
} from '#core/exporter/exporter.ts';
import { isGap } from '#core/past/history/sample.ts';
import { MAX_URL_LENGTH } from '#core/webhook/webhook.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { messageReasonSchema, withReason } from '#http/answer/reason-json.ts';
import { described, limited, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';
import { ownsHub } from '#http/rights/access.ts';
import { faultWords } from '#words/faults.ts';

const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(100));
const line = z.string().check(z.minLength(1), z.maxLength(1000), z.regex(/^[^\r\n]*$/));

const exporterUrlSchema = limited({ pattern: '^(https?|mqtts?)://[^#]+$', maxLength: MAX_URL_LENGTH }, z.string());
const seriesFilterSchema = named(
  'SeriesFilter',
  z.strictObject({
    devices: described(
      'Only series of these devices, by id or selector; `null` for all.',
      z.optional(z.nullable(names)),
    ),
    rooms: described(
      'Only series of devices that are in these rooms now, by id or selector; `null` for all.',
      z.optional(z.nullable(names)),
    ),
    keys: described('Only series of these features: `temperature`; `null` for all.', z.optional(z.nullable(names))),
  }),
);
export const credentialsSchema = named(
  'ExporterCredentials',
  described(
    'A user with a password, or a `token`, which goes out as `Authorization: Token …`.',
    z.strictObject({
      user: described('Name of the user; sent as basic authentication, or to the broker.', z.optional(line)),
      password: described(
        'Password of the user; absent: none.',
        z.optional(z.string().check(z.maxLength(1000), z.regex(/^[^\r\n]*$/))),
      ),
      token: described('The token of a database such as InfluxDB.', z.optional(line)),
    }),
  ),
);
const settings = {
  name: z.optional(z.nullable(nameSchema)),
  url: described(
    'For `line_protocol` the whole URL under which the receiver takes writes; for `mqtt` a broker, `mqtt://host[:port]`.',
    z.optional(z.nullable(exporterUrlSchema)),
  ),
  broker: described(
    'Instead of a URL, for `mqtt`: the id of an integration of the kind `mqtt`.',
    z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(64)))),
  ),
  credentials: described(
    'No answer shows them. They are gone when the receiver becomes another one.',
    z.optional(z.nullable(credentialsSchema)),
  ),
  series: described('Which series; an absent part stays as it is.', z.optional(seriesFilterSchema)),
  enabled: z.optional(z.boolean()),
};
const TIME =
  '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';
const startSchema = limited({ pattern: `^(now|beginning|${TIME})$`, maxLength: 40 }, z.string());
const from = described(
  '`now`, `beginning`, or a time (RFC 3339). Nothing is there from before the history begins.',
  startSchema,
);
export const exporterCreateSchema = named(
  'ExporterCreate',
  z.strictObject({
    type: described(
      'What the receiver speaks: `line_protocol` of InfluxDB over HTTP, or MQTT.',
      z.enum(EXPORTER_TYPES),
    ),
    ...settings,
    from: z.optional(from),
  }),
);
export const exporterUpdateSchema = named('ExporterUpdate', z.strictObject(settings));
export const exporterReplaySchema = named('ExporterReplay', z.strictObject({ from }));
export type ExporterBody = z.infer<typeof exporterUpdateSchema>;

const exportErrorSchema = named(
  'ExporterError',
  z.object({
    code: z.string(),
    message: z.string(),
    detail: described('What the receiver said. Only an owner sees it.', z.nullable(z.string())),
    reason: messageReasonSchema,
  }),
);
const setAsideSchema = named(
  'ExporterSetAside',
  z.object({
    series: described('The id of the device and the key of the feature.', z.string()),
    at: timeSchema,
    value: described('`null` for the beginning of a gap.', z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
    error: exportErrorSchema,
  }),
);
export const exporterSchema = named(
  'Exporter',
  z.object({
    id: z.uuid(),
    type: described('What the receiver speaks.', z.enum(EXPORTER_TYPES)),
    name: z.nullable(z.string()),
    url: described('Where the samples go; `null`: to a `broker`.', z.nullable(z.string())),
    broker: described('Id of the integration whose broker gets them; `null`: a `url` does.', z.nullable(z.string())),
    has_credentials: described('It logs in there; no answer shows with what.', z.boolean()),
    series: described(
      'Which series go there.',
      z.object({
        devices: described('Only series of these devices; `null`: of all.', z.nullable(z.array(z.uuid()))),
        rooms: described(
          'Only series of devices that are in these rooms now; `null`: in any.',
          z.nullable(z.array(z.uuid())),
        ),
        keys: described('Only series of these features; `null`: of all.', z.nullable(z.array(z.string()))),
      }),
    ),
    enabled: z.boolean(),
    status: described(
      '`waiting`: since the hub started or the settings changed, the receiver has taken nothing yet. The hub never gives up one that is `failing`: it tries again, at last every five minutes.',
      wordOf('ExporterStatus', EXPORTER_STATES),
    ),
    error: z.nullable(exportErrorSchema),
    failing_since: z.nullable(timeSchema),
    acked_at: described('Time of the last sample that the receiver has.', z.nullable(timeSchema)),
    behind_s: described(
      'Age of the oldest sample that the receiver lacks; 0 if it has all, `null` while that is not known.',
      z.nullable(z.int()),
    ),
    rate: described('Samples a second, over the last minute.', z.number()),
    set_aside: described(
      'The newest samples, at most 100, that the receiver refuses although it takes others.',
      z.array(setAsideSchema),
    ),
    set_aside_count: described('How many samples were ever set aside.', z.int()),
    gaps: described('How often the history forgot samples before the receiver had them.', z.int()),
    lost_samples: described('How many samples that were at most.', z.int()),
    revision: described('Counts the changes of what can be set; for `If-Match`.', z.int()),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);
export const exportTestSchema = named(
  'ExporterTest',
  z.object({
    at: timeSchema,
    ms: described('Milliseconds until the receiver answered, or the hub gave up.', z.int()),
    error: described('`null`: the receiver has taken it.', z.nullable(exportErrorSchema)),
  }),
);

export function exporterJson({ exporter, state }: KnownExporter, caller: Caller): z.infer<typeof exporterSchema> {
  const { deviceIds, roomIds, keys } = exporter.filter;
  return {
    id: exporter.id,
    type: exporter.type,
    name: exporter.name,
    url: exporter.url,
    broker: exporter.broker,
    has_credentials: exporter.secret !== null,
    series: { devices: deviceIds && [...deviceIds], rooms: roomIds && [...roomIds], keys: keys && [...keys] },
    enabled: exporter.enabled,
    status: state.status,
    error: state.error && errorJson(state.error, caller),
    failing_since: timeJson(state.failingSinceMs),
    acked_at: timeJson(state.ackedAtMs),
    behind_s: state.behindS,
    rate: state.rate,
    set_aside: state.setAside.map((one) => setAsideJson(one, caller)),
    set_aside_count: state.setAsideCount,
    gaps: state.gaps,
    lost_samples: state.lostSamples,
    revision: exporter.revision ?? 1,
    created_at: timeJson(exporter.createdAtMs),
    updated_at: timeJson(exporter.updatedAtMs),
  };
}

export function exportTestJson({ atMs, ms, error }: ExportTest, caller: Caller): z.infer<typeof exportTestSchema> {
  return { at: timeJson(atMs), ms, error: error && errorJson(error, caller) };
}

function setAsideJson({ series, atMs, value, error }: SetAside, caller: Caller): z.infer<typeof setAsideSchema> {
  return { series, at: timeJson(atMs), value: isGap(value) ? null : value, error: errorJson(error, caller) };
}

const CONNECTION_CODES: ReadonlySet<string> = new Set(['connection_failed', 'timeout', 'broker_down']);

/** Why a connection fails, and what answers, shows what a machine has: it would make an exporter a port scanner. */
function errorJson(error: ExportError, caller: Caller): z.infer<typeof exportErrorSchema> {
  if (ownsHub(caller)) return withReason(error);
  if (!CONNECTION_CODES.has(error.code)) return withReason({ ...error, detail: null });
  return withReason({ code: 'connection_failed', message: 'no connection, or no answer in time', detail: null });
}

/** Throws VALIDATION_FAILED. */
export function startFrom(text: string): ExportStart {
  if (text === 'now' || text === 'beginning') return text;
  const atMs = z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return { atMs };
  throw validationFailed([fieldError('/from', 'INVALID_FORMAT', ...faultWords('replay_from'))]);
}

declareEvents(170, 'hub:manage', {
  'exporter.changed': {
    about:
      'The status of an exporter, or its settings, which the event does not have. Only for callers with the right `hub:manage`.',
    shape: { exporter: z.object({ id: z.uuid(), status: z.enum([...EXPORTER_STATES, 'removed']) }) },
    json: ({ exporter, status }) => ({ exporter: { id: exporter, status } }),
  },
  'exporter.gap': {
    about:
      'The history forgot samples, at most so many, before the receiver had them. It has everything up to `from`; `null` if it has nothing. Only for callers with the right `hub:manage`.',
    shape: {
      exporter: z.object({ id: z.uuid() }),
      samples: described('How many it lacks at most.', z.int()),
      from: described('It has everything up to here; `null`: it has nothing.', z.nullable(timeSchema)),
    },
    json: ({ exporter, samples, fromMs }) => ({ exporter: { id: exporter }, samples, from: timeJson(fromMs) }),
  },
});
