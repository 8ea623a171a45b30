import * as z from 'zod/mini';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { Device } from '#core/device/device.ts';
import type { Energy } from '#core/energy/energy.ts';
import { KEEP_PRICES_MS } from '#core/energy/price-slots.ts';
import { periodOf, PERIODS, reportOf } from '#core/energy/period.ts';
import type { SeriesRef, StoredEnergySettings } from '#core/energy/settings.ts';
import { checkSettings } from '#core/energy/settings-check.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import { revisedResource, showResource, showIfChanged } from '#http/answer/resource.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { createQueryQueue, type QueryQueue } from '#http/history/query-queue.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { energyDeletionRoute } from './deletion.ts';
import { energyAnswerJson, energyAnswerSchema } from './json.ts';
import * as notes from './notes.ts';
import { energySettingsBodySchema, energySettingsJson, energySettingsSchema, givenSettings } from './settings-json.ts';
import type { PriceSlot } from '#core/energy/tariff.ts';
import { faultWords } from '#words/faults.ts';

type EnergyRoutesDeps = {
  readonly energy: Omit<Energy, 'settle' | 'stop' | 'onChange'>;
  readonly timeZone: () => TimeZone;
  readonly nowMs: () => number;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

const PATH = '/api/v1/energy';
const SETTINGS = '/api/v1/energy/settings';
const KIB = 1024;

const querySchema = z.strictObject({
  period: described(
    '`day` in hours, `month` in days, `year` in months; a day if absent.',
    z.optional(wordOf('EnergyPeriod', PERIODS)),
  ),
  date: described(
    'A day in it, as `2026-11-22`, `2026-11` or `2026`; today if absent.',
    z.optional(z.string().check(z.regex(/^\d{4}(-\d\d(-\d\d)?)?$/))),
  ),
});

/** Makes the calls about what the home used, and what that cost. */
export function energyRoutes(deps: EnergyRoutesDeps): readonly Route[] {
  return [
    reportRoute(deps, createQueryQueue()),
    energyDeletionRoute(deps),
    ...settingsRoutes(deps),
    ...priceRoutes(deps),
  ];
}

function reportRoute({ energy, timeZone, nowMs, registry }: EnergyRoutesDeps, queue: QueryQueue): Route {
  return defineRoute({
    id: 'getEnergy',
    method: 'GET',
    path: PATH,
    summary: 'Show what the home used and what it cost',
    tag: 'Energy',
    note: notes.getEnergy,
    access: 'history:read',
    place: 'home',
    query: querySchema,
    answers: { 200: energyAnswerSchema },
    handle: async ({ query, authorize }) => {
      const zone = timeZone();
      const now = nowMs();
      const dateMs = query.date === undefined ? now + zone.offsetMs(now) : readDate(query.date);
      const period = periodOf(query.period ?? 'day', dateMs, zone);
      if (period.fromMs > now) throw new HubError('HISTORY_RANGE', 'This time has not begun yet.');
      const accounts = await queue(authorize().user.id, () =>
        energy.accounts({ ...period, toMs: Math.min(period.toMs, now) }),
      );
      authorize();
      const settings = energy.settings();
      const report = reportOf(period, { accounts, settings, zone, nowMs: now });
      const json = energyAnswerJson(period, report, {
        settings,
        timeZone: zone.name,
        date: new Date(period.fromMs + zone.offsetMs(period.fromMs)).toISOString().slice(0, 10),
        settledUntilMs: energy.settledUntilMs(),
        showSeries: showerOf(registry.findDevice),
      });
      return { status: 200, json };
    },
  });
}

function settingsRoutes({ energy, registry }: EnergyRoutesDeps): readonly Route[] {
  const showSeries = showerOf(registry.findDevice);
  /** The selectors in it may change without a new revision. */
  const resourceOf = (settings: StoredEnergySettings) => revisedResource(energySettingsJson(settings, showSeries));
  return [
    defineRoute({
      id: 'getEnergySettings',
      method: 'GET',
      path: SETTINGS,
      summary: 'Show what measures the energy of the home, and its tariffs',
      tag: 'Energy',
      note: notes.getEnergySettings,
      access: 'hub:manage',
      answers: { 200: energySettingsSchema, 304: null },
      handle: ({ header }) => showIfChanged(resourceOf(energy.settings()), header),
    }),
    defineRoute({
      id: 'setEnergySettings',
      method: 'PUT',
      path: SETTINGS,
      summary: 'Set what measures the energy of the home, and its tariffs',
      tag: 'Energy',
      note: notes.setEnergySettings,
      access: 'hub:manage',
      body: { ...jsonBody(energySettingsBodySchema, 256 * KIB), maxMembers: 8_000 },
      answers: { 200: energySettingsSchema },
      audit: 'energy.changed',
      handle: async ({ body, header, authorize }) => {
        const given = givenSettings(body);
        const change = (old: StoredEnergySettings): StoredEnergySettings => {
          requiredRevision(header('if-match'), old.revision);
          return checkSettings(given, old, registry.findDevice);
        };
        return showResource(resourceOf(await energy.changeSettings(change, { authorize })));
      },
    }),
  ];
}

const energyRangeSchema = named(
  'EnergyRange',
  z.strictObject({
    from: described('The first moment of the time that is settled once more.', timeSchema),
    to: described('The end of that time.', timeSchema),
  }),
);
const recalculatedSchema = named(
  'EnergyRecalculated',
  z.object({ hours: described('How many hours were settled once more.', z.int()) }),
);

function priceRoutes({ energy, nowMs }: EnergyRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'reportEnergyPrices',
      method: 'POST',
      path: `${PATH}/price`,
      summary: 'Report the prices of a pushed tariff',
      tag: 'Energy',
      note: notes.reportEnergyPrices,
      access: 'energy:tell',
      place: 'home',
      body: { ...jsonBody(energyPricesSchema, 256 * KIB), maxMembers: 4_000 },
      answers: { 204: null },
      audit: { unaudited: 'scripts tell prices each hour; who may do so is in the log' },
      handle: async ({ body, authorize }) => {
        const slots = readSlots(body, nowMs());
        const fail = (): never => {
          throw validationFailed([fieldError('/tariff', 'INVALID_VALUE', ...faultWords('unknown_tariff'))]);
        };
        await energy.takePrices(body.tariff, slots, { authorize, fail });
        return { status: 204 };
      },
    }),
    defineRoute({
      id: 'recalculateEnergy',
      method: 'POST',
      path: `${PATH}/recalculate`,
      summary: 'Settle past hours once more, with the settings and tariffs of now',
      tag: 'Energy',
      note: notes.recalculateEnergy,
      access: 'hub:manage',
      body: jsonBody(energyRangeSchema),
      answers: { 200: recalculatedSchema },
      audit: 'energy.recalculated',
      handle: async ({ body, authorize }) => {
        const [fromMs, toMs] = [Date.parse(body.from), Date.parse(body.to)];
        if (fromMs >= toMs) throw new HubError('HISTORY_RANGE', 'The range ends before it begins.');
        if (toMs - fromMs > KEEP_PRICES_MS) throw new HubError('HISTORY_RANGE', 'The range is longer than 62 days.');
        const hours = await energy.recalculate(fromMs, toMs, { authorize });
        return { status: 200, json: { hours }, auditDetail: `${timeJson(fromMs)} to ${timeJson(toMs)}` };
      },
    }),
  ];
}

