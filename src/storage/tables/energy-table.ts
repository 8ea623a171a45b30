import type { JsonValue } from '#base/json.ts';
import {
  type Check,
  either,
  ifThere,
  isId,
  isNumber,
  isText,
  isWhole,
  listOf,
  oneOf,
  orNull,
  recordOf,
  tupleOf,
  valuesOf,
} from '#core/records/record-check.ts';
import type { SettledRange, SlotChange } from '#core/energy/energy-store.ts';
import { type HourAccount, sumOfAccounts } from '#core/energy/hour-account.ts';
import type { HourCost, MeterHour } from '#core/energy/meter.ts';
import { type Flow, FLOWS, mapSeries, seriesIn, type StoredEnergySettings } from '#core/energy/settings.ts';
import type { PriceSlot } from '#core/energy/tariff.ts';
import { jsonOf, type SoundRow } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const isCount: Check = (value) => typeof value === 'number' && value >= 0;
const MEASURED = [isNumber, isCount, isCount, isCount];
/** An amount may take back what an earlier hour counted too much. */
const isMeterRecord = either(
  tupleOf(...MEASURED),
  tupleOf(...MEASURED, valuesOf(isNumber), valuesOf(isNumber), isNumber),
);
const isHourRecord = recordOf({
  end: isNumber,
  flows: valuesOf(isMeterRecord, (flow) => FLOWS.some((one) => one === flow)),
  consumers: valuesOf(isMeterRecord, (number) => /^\d{1,6}$/.test(number)),
  deleted: ifThere(either(oneOf(['all']), listOf(isWhole))),
});

const isTariff = recordOf<StoredEnergySettings['tariffs'][number]>({
  id: isText,
  for: isText,
  currency: isText,
  validFrom: (date) => typeof date === 'string' && !Number.isNaN(Date.parse(date)),
  kind: isText,
  rules: listOf(
    recordOf({
      price: isNumber,
      days: orNull(listOf(isText)),
      time: orNull(recordOf({ fromMinute: isNumber, toMinute: isNumber })),
    }),
  ),
});
const hasSettings = recordOf<StoredEnergySettings>({
  revision: ifThere(isWhole),
  // A missing part reads as the series of none.
  consumers: listOf(recordOf({ name: orNull(isText), within: (within) => within !== undefined })),
  tariffs: listOf(isTariff),
  powers: listOf(isText),
  consumerNumbers: valuesOf(isWhole),
});
const isSeries = recordOf({ device: isId, key: isText });

/** The settings of energy, the settled hours, and the prices that scripts sent. */
export const energyTable = {
  open: openEnergyTable,
  checks: [
    { since: 17, table: 'energy_settings', json: { record: isSettingsRecord } },
    { since: 17, table: 'energy_hour', integers: ['at_ms'], json: { record: isHourRecord } },
    { since: 17, table: 'energy_price', integers: ['from_ms', 'to_ms'] },
  ],
} satisfies StoredNoun;

/** Without what came later. */
type EarlierSettings = Omit<StoredEnergySettings, 'revision'>;

/** A little more than the hours of a month. */
const MAX_HOURS = 800;

const SAVE_SETTINGS =
  'INSERT INTO energy_settings (id, record) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record';
const SAVE_HOUR =
  'INSERT INTO energy_hour (at_ms, record) VALUES (?, ?) ON CONFLICT (at_ms) DO UPDATE SET record = excluded.record';
const SAVE_PRICE =
  'INSERT INTO energy_price (tariff, from_ms, to_ms, price) VALUES (?, ?, ?, ?) ON CONFLICT (tariff, from_ms) DO UPDATE SET to_ms = excluded.to_ms, price = excluded.price';

