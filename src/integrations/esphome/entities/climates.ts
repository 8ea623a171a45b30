import { converted, toUnitOf } from '#core/feature/measure.ts';
import {
  type Draft,
  type Message,
  putFlag,
  putFloat,
  putNumber,
  putText,
} from '#integrations/esphome/wire/protobuf.ts';
import {
  type EntityKind,
  finite,
  type Names,
  numberOf,
  optionsIn,
  own,
  type Place,
  type Source,
  word,
  textOf,
} from './entity.ts';
import { NoSuchValue } from './no-such-value.ts';

/** By the numbers of the API, as all lists here (`api.proto` of aioesphomeapi 45.13). */
const MODES: Names = new Map([
  [0, 'off'],
  [1, 'heat_cool'],
  [2, 'cool'],
  [3, 'heat'],
  [4, 'fan_only'],
  [5, 'dry'],
  [6, 'auto'],
]);
const ACTIONS: Names = new Map([
  [0, 'off'],
  [2, 'cool'],
  [3, 'heat'],
  [4, 'idle'],
  [5, 'dry'],
  [6, 'fan'],
  [7, 'defrost'],
]);
const FAN_MODES: Names = new Map('on off auto low medium high middle focus diffuse quiet'.split(' ').entries());
const SWINGS: Names = new Map('off both vertical horizontal'.split(' ').entries());
const PRESETS: Names = new Map('none home away boost comfort eco sleep activity'.split(' ').entries());
const MOST_MODES = 32;

/** Abilities, which older nodes say one by one. */
const CURRENT = 1;
const TWO_POINT = 6;
const HUMIDITY = 8;
const TARGET_HUMIDITY = 16;
const ACTION = 32;

type Range = { readonly min: number | null; readonly max: number | null; readonly step: number | null };

export const climate: EntityKind = {
  word: 'climate',
  rank: 'output',
  listed: { type: 46, category: 20, device: 26 },
  state: { type: 47, device: 16 },
  command: { type: 48, device: 24 },
  make: (listed, place) => {
    const can = (flag: number, old: number): boolean => (listed.number(27) & flag) !== 0 || listed.flag(old);
    const scale = scaleOf(listed.number(28));
    const range = rangeOf(listed, { min: 8, max: 9, step: 10 }, scale);
    const humidity = rangeOf(listed, { min: 24, max: 25, step: 0 }, SAME);
    const target = (name: 'target_temperature' | 'target_temperature_cool', fields: Fields): Source =>
      targetSource(word(place, name, { writable: true, ...range }), fields, scale);
    const reading = (name: 'temperature' | 'humidity', field: number, by: Scale): Source => ({
      feature: word(place, name),
      read: (state) => by.read(state.float(field)) ?? null,
    });
    return [
      ...choiceSources(listed, place),
      ...(can(TWO_POINT, 6)
        ? [
            target('target_temperature', { state: 5, has: 6, value: 7 }),
            target('target_temperature_cool', { state: 6, has: 8, value: 9 }),
          ]
        : [target('target_temperature', { state: 4, has: 4, value: 5 })]),
      ...(can(TARGET_HUMIDITY, 23)
        ? [
            targetSource(
              word(place, 'target_humidity', { writable: true, ...humidity }),
              { state: 15, has: 22, value: 23 },
              SAME,
            ),
          ]
        : []),
      ...(can(CURRENT, 5) ? [reading('temperature', 3, scale)] : []),
      ...(can(HUMIDITY, 22) ? [reading('humidity', 14, SAME)] : []),
      ...(can(ACTION, 12)
        ? [
            {
              feature: word(place, 'thermostat_state', { options: [...ACTIONS.values()] }),
              read: (state: Message) => ACTIONS.get(state.number(8)) ?? null,
            },
          ]
        : []),
    ];
  },
};

type Fields = { readonly state: number; readonly has: number; readonly value: number };

function targetSource(feature: Source['feature'], { state, has, value }: Fields, scale: Scale): Source {
  return {
    feature,
    read: (message) => scale.read(message.float(state)) ?? null,
    write: (degrees, draft) => {
      putFlag(draft, has, true);
      putFloat(draft, value, scale.write(Number(degrees)));
    },
  };
}

/** Makes the choices by a name. Some nodes have names of their own beside those of the API, in another field. */
function choiceSources(listed: Message, place: Place): readonly Source[] {
  return [
    choice(word(place, 'thermostat_mode', { writable: true }), {
      names: namesOf(listed, 7, MODES),
      state: 2,
      put: (draft, number) => putNamed(draft, { has: 2, value: 3 }, number),
    }),
    choice(word(place, 'fan_mode', { writable: true }), {
      names: namesOf(listed, 13, FAN_MODES),
      custom: { names: optionsIn(listed, 15), state: 11, has: 16, value: 17 },
      state: 9,
      put: (draft, number) => putNamed(draft, { has: 12, value: 13 }, number),
    }),
    choice(word(place, 'swing', { writable: true }), {
      names: namesOf(listed, 14, SWINGS),
      state: 10,
      put: (draft, number) => putNamed(draft, { has: 14, value: 15 }, number),
    }),
    choice(word(place, 'preset', { writable: true }), {
      names: namesOf(listed, 16, PRESETS),
      custom: { names: optionsIn(listed, 17), state: 13, has: 20, value: 21 },
      state: 12,
      put: (draft, number) => putNamed(draft, { has: 18, value: 19 }, number),
    }),
  ].flat();
}

function putNamed(draft: Draft, { has, value }: { has: number; value: number }, number: number): void {
  putFlag(draft, has, true);
  putNumber(draft, value, number);
}

