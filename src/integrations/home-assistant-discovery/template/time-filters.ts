import { flag, textArgument } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { outside, pythonFault, templateFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import { deltaFromText, deltaOf, DELTA_UNITS } from '#integrations/home-assistant-discovery/python/delta.ts';
import {
  atWall,
  formatMoment,
  inZone,
  momentFromFormat,
  wallUsOf,
  momentFromText,
  momentFromTimestamp,
  momentText,
  timestampOf,
} from '#integrations/home-assistant-discovery/python/moment.ts';
import { floatFrom } from '#integrations/home-assistant-discovery/python/number.ts';
import { textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import {
  isKind,
  isNumber,
  isUndefined,
  typeName,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';

const DATE_FORMAT = '%Y-%m-%d %H:%M:%S';

/** Filters of times, all of which are functions as well. */
export const TIME_FILTERS: readonly (readonly [string, Filter])[] = [
  [
    'as_timestamp',
    {
      parameters: ['value', 'default'],
      required: 1,
      call: (run, [value = null, otherwise]) => {
        const moment = isKind(value, 'moment') ? value : momentFromText(textOf(run.budget, value));
        return moment === undefined ? given(otherwise, value) : timestampOf(moment);
      },
    },
  ],
  ['as_datetime', { parameters: ['value', 'default'], required: 1, call: asDatetime }],
  [
    'as_timedelta',
    {
      parameters: ['value'],
      required: 1,
      call: (_run, [value = null]) => deltaFromText(textArgument(value, '')),
    },
  ],
  [
    'as_local',
    {
      parameters: ['dattim'],
      required: 1,
      call: (run, [value = null]) => {
        if (!isKind(value, 'moment')) throw pythonFault(`'${typeName(value)}' object has no attribute 'tzinfo'`);
        return inZone(value, run.zoneOffset);
      },
    },
  ],
];

/** Functions only. */
export const TIME_FUNCTIONS: readonly (readonly [string, Filter])[] = [
  [
    'timedelta',
    {
      parameters: [...DELTA_UNITS.keys()],
      required: 0,
      call: (_run, given) => {
        const units = [...DELTA_UNITS.values()];
        return deltaOf(given.reduce<number>((us, one, at) => us + spanIn(one) * (units[at] ?? 0), 0));
      },
    },
  ],
  [
    'today_at',
    {
      parameters: ['time_str'],
      required: 0,
      call: (run, [text = '']) => {
        const found = /^(?:([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/.exec(textArgument(text, ''));
        if (found === null) throw pythonFault('it is no time of the day');
        const today = inZone(momentFromTimestamp(run.nowMs() / 1_000), run.zoneOffset);
        const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
        const dayUs = 86_400_000_000;
        const startUs = Math.floor(wallUsOf(today) / dayUs) * dayUs;
        return atWall(startUs + ((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1_000_000, today);
      },
    },
  ],
  [
    'strptime',
    {
      parameters: ['string', 'fmt', 'default'],
      required: 2,
      call: (_run, [text = null, format = null, otherwise]) => {
        const read = typeof text === 'string' ? momentFromFormat(text, textArgument(format, '')) : undefined;
        return read ?? given(otherwise, text);
      },
    },
  ],
];

function spanIn(value: Value | undefined): number {
  if (value === undefined) return 0;
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value)) throw pythonFault(`unsupported type for timedelta component: ${typeName(value)}`);
  return Number(value);
}

/** Filters only. */
export const TIMESTAMP_FILTERS: readonly (readonly [string, Filter])[] = [
  [
    'timestamp_custom',
    {
      parameters: ['value', 'date_format', 'local', 'default'],
      required: 1,
      call: (run, [value = null, format, local, otherwise]) => {
        const seconds = secondsOf(value);
        if (seconds === undefined) return given(otherwise, value);
        const moment = momentFromTimestamp(seconds);
        return formatMoment(
          flag(local, true) ? inZone(moment, run.zoneOffset) : moment,
          textArgument(format, DATE_FORMAT),
        );
      },
    },
  ],
  [
    'timestamp_local',
    {
      parameters: ['value', 'default'],
      required: 1,
      call: (run, [value = null, otherwise]) => {
        const seconds = secondsOf(value);
        return seconds === undefined
          ? given(otherwise, value)
          : momentText(inZone(momentFromTimestamp(seconds), run.zoneOffset), 'T');
      },
    },
  ],
  [
    'timestamp_utc',
    {
      parameters: ['value', 'default'],
      required: 1,
      call: (_run, [value = null, otherwise]) => {
        const seconds = secondsOf(value);
        return seconds === undefined ? given(otherwise, value) : momentText(momentFromTimestamp(seconds), 'T');
      },
    },
  ],
];

function given(otherwise: Value | undefined, value: Value): Value {
  if (otherwise === undefined) throw pythonFault(`a ${typeName(value)} that is no time, and no default was specified`);
  return otherwise;
}

/** A text is no number of seconds here. */
function secondsOf(value: Value): number | undefined {
  if (!isNumber(value)) return undefined;
  const seconds = Number(value);
  return Number.isNaN(seconds) ? undefined : seconds;
}

function asDatetime(_run: Run, [value = null, otherwise]: readonly (Value | undefined)[]): Value {
  if (isKind(value, 'moment')) return value;
  const seconds = floatFrom(value);
  if (seconds !== undefined) {
    if (!Number.isFinite(seconds)) throw outside('such a time');
    return momentFromTimestamp(seconds);
  }
  if (typeof value !== 'string') return given(otherwise, value);
  return momentFromText(value) ?? otherwise ?? null;
}
