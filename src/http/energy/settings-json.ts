import * as z from 'zod/mini';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import {
  ENERGY_LIMITS,
  type StoredEnergySettings,
  mapSeries,
  PRICED_FLOWS,
  type PriceRule,
  type SeriesRef,
  type Tariff,
  TARIFF_KINDS,
  WEEKDAYS,
} from '#core/energy/settings.ts';
import type { SettingsInput } from '#core/energy/settings-check.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { takingShown } from '#http/routing/shown-too.ts';
import { faultWords } from '#words/faults.ts';

const { meters, batteries, consumers, tariffs, rules } = ENERGY_LIMITS;

const series = described(
  'A device, by id or selector, and the key of a feature: `meter/energy`.',
  z.string().check(z.minLength(3), z.maxLength(300)),
);
const seriesList = z.array(series).check(z.maxLength(meters));
const name = z.string().check(z.minLength(1), z.maxLength(100));
const power = <Direction extends string>(directions: readonly [Direction, Direction]) =>
  described(
    'A power in W with both signs, and what a positive value means.',
    z.strictObject({ series, positive: described('What a value above 0 means.', z.enum(directions)) }),
  );
const gridPower = power(['import', 'export']);
const batteryPower = power(['charge', 'discharge']);
const minute = z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/));

const priceShape = {
  price: described(
    'Per kWh or m³; below 0 where the home is paid for it.',
    z.number().check(z.gte(-10_000), z.lte(10_000)),
  ),
  days: described(
    'The days on which its time begins; absent: all.',
    z.optional(z.nullable(z.array(wordOf('Weekday', WEEKDAYS)).check(z.minLength(1), z.maxLength(7)))),
  ),
  from: described('Local time of the hub, with `to`; absent: the whole day.', z.optional(z.nullable(minute))),
  to: described('A time that ends before it begins ends on the next day.', z.optional(z.nullable(minute))),
};
const tariffShape = {
  id: described(
    'Lower-case letters, digits, `_` and `-`; `POST /api/v1/energy/price` names the tariff by it.',
    z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/)),
  ),
  for: described(
    'What the prices are for: energy from the grid or into it, gas or water.',
    wordOf('PricedFlow', PRICED_FLOWS),
  ),
  currency: described('ISO 4217, as `EUR`.', z.string().check(z.regex(/^[A-Z]{3}$/))),
  valid_from: described('The first day on which it holds, until the next tariff for the same begins.', z.iso.date()),
  kind: described(
    '`fixed`: one price; `times`: by the time of day; `pushed`: `POST /api/v1/energy/price` reports them.',
    wordOf('TariffKind', TARIFF_KINDS),
  ),
  prices: described(
    'The first that applies at a time is the price. Of a pushed tariff: where no script sent one.',
    z.array(z.strictObject(priceShape)).check(z.maxLength(rules)),
  ),
};
const tariffSchema = named('EnergyTariff', z.object(tariffShape));
/**
 * A field that is absent counts as none: each field that must be there costs a hostile body little and the hub much.
 */
const tariffBodySchema = z.strictObject({ ...tariffShape, prices: z.optional(tariffShape.prices) });

const batteryShape = { charge: series, discharge: series, power: batteryPower, level: series };
const optionalList = z.optional(seriesList);

export const energySettingsSchema = named(
  'EnergySettings',
  z.object({
    grid: described(
      'The meters between the home and the grid.',
      z.object({
        import: described('Counters in kWh of what the home takes.', z.array(series)),
        export: described('Counters in kWh of what it gives.', z.array(series)),
        power: z.nullable(gridPower),
      }),
    ),
    solar: described('Counters in kWh, or powers in W where there is no counter.', z.array(series)),
    battery: described(
      'Batteries of the home.',
      z.array(
        z.object({
          charge: described('Counter in kWh of what goes in; `null`: none.', z.nullable(batteryShape.charge)),
          discharge: described('Counter in kWh of what comes out; `null`: none.', z.nullable(batteryShape.discharge)),
          power: described('The power with both signs; `null`: none.', z.nullable(batteryShape.power)),
          level: described('How full it is, in percent; `null`: unknown.', z.nullable(batteryShape.level)),
        }),
      ),
    ),
    gas: described('Counters in m³.', z.array(series)),
    water: described('Counters in m³.', z.array(series)),
    consumers: described(
      'Counters in kWh of single machines.',
      z.array(
        z.object({
          series,
          name: described('What people call it; `null`: as its device.', z.nullable(name)),
          within: described(
            'The series of the consumer through whose meter it runs; `null`: of none.',
            z.nullable(series),
          ),
        }),
      ),
    ),
    tariffs: described('What energy, gas and water cost.', z.array(tariffSchema)),
    revision: described('Grows with each change; for `If-Match`.', z.int()),
  }),
);

