import type { Occurrence } from '#core/feature/feature.ts';
import { binaryWord, converted, sensorWord, toUnitOf } from '#core/feature/measure.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import type { Message } from '#integrations/esphome/wire/protobuf.ts';
import { type EntityKind, finite, optionsIn, own, type Place, type Source, word } from './entity.ts';

export const binarySensor: EntityKind = {
  word: 'binary_sensor',
  rank: 'sensor',
  listed: { type: 12, category: 9, device: 10 },
  state: { type: 21, device: 4 },
  make: (listed, place) => {
    const name = binaryWord(listed.text(5));
    return [
      {
        feature: name === undefined ? own(place, { valueType: 'boolean' }) : word(place, name),
        read: (state) => (state.flag(3) ? null : state.flag(2)),
      },
    ];
  },
};

export const sensor: EntityKind = {
  word: 'sensor',
  rank: 'sensor',
  listed: { type: 16, category: 13, device: 14 },
  state: { type: 25, device: 4 },
  make: sensorSources,
};

function sensorSources(listed: Message, place: Place): readonly Source[] {
  const unit = unitFromSpelling(listed.text(6));
  const named = sensorWord(listed.text(9));
  const scale = named && toUnitOf(named, unit);
  const isTime = listed.text(9) === 'timestamp';
  const plain = own(place, { valueType: isTime ? 'timestamp' : 'number', unit: isTime ? null : unit });
  return [
    {
      feature: named === undefined || scale === undefined ? plain : word(place, named),
      read: (state) => {
        // Not a number means that the sensor knows nothing.
        const value = state.flag(3) ? undefined : finite(state.float(2));
        if (value === undefined) return null;
        if (isTime) return timeFrom(value);
        return scale === undefined ? value : converted(value, scale);
      },
    },
  ];
}

const LAST_SECOND = 253_402_300_799;

/** From seconds since 1970; `null` for a time that no calendar has. */
export function timeFrom(seconds: number): string | null {
  if (!(seconds > 0 && seconds <= LAST_SECOND)) return null;
  return new Date(seconds * 1_000).toISOString();
}

const MAX_TEXT = 1_024;

export const textSensor: EntityKind = {
  word: 'text_sensor',
  rank: 'sensor',
  listed: { type: 18, category: 7, device: 9 },
  state: { type: 27, device: 4 },
  make: (_listed, place) => [
    {
      feature: own(place, { valueType: 'string' }),
      read: (state) => (state.flag(3) ? null : state.text(2).slice(0, MAX_TEXT)),
    },
  ],
};

const BUTTONS: ReadonlySet<string> = new Set(['button', 'doorbell']);

/** The vocabulary's words for what a button does. */
const ACTIONS: ReadonlyMap<string, Omit<Occurrence, 'raw'>> = new Map([
  ['single', { action: 'single', count: 1 }],
  ['single_click', { action: 'single', count: 1 }],
  ['click', { action: 'single', count: 1 }],
  ['double', { action: 'double', count: 2 }],
  ['double_click', { action: 'double', count: 2 }],
  ['triple', { action: 'triple', count: 3 }],
  ['triple_click', { action: 'triple', count: 3 }],
  ['long', { action: 'hold' }],
  ['long_press', { action: 'hold' }],
  ['hold', { action: 'hold' }],
  ['press', { action: 'press' }],
  ['release', { action: 'release' }],
]);

export const event: EntityKind = {
  word: 'event',
  rank: 'sensor',
  listed: { type: 107, category: 7, device: 10 },
  state: { type: 108, device: 3 },
  make: (listed, place) => {
    const options = [...new Set(optionsIn(listed, 9).map((raw) => occurrenceOf(raw).action))];
    const feature = BUTTONS.has(listed.text(8))
      ? word(place, 'button', { options })
      : { ...own(place, { valueType: 'object', readable: false, options }), kind: 'event' as const };
    return [{ feature, happen: (message) => occurrenceOf(message.text(2).slice(0, 100)) }];
  },
};

function occurrenceOf(raw: string): Occurrence {
  const snake = raw
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  return { ...(ACTIONS.get(snake) ?? { action: snake || 'event' }), raw };
}