function openEnergyTable({ database, sound }: NounDeps) {
  const loadHours = (fromMs: number, toMs: number): HourAccount[] =>
    sound(
      'energy_hour',
      database.all('SELECT at_ms, record FROM energy_hour WHERE at_ms >= ? AND at_ms < ? ORDER BY at_ms LIMIT ?', [
        fromMs,
        toMs,
        MAX_HOURS,
      ]),
    ).map(hourFromRow);
  return {
    loadEnergySettings: read((): StoredEnergySettings | null => {
      const record = sound('energy_settings', database.all('SELECT id, record FROM energy_settings'))[0]?.['record'];
      // Earlier versions of the hub kept no revision.
      return record === undefined ? null : { revision: 1, ...(jsonOf(record) as unknown as EarlierSettings) };
    }),
    saveEnergySettings: write(
      (settings: StoredEnergySettings): void => void database.run(SAVE_SETTINGS, [JSON.stringify(settings)]),
    ),
    loadEnergyHours: read(loadHours),
    sumEnergyHours: read((fromMs: number, toMs: number): HourAccount | null => sumOfAccounts(loadHours(fromMs, toMs))),
    saveEnergyHours: write((hours: readonly HourAccount[]): void =>
      database.transaction(() => {
        for (const hour of hours) database.run(SAVE_HOUR, [hour.atMs, JSON.stringify(hourRecord(hour))]);
      }),
    ),
    saveEmptiedHours: write((hours: readonly HourAccount[]): void => {
      database.all('PRAGMA secure_delete=ON');
      try {
        database.transaction(() => {
          for (const hour of hours) database.run(SAVE_HOUR, [hour.atMs, JSON.stringify(hourRecord(hour))]);
        });
      } finally {
        database.all('PRAGMA secure_delete=OFF');
      }
    }),
    forgetEnergyHours: write(
      (fromMs: number): void => void database.run('DELETE FROM energy_hour WHERE at_ms >= ?', [fromMs]),
    ),
    readSettledRange: read((): SettledRange | null => {
      const first = database.get('SELECT at_ms FROM energy_hour ORDER BY at_ms LIMIT 1')?.['at_ms'];
      const newest = database.all('SELECT at_ms, record FROM energy_hour ORDER BY at_ms DESC LIMIT 24');
      const [last] = sound('energy_hour', newest);
      return last === undefined ? null : { fromMs: Number(first), toMs: hourFromRow(last).endMs };
    }),
    loadEnergyPrices: read((): ReadonlyMap<string, readonly PriceSlot[]> => {
      const prices = new Map<string, PriceSlot[]>();
      for (const row of sound('energy_price', database.all('SELECT * FROM energy_price ORDER BY tariff, from_ms'))) {
        const tariff = row['tariff'] as string;
        const slots = prices.get(tariff) ?? [];
        slots.push({ fromMs: Number(row['from_ms']), toMs: Number(row['to_ms']), price: Number(row['price']) });
        prices.set(tariff, slots);
      }
      return prices;
    }),
    saveEnergyPrices: write((tariff: string, { removed, added }: SlotChange): void =>
      database.transaction(() => {
        for (const { fromMs } of removed) {
          database.run('DELETE FROM energy_price WHERE tariff = ? AND from_ms = ?', [tariff, fromMs]);
        }
        for (const { fromMs, toMs, price } of added) database.run(SAVE_PRICE, [tariff, fromMs, toMs, price]);
      }),
    ),
  };
}

/** Short, because a year has 8,760 of them: amount, in gaps, milliseconds known, estimated, and what it cost. */
type MeterRecord =
  | readonly [number, number, number, 0 | 1]
  | readonly [number, number, number, 0 | 1, HourCost['money'], HourCost['gapMoney'], number];

type HourRecord = {
  readonly end: number;
  readonly flows: Partial<Readonly<Record<Flow, MeterRecord>>>;
  readonly consumers: Readonly<Record<string, MeterRecord>>;
  readonly deleted?: 'all' | readonly number[];
};

function hourRecord({ endMs, flows, consumers, deleted }: HourAccount): HourRecord {
  const flowRecords = Object.entries(flows).map(([flow, hour]) => [flow, meterRecord(hour)]);
  const consumerRecords = [...consumers].map(([number, hour]) => [String(number), meterRecord(hour)]);
  const record = { end: endMs, flows: Object.fromEntries(flowRecords), consumers: Object.fromEntries(consumerRecords) };
  return deleted === undefined ? record : { ...record, deleted };
}

function meterRecord({ amount, inGap, knownMs, isEstimated, cost }: MeterHour): MeterRecord {
  const measured = [rounded(amount), rounded(inGap), knownMs, isEstimated ? 1 : 0] as const;
  if (cost === null) return measured;
  return [...measured, roundedMoney(cost.money), roundedMoney(cost.gapMoney), rounded(cost.unpriced)];
}

/** To a milliwatt-hour, or a millionth of a coin. */
function rounded(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

function roundedMoney(money: HourCost['money']): HourCost['money'] {
  return Object.fromEntries(Object.entries(money).map(([currency, amount]) => [currency, rounded(amount)]));
}

function hourFromRow(row: SoundRow): HourAccount {
  const { end, flows, consumers, deleted } = jsonOf(row['record']) as unknown as HourRecord;
  const flowHours = Object.entries(flows).map(([flow, record]) => [flow, hourFromRecord(record)]);
  return {
    atMs: Number(row['at_ms']),
    endMs: end,
    flows: Object.fromEntries(flowHours),
    consumers: new Map(Object.entries(consumers).map(([number, record]) => [Number(number), hourFromRecord(record)])),
    ...(deleted !== undefined && { deleted }),
  };
}

function hourFromRecord([amount, inGap, knownMs, isEstimated, money, gapMoney, unpriced = 0]: MeterRecord): MeterHour {
  const cost = money === undefined || gapMoney === undefined ? null : { money, gapMoney, unpriced };
  return { amount, inGap, knownMs, isEstimated: isEstimated === 1, cost };
}

/** Reading its series as the hub does finds each part that is missing. */
function isSettingsRecord(record: JsonValue): boolean {
  if (!hasSettings(record)) return false;
  try {
    const settings = record as unknown as EarlierSettings;
    mapSeries(settings, (series) => series);
    return [...seriesIn(settings)].every(({ series }) => isSeries(series));
  } catch (cause) {
    if (cause instanceof TypeError) return false;
    throw cause;
  }
}