/** A field that is absent counts as none. */
export const energySettingsBodySchema = named(
  'EnergySettingsUpdate',
  takingShown(
    z.strictObject({
      grid: described(
        'The meters between the home and the grid; absent: there are none.',
        z.optional(
          z.strictObject({
            import: described('Counters in kWh of what the home takes.', optionalList),
            export: described('Counters in kWh of what it gives.', optionalList),
            power: z.optional(z.nullable(gridPower)),
          }),
        ),
      ),
      solar: described(
        'Counters in kWh, or powers in W where there is no counter; absent: there is none.',
        optionalList,
      ),
      battery: described(
        'Batteries of the home; absent: there are none.',
        z.optional(
          z
            .array(
              z.strictObject({
                charge: described('Counter in kWh of what goes in.', z.optional(z.nullable(series))),
                discharge: described('Counter in kWh of what comes out.', z.optional(z.nullable(series))),
                power: z.optional(z.nullable(batteryPower)),
                level: described('How full it is, in percent.', z.optional(z.nullable(series))),
              }),
            )
            .check(z.maxLength(batteries)),
        ),
      ),
      gas: described('Counters in m³; absent: there are none.', optionalList),
      water: described('Counters in m³; absent: there are none.', optionalList),
      consumers: described(
        'Counters in kWh of single machines; absent: there are none.',
        z.optional(
          z
            .array(
              z.strictObject({
                series,
                name: described('What people call it; `null` and absent: as its device.', z.optional(z.nullable(name))),
                within: described(
                  'The series of the consumer through whose meter it runs.',
                  z.optional(z.nullable(series)),
                ),
              }),
            )
            .check(z.maxLength(consumers)),
        ),
      ),
      tariffs: described(
        'What energy, gas and water cost; absent: nothing has a price.',
        z.optional(z.array(tariffBodySchema).check(z.maxLength(tariffs))),
      ),
    }),
    energySettingsSchema,
  ),
);

type Body = z.infer<typeof energySettingsBodySchema>;

/** Throws VALIDATION_FAILED for times without an end, and for times that are no time. */
export function givenSettings(body: Body): SettingsInput {
  const errors: FieldError[] = [];
  const list = (body.tariffs ?? []).map((tariff, index) => readTariff(tariff, `/tariffs/${index}`, errors));
  if (errors.length > 0) throw validationFailed(errors);
  return {
    grid: { import: body.grid?.import ?? [], export: body.grid?.export ?? [], power: body.grid?.power ?? null },
    solar: body.solar ?? [],
    battery: (body.battery ?? []).map((one) => ({
      charge: one.charge ?? null,
      discharge: one.discharge ?? null,
      power: one.power ?? null,
      level: one.level ?? null,
    })),
    gas: body.gas ?? [],
    water: body.water ?? [],
    consumers: (body.consumers ?? []).map((one) => ({
      series: one.series,
      name: one.name ?? null,
      within: one.within ?? null,
    })),
    tariffs: list,
  };
}

type TariffJson = z.infer<typeof tariffBodySchema>;

function readTariff({ valid_from, prices = [], ...others }: TariffJson, pointer: string, errors: FieldError[]): Tariff {
  return {
    ...others,
    validFrom: valid_from,
    rules: prices.map((one, index) => readRule(one, `${pointer}/prices/${index}`, errors)),
  };
}

function readRule(
  { price, days = null, from = null, to = null }: NonNullable<TariffJson['prices']>[number],
  pointer: string,
  errors: FieldError[],
): PriceRule {
  if (from === null && to === null) return { price, days, time: null };
  if (from === null || to === null) {
    errors.push(
      fieldError(`${pointer}/${from === null ? 'from' : 'to'}`, 'REQUIRED', ...faultWords('missing_beside_other')),
    );
    return { price, days, time: null };
  }
  const time = { fromMinute: minuteOf(from), toMinute: minuteOf(to) };
  if (time.fromMinute === time.toMinute || from === '24:00') {
    errors.push(fieldError(`${pointer}/from`, 'INVALID_VALUE', ...faultWords('no_length')));
  }
  return { price, days, time };
}

function minuteOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

function minuteText(minutes: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export function energySettingsJson(
  settings: StoredEnergySettings,
  showSeries: (series: SeriesRef) => string,
): z.infer<typeof energySettingsSchema> {
  const { grid, solar, battery, gas, water, consumers: used } = mapSeries(settings, showSeries);
  return {
    grid: { import: [...grid.import], export: [...grid.export], power: grid.power },
    solar: [...solar],
    battery: [...battery],
    gas: [...gas],
    water: [...water],
    consumers: [...used],
    tariffs: settings.tariffs.map(({ validFrom, rules: priceRules, ...others }) => ({
      ...others,
      valid_from: validFrom,
      prices: priceRules.map(({ price, days, time }) => ({
        price,
        days: days && [...days],
        from: time && minuteText(time.fromMinute),
        to: time && minuteText(time.toMinute),
      })),
    })),
    revision: settings.revision,
  };
}
