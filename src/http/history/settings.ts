import { type FaultWords, faultWords } from '#words/faults.ts';
import * as z from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { HistoryUsage } from '#core/past/history/history-store.ts';
import {
  type HistoryRule,
  type HistorySettings,
  MAX_RULES,
  type OpenHistorySettings,
} from '#core/past/history/history-settings.ts';
import { RECORDING_MODES } from '#core/past/history/recording-settings.ts';
import type { Room } from '#core/room/room.ts';
import { requireTag, tagOf } from '#http/answer/entity-tag.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { defineRoute, mergePatchBody, type Route } from '#http/routing/route.ts';
import { takingShown } from '#http/routing/shown-too.ts';
import * as notes from './notes.ts';

type HistorySettingsRoutesDeps = {
  readonly historySettings: Pick<OpenHistorySettings, 'present' | 'update'> & {
    /** What would go with these settings: the names of months. */
    readonly findOld: (settings: HistorySettings) => Promise<readonly string[]>;
    readonly readUsage: () => Promise<Pick<HistoryUsage, 'months' | 'bytes'>>;
  };
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  readonly findRoom: (idOrSelector: string) => Room | undefined;
};

const PATH = '/api/v1/history/settings';
const MAX_DAYS = 36_500;
const MIN_BYTES = 1_048_576;

const daysSchema = z.int().check(z.gte(1), z.lte(MAX_DAYS));
const nameSchema = z.string().check(z.minLength(1), z.maxLength(200));
const ruleSchema = z.strictObject({
  match: named(
    'HistoryMatch',
    described(
      'One of `capability`, `room` and `device`; rooms and devices by id or selector.',
      z.strictObject({
        capability: described('Features with this capability, such as `temperature`.', z.optional(nameSchema)),
        room: described('Id or selector: all features of the devices in this room.', z.optional(nameSchema)),
        device: described('Id or selector: all features of this device.', z.optional(nameSchema)),
      }),
    ),
  ),
  recording: described(
    'Counts for features that are themselves `auto`; `auto` if absent.',
    z.optional(wordOf('RecordingMode', RECORDING_MODES)),
  ),
  raw_days: described(
    'Samples older than this go within a month, and what is kept of each hour stays. `null`: as all others.',
    z.optional(z.nullable(daysSchema)),
  ),
});
const shownRuleSchema = z.object({
  match: ruleSchema.shape.match,
  recording: described('For features that are themselves `auto`.', wordOf('RecordingMode', RECORDING_MODES)),
  raw_days: described('Days for which single samples stay; `null`: as for all others.', z.nullable(daysSchema)),
});
const rawDaysSchema = described('Months whose last sample is older go as a whole.', daysSchema);
const maxBytesSchema = described(
  'Of all months together: the oldest go first, the newest stays, and takes half of it at most (`open_month` in `GET /health`). `null`: a tenth of the disk, at most 1 GiB.',
  z.nullable(z.int().check(z.gte(MIN_BYTES), z.lte(1e15))),
);
const perSchema = described(
  'The first rule that fits a feature counts.',
  z.array(ruleSchema).check(z.maxLength(MAX_RULES)),
);

const historySettingsSchema = named(
  'HistorySettings',
  z.object({
    raw_days: rawDaysSchema,
    max_bytes: maxBytesSchema,
    per: described('Rules for single features, in the order in which they are looked at.', z.array(shownRuleSchema)),
    bytes: described('What the months take on disk.', z.int()),
    removes: described(
      'The months that go within the hour because of these settings, and what they take.',
      z.object({
        months: described('Such as `2026-01`.', z.array(z.string())),
        bytes: described('What these months take on disk.', z.int()),
      }),
    ),
  }),
);
const historySettingsUpdateSchema = named(
  'HistorySettingsUpdate',
  takingShown(
    z.strictObject({
      raw_days: z.optional(rawDaysSchema),
      max_bytes: z.optional(maxBytesSchema),
      per: z.optional(perSchema),
    }),
    historySettingsSchema,
  ),
);

