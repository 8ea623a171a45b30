import type { JsonValue } from '#base/json.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import { type Message, putFixed, putFloat, putNumber, putText } from '#integrations/esphome/wire/protobuf.ts';
import { NoSuchValue } from './no-such-value.ts';
import { type EntityKind, finite, optionsIn, own, textOf } from './entity.ts';
import { timeFrom } from './sensors.ts';

const MAX_TEXT = 1_024;
const PASSWORD = 1;

export const number: EntityKind = {
  word: 'number',
  rank: 'other',
  listed: { type: 49, category: 10, device: 14 },
  state: { type: 50, device: 4 },
  command: { type: 51, device: 3 },
  make: (listed, place) => {
    const [min, max, step] = [finite(listed.float(6)), finite(listed.float(7)), finite(listed.float(8))];
    const isRange = min !== undefined && max !== undefined && max > min;
    return [
      {
        feature: own(place, {
          valueType: 'number',
          writable: true,
          unit: unitFromSpelling(listed.text(11)),
          min: isRange ? min : null,
          max: isRange ? max : null,
          step: step !== undefined && step > 0 ? step : null,
        }),
        read: (state) => (state.flag(3) ? null : (finite(state.float(2)) ?? null)),
        write: (value, draft) => putFloat(draft, 2, Number(value)),
      },
    ];
  },
};

export const select: EntityKind = {
  word: 'select',
  rank: 'other',
  listed: { type: 52, category: 8, device: 9 },
  state: { type: 53, device: 4 },
  command: { type: 54, device: 3 },
  make: (listed, place) => [
    {
      feature: own(place, { valueType: 'enum', writable: true, options: optionsIn(listed, 6) }),
      read: (state) => (state.flag(3) ? null : state.text(2).slice(0, MAX_TEXT)),
      write: (value, draft) => putText(draft, 2, textOf(value)),
    },
  ],
};

/** A text that is entered as a password is never shown. */
export const text: EntityKind = {
  word: 'text',
  rank: 'other',
  listed: { type: 97, category: 7, device: 12 },
  state: { type: 98, device: 4 },
  command: { type: 99, device: 3 },
  make: (listed, place) => {
    const isSecret = listed.number(11) === PASSWORD;
    const maxLength = Math.min(MAX_TEXT, listed.number(9) || MAX_TEXT);
    const schema = { type: 'string', minLength: Math.min(listed.number(8), maxLength), maxLength };
    return [
      {
        feature: own(place, { valueType: 'string', writable: true, schema, readable: !isSecret }),
        ...(isSecret ? {} : { read: (state: Message) => (state.flag(3) ? null : state.text(2).slice(0, MAX_TEXT)) }),
        write: (value, draft) => putText(draft, 2, textOf(value)),
      },
    ];
  },
};

const two = (value: number): string => String(value).padStart(2, '0');
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d))?$/;

/** The numbers in a text of this form, at most these; `undefined` for anything else. */
function numbersIn(pattern: RegExp, value: JsonValue, most: readonly number[]): readonly number[] | undefined {
  const found = pattern.exec(textOf(value))?.slice(1);
  const numbers = found?.map((digits: string | undefined) => Number(digits ?? 0));
  return numbers?.every((one, index) => one <= (most[index] ?? 0)) === true ? numbers : undefined;
}

export const date: EntityKind = {
  word: 'date',
  rank: 'other',
  listed: { type: 100, category: 7, device: 8 },
  state: { type: 101, device: 6 },
  command: { type: 102, device: 5 },
  make: (_listed, place) => [
    {
      feature: own(place, { valueType: 'string', writable: true, description: 'A date, as 2026-12-24.' }),
      read: (state) => {
        const [year, month, day] = [state.number(3), state.number(4), state.number(5)];
        if (state.flag(2) || year > 9_999 || month > 12 || day > 31) return null;
        return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
      },
      write: (value, draft) => {
        const numbers = numbersIn(DATE, value, [9_999, 12, 31]);
        if (numbers === undefined) throw new NoSuchValue('It must be a date, as 2026-12-24.');
        numbers.forEach((one, index) => putNumber(draft, index + 2, one));
      },
    },
  ],
};

export const time: EntityKind = {
  word: 'time',
  rank: 'other',
  listed: { type: 103, category: 7, device: 8 },
  state: { type: 104, device: 6 },
  command: { type: 105, device: 5 },
  make: (_listed, place) => [
    {
      feature: own(place, { valueType: 'string', writable: true, description: 'A time of the day, as 07:30:00.' }),
      read: (state) => {
        const [hour, minute, second] = [state.number(3), state.number(4), state.number(5)];
        if (state.flag(2) || hour > 23 || minute > 59 || second > 59) return null;
        return `${two(hour)}:${two(minute)}:${two(second)}`;
      },
      write: (value, draft) => {
        const numbers = numbersIn(TIME, value, [23, 59, 59]);
        if (numbers === undefined) throw new NoSuchValue('It must be a time of the day, as 07:30:00.');
        numbers.forEach((one, index) => putNumber(draft, index + 2, one));
      },
    },
  ],
};

const MOST_SECONDS = 2 ** 32 - 1;

export const dateTime: EntityKind = {
  word: 'datetime',
  rank: 'other',
  listed: { type: 112, category: 7, device: 8 },
  state: { type: 113, device: 4 },
  command: { type: 114, device: 3 },
  make: (_listed, place) => [
    {
      feature: own(place, { valueType: 'timestamp', writable: true }),
      read: (state) => (state.flag(2) ? null : timeFrom(state.number(3))),
      write: (value, draft) => {
        const seconds = Math.floor(Date.parse(textOf(value)) / 1_000);
        if (!(seconds >= 0 && seconds <= MOST_SECONDS)) throw new NoSuchValue('It must be a time from 1970 to 2106.');
        putFixed(draft, 2, seconds);
      },
    },
  ],
};
