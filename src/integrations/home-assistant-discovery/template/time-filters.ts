import { flag, textArgument } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { outside, pythonFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import {
  formatMoment,
  inZone,
  momentFromText,
  momentFromTimestamp,
  momentText,
  timestampOf,
} from '#integrations/home-assistant-discovery/python/moment.ts';
import { floatFrom } from '#integrations/home-assistant-discovery/python/number.ts';
import { textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import { isKind, isNumber, typeName, type Value } from '#integrations/home-assistant-discovery/python/value.ts';
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
