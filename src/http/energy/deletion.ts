import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { readMoment } from '#core/past/archive/read-moment.ts';
import type { Device } from '#core/device/device.ts';
import type { Energy } from '#core/energy/energy.ts';
import { seriesName } from '#core/energy/settings.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named } from '#http/note/described.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import * as notes from './notes.ts';

type EnergyDeletionDeps = {
  readonly energy: Pick<Energy, 'deleteHours' | 'settings'>;
  readonly nowMs: () => number;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

const moment = z.string().check(z.maxLength(40));
const querySchema = z.strictObject({
  consumer: described(
    'The series of consumers, of now or of earlier settings, as `fridge-plug/energy`: only what they used. At most 50; whole hours if absent.',
    z.optional(z.array(z.string().check(z.minLength(3), z.maxLength(300))).check(z.minLength(1), z.maxLength(50))),
  ),
  from: described(
    'From when on: RFC 3339, or before now as `-24h`. From the very beginning if absent.',
    z.optional(moment),
  ),
  to: described('Until when; until now if absent.', z.optional(moment)),
  dry_run: described('Deletes nothing, and says what would be deleted.', z.optional(z.boolean())),
});

const energyDeletionSchema = named(
  'EnergyDeletion',
  z.object({
    hours: described('How many hours had something to delete.', z.int()),
    from: described('The beginning of the time; `null`: from the very beginning.', z.nullable(timeSchema)),
    to: described('The end of the time.', timeSchema),
    dry_run: described('`true`: nothing was deleted, and `hours` is what would be.', z.boolean()),
  }),
);

/** Deletes what was settled, which outlives the history that it was made of. */
export function energyDeletionRoute({ energy, nowMs, registry }: EnergyDeletionDeps): Route {
  return defineRoute({
    id: 'removeEnergy',
    method: 'DELETE',
    path: '/api/v1/energy',
    summary: 'Delete accounts of energy for ever',
    tag: 'Energy',
    note: notes.removeEnergy,
    access: 'system:manage',
    sessionOnly: true,
    query: querySchema,
    answers: { 200: energyDeletionSchema },
    audit: ({ query }, { auditDetail: detail }) =>
      query.dry_run === true ? undefined : { type: 'energy.deleted', detail },
    handle: async ({ query, authorize }) => {
      const now = nowMs();
      if (query.consumer === undefined && query.from === undefined && query.to === undefined) {
        throw new HubError('INVALID_QUERY', 'Name the consumers or the time: all accounts are what is `to` now.');
      }
      const fromMs = query.from === undefined ? null : readMoment(query.from, 'from', now);
      const toMs = Math.min(now, query.to === undefined ? now : readMoment(query.to, 'to', now));
      if (fromMs !== null && fromMs >= toMs) {
        throw new HubError('HISTORY_RANGE', 'The range ends before it begins, or begins in the future.');
      }
      const known = energy.settings().consumerNumbers;
      const names = query.consumer?.map((shown) => {
        const slash = shown.indexOf('/');
        const device = registry.findDevice(shown.slice(0, slash))?.id;
        const name = device === undefined ? shown : seriesName({ device, key: shown.slice(slash + 1) });
        if (!Object.hasOwn(known, name)) throw new HubError('NOT_FOUND', 'There is no such consumer.');
        return name;
      });
      const isTrial = query.dry_run ?? false;
      const isConsumer = names === undefined ? null : (series: string): boolean => names.includes(series);
      const hours = await energy.deleteHours({ fromMs: fromMs ?? 0, toMs, isConsumer, isTrial }, { authorize });
      const from = fromMs === null ? null : timeJson(fromMs);
      const to = timeJson(toMs);
      return {
        status: 200,
        json: { hours, from, to, dry_run: isTrial },
        auditDetail: `${names === undefined ? 'everything' : `${names.length} consumers`} ${from ?? 'first'} ${to}`,
      };
    },
  });
}
