import type { JsonObject, JsonValue } from '#base/json.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { HomePort } from '#integrations/ports.ts';
import type { MatterAsk, MatterNode } from './matter-node.ts';

export type LocalTime = ReturnType<HomePort['local']>;

const DAY_MS = 86_400_000;
/** The standard counts from here; the library takes microseconds since 1970, and nothing before this. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
/** The hub never reckons with more than two years of a zone: its rules may change. */
const HORIZON_MS = 400 * DAY_MS;
const MOST_PERIODS = 4;
/** No zone has two changes in so short a time. */
const STEP_MS = 7 * DAY_MS;
const GRANULARITY = { minutes: 1, milliseconds: 3 };
const SOURCE_ADMIN = 2;
const HOURS = { day: 1, half: 0 };
const CELSIUS = 1;
const NO_DATABASE = 2;

/** Lists what to ask of a node so that its clock and its display are as at home: only what it has, and what differs. */
export function localAsks({ endpoints }: MatterNode, local: LocalTime): readonly MatterAsk[] {
  const root = endpoints.find(({ number }) => number === 0);
  if (root === undefined) return [];
  const of = (cluster: string): JsonObject => root.state[cluster] ?? {};
  const takes = (command: string): boolean => root.commands['timeSynchronization']?.includes(command) === true;
  return [
    ...clockAsks(of('timeSynchronization'), takes, local),
    ...languageAsks(of('localizationConfiguration'), local),
    ...hourAsks(of('timeFormatLocalization'), local),
    ...unitAsks(of('unitLocalization')),
  ];
}

type Takes = (command: string) => boolean;

function clockAsks(has: JsonObject, takes: Takes, { nowMs, isSynced, zone }: LocalTime): readonly MatterAsk[] {
  if (nowMs === null || nowMs < EPOCH_MS) return [];
  const asks: MatterAsk[] = [];
  const invoke = (command: string, fields: JsonObject): void =>
    void asks.push({ endpoint: 0, cluster: 'timeSynchronization', command, fields, timed: false });
  if (takes('setUtcTime')) {
    const granularity = isSynced ? GRANULARITY.milliseconds : GRANULARITY.minutes;
    invoke('setUtcTime', { utcTime: nowMs * 1_000, granularity, timeSource: SOURCE_ADMIN });
  }
  if (!takes('setTimeZone')) return asks;
  const periods = periodsOf(zone, nowMs);
  const standardMs = Math.min(...periods.map(({ offsetMs }) => offsetMs));
  const timeZone = [{ offset: standardMs / 1_000, validAt: EPOCH_MS * 1_000, name: zone.name }];
  const isOtherZone = !isSame(has['timeZone'], timeZone, ['offset', 'name']);
  if (isOtherZone) invoke('setTimeZone', { timeZone });
  const most = typeof has['dstOffsetListMaxSize'] === 'number' ? has['dstOffsetListMaxSize'] : 1;
  const dstOffset = periods.slice(0, Math.max(1, most)).map(({ offsetMs, fromMs, toMs }) => ({
    offset: (offsetMs - standardMs) / 1_000,
    validStarting: fromMs * 1_000,
    validUntil: toMs === null ? null : toMs * 1_000,
  }));
  const knowsZones = (has['timeZoneDatabase'] ?? NO_DATABASE) === 0;
  const isOther = isOtherZone || !isSame(has['dstOffset'], dstOffset, ['offset', 'validUntil']);
  if (takes('setDstOffset') && !knowsZones && isOther) invoke('setDstOffset', { dstOffset });
  return asks;
}

type Period = { readonly offsetMs: number; readonly fromMs: number; readonly toMs: number | null };

/** The present one and those that follow it. */
function periodsOf(zone: TimeZone, nowMs: number): readonly Period[] {
  const periods: Period[] = [];
  let fromMs = EPOCH_MS;
  let lookMs = nowMs;
  while (periods.length < MOST_PERIODS) {
    const toMs = nextChange(zone, lookMs);
    periods.push({ offsetMs: zone.offsetMs(lookMs), fromMs, toMs });
    if (toMs === null) break;
    fromMs = toMs;
    lookMs = toMs;
  }
  return periods;
}

function nextChange(zone: TimeZone, fromMs: number): number | null {
  for (let atMs = fromMs; atMs < fromMs + HORIZON_MS; atMs += STEP_MS) {
    const change = zone.changeWithin(atMs, atMs + STEP_MS);
    if (change !== undefined) return change;
  }
  return null;
}

function languageAsks(has: JsonObject, { language }: LocalTime): readonly MatterAsk[] {
  const { supportedLocales: offered, activeLocale: present } = has;
  if (language === null || !Array.isArray(offered) || typeof present !== 'string') return [];
  const isOf = (locale: JsonValue): boolean =>
    typeof locale === 'string' && (locale === language || locale.startsWith(`${language}-`));
  const wanted = offered.find(isOf);
  // Another country of the same language is the choice of somebody who knows better.
  if (wanted === undefined || isOf(present)) return [];
  return [{ endpoint: 0, cluster: 'localizationConfiguration', write: 'activeLocale', value: wanted }];
}

/** English is spoken where the day has twice twelve hours and where it has 24: there the device stays as it is. */
function hourAsks({ hourFormat }: JsonObject, { language }: LocalTime): readonly MatterAsk[] {
  if (language === null || language === 'en' || hourFormat === undefined) return [];
  const { hourCycle } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
  const value = hourCycle === 'h23' || hourCycle === 'h24' ? HOURS.day : HOURS.half;
  if (hourFormat === value) return [];
  return [{ endpoint: 0, cluster: 'timeFormatLocalization', write: 'hourFormat', value }];
}

/** The hub itself has no other. */
function unitAsks({ temperatureUnit, supportedTemperatureUnits: offered }: JsonObject): readonly MatterAsk[] {
  if (temperatureUnit === undefined || temperatureUnit === CELSIUS) return [];
  if (Array.isArray(offered) && !offered.includes(CELSIUS)) return [];
  return [{ endpoint: 0, cluster: 'unitLocalization', write: 'temperatureUnit', value: CELSIUS }];
}

function isSame(has: JsonValue | undefined, wanted: readonly JsonObject[], names: readonly string[]): boolean {
  if (!Array.isArray(has) || has.length !== wanted.length) return false;
  return wanted.every((entry, index) => {
    const own = has[index];
    return typeof own === 'object' && own !== null && names.every((name) => (own as JsonObject)[name] === entry[name]);
  });
}