/** In the order in which the node lists them. */
function namesOf(listed: Message, field: number, names: Names): Names {
  const numbers = listed.numbers(field, MOST_MODES);
  return new Map(numbers.flatMap((number) => (names.has(number) ? [[number, names.get(number) ?? '']] : [])));
}

type Choice = {
  readonly names: Names;
  readonly custom?: {
    readonly names: readonly string[];
    readonly state: number;
    readonly has: number;
    readonly value: number;
  };
  readonly state: number;
  readonly put: (draft: Draft, number: number) => void;
};

function choice(feature: Source['feature'], { names, custom, state, put }: Choice): readonly Source[] {
  const options = [...new Set([...names.values(), ...(custom?.names ?? [])])];
  if (options.length === 0) return [];
  return [
    {
      feature: { ...feature, options },
      read: (message) => (custom && message.text(custom.state)) || (names.get(message.number(state)) ?? null),
      write: (name, draft) => {
        const number = numberOf(names, name);
        if (number !== undefined) return put(draft, number);
        if (custom === undefined) return;
        putFlag(draft, custom.has, true);
        putText(draft, custom.value, textOf(name));
      },
    },
  ];
}

type Scale = { readonly read: (value: number) => number | undefined; readonly write: (value: number) => number };

const SAME: Scale = { read: finite, write: (value) => value };

const UNITS: ReadonlyMap<number, string> = new Map([
  [1, 'fahrenheit'],
  [2, 'K'],
]);
const UNKNOWN_SCALE: Scale = {
  read: () => undefined,
  write: () => {
    throw new NoSuchValue('It counts in a unit of temperature that the hub does not know.');
  },
};

/** Nodes count in Celsius unless they say otherwise. */
function scaleOf(unit: number): Scale {
  if (unit === 0) return SAME;
  const linear = toUnitOf('temperature', UNITS.get(unit) ?? 'unknown');
  if (linear === undefined) return UNKNOWN_SCALE;
  return {
    read: (value) => (Number.isFinite(value) ? converted(value, linear) : undefined),
    write: (value) => (value - linear.offset) / linear.factor,
  };
}

/** Without bounds where the node gives none that make sense. */
function rangeOf(listed: Message, at: { min: number; max: number; step: number }, scale: Scale): Range {
  const [min, max] = [scale.read(listed.float(at.min)), scale.read(listed.float(at.max))];
  const step = finite(listed.float(at.step));
  const isRange = min !== undefined && max !== undefined && max > min;
  return { min: isRange ? min : null, max: isRange ? max : null, step: step !== undefined && step > 0 ? step : null };
}

const HEATER_MODES: Names = new Map('off eco electric performance high_demand heat_pump gas'.split(' ').entries());
const HEATER_CURRENT = 1;
const HEATER_AWAY = 8;
const HEATER_ON_OFF = 16;
const HEATER_TWO_POINT = 32;
const AWAY = 1;
const ON = 2;

/** A boiler or a hot water tank. Its commands have a set of what they change. */
export const waterHeater: EntityKind = {
  word: 'water_heater',
  rank: 'output',
  listed: { type: 132, category: 6, device: 7 },
  state: { type: 133, device: 5 },
  command: { type: 134, device: 5 },
  make: (listed, place) => {
    const abilities = listed.number(12);
    const scale = scaleOf(listed.number(13));
    const range = rangeOf(listed, { min: 8, max: 9, step: 10 }, scale);
    const changes = new WeakMap<Draft, { has: number; state: number }>();
    const put = (draft: Draft, has: number, state = 0): void => {
      const before = changes.get(draft) ?? { has: 0, state: 0 };
      const next = { has: before.has | has, state: before.state | state };
      changes.set(draft, next);
      putNumber(draft, 2, next.has);
      putNumber(draft, 6, next.state);
    };
    const target = (name: 'target_temperature' | 'target_temperature_cool', field: number, has: number): Source => ({
      feature: word(place, name, { writable: true, ...range }),
      read: (state) => (state.flag(9) ? null : (scale.read(state.float(field)) ?? null)),
      write: (degrees, draft) => {
        put(draft, has);
        putFloat(draft, field === 3 ? 4 : field, scale.write(Number(degrees)));
      },
    });
    const flag = (feature: Source['feature'], bit: number, has: number): Source => ({
      feature,
      read: (state) => (state.flag(9) ? null : (state.number(6) & bit) !== 0),
      write: (value, draft) => put(draft, has, value === true ? bit : 0),
    });
    const isTwoPoint = (abilities & HEATER_TWO_POINT) !== 0;
    return [
      ...choice(word(place, 'operation_mode', { writable: true, category: 'primary' }), {
        names: namesOf(listed, 11, HEATER_MODES),
        state: 4,
        put: (draft, number) => {
          put(draft, 1);
          putNumber(draft, 3, number);
        },
      }),
      ...(isTwoPoint
        ? [target('target_temperature', 7, 8), target('target_temperature_cool', 8, 16)]
        : [target('target_temperature', 3, 2)]),
      ...((abilities & HEATER_CURRENT) === 0
        ? []
        : [
            {
              feature: word(place, 'temperature'),
              read: (state: Message) => (state.flag(9) ? null : (scale.read(state.float(2)) ?? null)),
            },
          ]),
      ...((abilities & HEATER_AWAY) === 0
        ? []
        : [flag(own(place, { valueType: 'boolean', writable: true }, 'away'), AWAY, 64)]),
      ...((abilities & HEATER_ON_OFF) === 0 ? [] : [flag(word(place, 'on', { writable: true }), ON, 32)]),
    ];
  },
};