/** Throws INVALID_QUERY for what is no date. */
function readDate(text: string): number {
  const [year = '', month = '01', day = '01'] = text.split('-');
  const dateMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  const isDate = !Number.isNaN(dateMs) && new Date(dateMs).toISOString().startsWith(`${year}-${month}-${day}`);
  if (isDate) return dateMs;
  throw new HubError('INVALID_QUERY', 'A query parameter is not valid.', {
    errors: [fieldError('?date', 'INVALID_VALUE', ...faultWords('no_day'))],
  });
}

/** A device that is gone has no selector any more. */
function showerOf(findDevice: (id: string) => Device | undefined): (series: SeriesRef) => string {
  return ({ device, key }) => `${findDevice(device)?.selector ?? device}/${key}`;
}

const slotMoment = described('RFC 3339 with any offset.', z.iso.datetime({ offset: true }));

const energyPricesSchema = named(
  'EnergyPrices',
  z.strictObject({
    tariff: described('Id of a tariff of the kind `pushed`.', z.string().check(z.minLength(1), z.maxLength(32))),
    slots: described(
      'Prices, each for a time of at most 31 days; they take the place of earlier ones for the same time.',
      z
        .array(
          z.strictObject({
            from: described('When the price begins to hold.', slotMoment),
            to: described('When it ends.', slotMoment),
            price: described(
              'Per kWh or m³, in the currency of the tariff.',
              z.number().check(z.gte(-10_000), z.lte(10_000)),
            ),
          }),
        )
        .check(z.minLength(1), z.maxLength(1_000)),
    ),
  }),
);

const MAX_SLOT_MS = 31 * 86_400_000;

/** Throws VALIDATION_FAILED for slots without a length, overlapping ones, and those too far from now. */
function readSlots({ slots }: z.infer<typeof energyPricesSchema>, nowMs: number): readonly PriceSlot[] {
  const errors: FieldError[] = [];
  const read = slots.map(({ from, to, price }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to), price }));
  for (const [index, { fromMs, toMs }] of read.entries()) {
    const pointer = `/slots/${index}`;
    if (toMs <= fromMs) errors.push(fieldError(`${pointer}/to`, 'INVALID_VALUE', ...faultWords('not_after_beginning')));
    else if (toMs - fromMs > MAX_SLOT_MS)
      errors.push(fieldError(`${pointer}/to`, 'OUT_OF_RANGE', ...faultWords('slot_too_late')));
    if (Math.abs(fromMs - nowMs) > KEEP_PRICES_MS) {
      errors.push(fieldError(`${pointer}/from`, 'OUT_OF_RANGE', ...faultWords('slot_too_far')));
    }
  }
  const order = [...read.entries()].toSorted(([, left], [, right]) => left.fromMs - right.fromMs);
  for (const [place, [index, { fromMs }]] of order.entries()) {
    const before = order[place - 1]?.[1];
    if (before === undefined || before.toMs <= fromMs) continue;
    errors.push(fieldError(`/slots/${index}/from`, 'INVALID_VALUE', ...faultWords('within_other_slot')));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return read;
}