/** How long history is kept. */
export function historySettingsRoutes(deps: HistorySettingsRoutesDeps): readonly Route[] {
  const { historySettings } = deps;
  return [
    defineRoute({
      id: 'getHistorySettings',
      method: 'GET',
      path: PATH,
      summary: 'Show how long history is kept',
      tag: 'History',
      note: notes.getHistorySettings,
      access: 'hub:manage',
      answers: { 200: historySettingsSchema },
      handle: async () => {
        const present = historySettings.present();
        return { status: 200, json: await settingsJson(deps, present), headers: { ETag: tagOf(present) } };
      },
    }),
    defineRoute({
      id: 'updateHistorySettings',
      method: 'PATCH',
      path: PATH,
      summary: 'Change how long history is kept',
      tag: 'History',
      note: notes.updateHistorySettings,
      access: 'hub:manage',
      query: z.strictObject({
        dry_run: described('Changes nothing, and says in `removes` what would go.', z.optional(z.boolean())),
      }),
      body: mergePatchBody(historySettingsUpdateSchema),
      answers: { 200: historySettingsSchema },
      audit: ({ query }, { auditDetail: detail }) =>
        query.dry_run === true ? undefined : { type: 'history.changed', detail },
      handle: async ({ body, query, header, authorize }) => {
        const { raw_days: rawDays, max_bytes: maxBytes, per } = body;
        const change = {
          ...(rawDays !== undefined && { rawDays }),
          ...(maxBytes !== undefined && { maxBytes }),
          ...(per !== undefined && { per: per.map((rule, index) => ruleFrom(deps, rule, index)) }),
        };
        const allow = (): void => {
          authorize();
          requireTag(header('if-match'), tagOf(historySettings.present()));
        };
        const next =
          query.dry_run === true
            ? { ...historySettings.present(), ...change }
            : await historySettings.update(change, allow);
        const { maxBytes: bytes, rawDays: days, per: rules } = next;
        return {
          status: 200,
          json: await settingsJson(deps, next),
          headers: { ETag: tagOf(historySettings.present()) },
          auditDetail: `${days} days, ${bytes ?? 'usual'} bytes, ${rules.length} rules`,
        };
      },
    }),
  ];
}

function ruleFrom(
  { registry, findRoom, historySettings }: HistorySettingsRoutesDeps,
  { match, recording = 'auto', raw_days: rawDays = null }: z.infer<typeof ruleSchema>,
  index: number,
): HistoryRule {
  const { capability, room, device } = match;
  if ([capability, room, device].filter((name) => name !== undefined).length !== 1) {
    throw wrongRule(index, '', faultWords('one_match'));
  }
  // A rule whose room or device is gone stays until somebody leaves it out: it must not hold up the others.
  const isKept = (kind: 'room' | 'device', name: string): boolean =>
    historySettings.present().per.some((rule) => new Map(Object.entries(rule.match)).get(kind) === name);
  if (capability !== undefined) return { match: { capability }, recording, rawDays };
  if (room !== undefined) {
    const found = findRoom(room);
    if (found === undefined && !isKept('room', room)) {
      throw wrongRule(index, '/room', faultWords('unknown_room'));
    }
    return { match: { room: found?.id ?? room }, recording, rawDays };
  }
  const name = device ?? '';
  const found = registry.findDevice(name);
  if (found === undefined && !isKept('device', name)) {
    throw wrongRule(index, '/device', faultWords('unknown_device'));
  }
  return { match: { device: found?.id ?? name }, recording, rawDays };
}

function wrongRule(index: number, member: string, words: FaultWords): HubError {
  return new HubError('VALIDATION_FAILED', 'A rule fits nothing.', {
    errors: [fieldError(`/per/${index}/match${member}`, 'INVALID_VALUE', ...words)],
  });
}

async function settingsJson(
  { historySettings }: HistorySettingsRoutesDeps,
  settings: HistorySettings,
): Promise<z.infer<typeof historySettingsSchema>> {
  const [old, { months, bytes }] = await Promise.all([historySettings.findOld(settings), historySettings.readUsage()]);
  const gone = months.filter(({ month }) => old.includes(month));
  return {
    raw_days: settings.rawDays,
    max_bytes: settings.maxBytes,
    per: settings.per.map(({ match, recording, rawDays }) => ({ match: { ...match }, recording, raw_days: rawDays })),
    bytes,
    removes: { months: gone.map(({ month }) => month), bytes: gone.reduce((sum, month) => sum + month.bytes, 0) },
  };
}
