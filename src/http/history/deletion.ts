import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { isUuid } from '#base/uuid.ts';
import { readMoment } from '#core/past/archive/read-moment.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { belongsTo, type HistoryDeletion } from '#core/past/history/history-deletion.ts';
import { houseSeriesFrom } from '#core/past/history/house-series.ts';
import { markOf } from '#core/past/history/thinning.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named } from '#http/note/described.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import * as notes from './notes.ts';

type DeletionRoutesDeps = {
  readonly deletion: Pick<HistoryDeletion, 'deleteHistory'>;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  /** Hub time. */
  readonly nowMs: () => number;
};

const moment = z.string().check(z.maxLength(40));
const querySchema = z.strictObject({
  series: described(
    'What to delete: a device, also by the id of one that was removed, or one of its features as `kitchen-sensor/temperature`, or such as `mode/home`, `variable/bedtime`, `presence/<user id>`. At most 50; everything if absent.',
    z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.minLength(1), z.maxLength(50))),
  ),
  from: described(
    'From when on: RFC 3339, or before now as `-24h`. From the very beginning if absent.',
    z.optional(moment),
  ),
  to: described('Until when; until now if absent.', z.optional(moment)),
  secure: described('Answers when the bytes are overwritten too.', z.optional(z.boolean())),
  dry_run: described('Deletes nothing, and says what would be deleted.', z.optional(z.boolean())),
});

const historyDeletionSchema = named(
  'HistoryDeletion',
  z.object({
    series: described('How many series it concerns, also such as the availability of a device.', z.int()),
    from: described('The beginning of the time; `null`: from the very beginning.', z.nullable(timeSchema)),
    to: described('The end of the time.', timeSchema),
    dry_run: described('`true`: nothing was deleted, and the numbers are what would be.', z.boolean()),
  }),
);

/** Deletes what the hub recorded. */
export function deletionRoutes(deps: DeletionRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'removeHistory',
      method: 'DELETE',
      path: '/api/v1/history',
      summary: 'Delete history for ever',
      tag: 'History',
      note: notes.removeHistory,
      access: 'system:manage',
      sessionOnly: true,
      query: querySchema,
      answers: { 200: historyDeletionSchema },
      audit: ({ query }, { auditDetail: detail }) =>
        query.dry_run === true ? undefined : { type: 'history.deleted', detail },
      handle: async ({ query, authorize }) => {
        const nowMs = deps.nowMs();
        const fromMs = query.from === undefined ? null : readMoment(query.from, 'from', nowMs);
        const toMs = Math.min(nowMs, query.to === undefined ? nowMs : readMoment(query.to, 'to', nowMs));
        if (query.series === undefined && query.from === undefined && query.to === undefined) {
          throw new HubError('INVALID_QUERY', 'Name the series or the time: all history is what is `to` now.');
        }
        if (fromMs !== null && fromMs >= toMs) {
          throw new HubError('HISTORY_RANGE', 'The range ends before it begins, or begins in the future.');
        }
        const wanted = query.series?.map((name) => seriesWanted(deps, name));
        const isTrial = query.dry_run ?? false;
        const count = await deps.deletion.deleteHistory({
          isWanted: (series) => wanted?.some((isWanted) => isWanted(series)) ?? true,
          fromMs,
          toMs,
          isSecure: query.secure ?? false,
          isTrial,
          authorize,
        });
        const from = fromMs === null ? null : timeJson(fromMs);
        const to = timeJson(toMs);
        return {
          status: 200,
          json: { series: count, from, to, dry_run: isTrial },
          // Names that nobody knows could be any text.
          auditDetail: `${query.series === undefined ? 'everything' : `${count} series`} ${from ?? 'first'} ${to}`,
        };
      },
    }),
  ];
}

/** Which series belong to what a caller named. */
function seriesWanted({ registry }: DeletionRoutesDeps, name: string): (series: string) => boolean {
  if (houseSeriesFrom(name) !== undefined) return (series) => series === name || series === markOf(name);
  const slash = name.indexOf('/');
  const device = slash < 0 ? name : name.slice(0, slash);
  const id = registry.findDevice(device)?.id ?? (isUuid(device) ? device : undefined);
  if (id === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
  if (slash < 0) return (series) => belongsTo(series, id as DeviceId);
  const one = `${id}${name.slice(slash)}`;
  return (series) => series === one || series === markOf(one);
}
