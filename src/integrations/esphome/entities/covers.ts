import { PERCENT } from '#core/feature/new-feature.ts';
import { type Message, putFlag, putFloat, putNumber } from '#integrations/esphome/wire/protobuf.ts';
import {
  type EntityKind,
  type Names,
  optionsIn,
  own,
  percentOf,
  type Place,
  type Source,
  unlessAssumed,
  word,
  writeFlag,
  writeShare,
  writeText,
  writeName,
  action,
} from './entity.ts';

const STATES = ['open', 'close', 'stop'];
/** They open the home, which the hub guards. */
const ENTRANCES: ReadonlySet<string> = new Set(['door', 'garage', 'gate']);
/** By the numbers of the API (`api.proto` of aioesphomeapi 45.13), for covers and valves. */
const MOVEMENTS: Names = new Map([
  [0, 'stopped'],
  [1, 'opening'],
  [2, 'closing'],
]);

export const cover: EntityKind = {
  word: 'cover',
  rank: 'output',
  listed: { type: 13, category: 11, device: 13 },
  state: { type: 22, device: 6 },
  command: { type: 30, device: 9 },
  make: (listed, place) => {
    const tilt: Source = {
      feature: word(place, 'tilt', { writable: true, min: 0, max: 100 }),
      read: (state) => percentOf(state.float(4)) ?? null,
      write: writeShare({ has: 6, value: 7 }),
    };
    const isAssumed = listed.flag(5);
    const isEntrance = ENTRANCES.has(listed.text(8));
    const movement = movementSource(place, 5, isEntrance ? 'garage_movement' : 'movement');
    const sources = unlessAssumed(isAssumed, [
      {
        feature: word(place, 'cover_state', { writable: true, options: STATES }),
        read: (state) => readMovement(state, 5),
        write: (name, draft) => {
          if (name === 'stop') return putFlag(draft, 8, true);
          putFlag(draft, 4, true);
          putFloat(draft, 5, name === 'open' ? 1 : 0);
        },
      },
      movement,
      ...(listed.flag(6) ? [positionSource(place, { has: 4, value: 5 })] : []),
      ...(listed.flag(7) ? [tilt] : []),
    ]);
    // The hub guards an entrance by this feature, also where nobody knows its value.
    return isAssumed && isEntrance ? [...sources, { feature: { ...movement.feature, readable: false } }] : sources;
  },
};

/** Where it goes counts, not how far it came: that is what the position and the movement say. */
function readMovement(state: Message, operation: number): string | null {
  const movement = MOVEMENTS.get(state.number(operation));
  if (movement === 'opening') return 'open';
  if (movement === 'closing') return 'close';
  const percent = percentOf(state.float(3));
  if (percent === undefined) return null;
  return percent === 0 ? 'close' : percent === 100 ? 'open' : 'stop';
}

function movementSource(place: Place, operation: number, name = 'movement'): Source {
  return {
    feature: own(place, { valueType: 'enum', category: 'primary', options: [...MOVEMENTS.values()] }, name),
    read: (state) => MOVEMENTS.get(state.number(operation)) ?? null,
  };
}

function positionSource(
  place: Place,
  { has, value, state = 3 }: { has: number; value: number; state?: number },
): Source {
  return {
    feature: word(place, 'position', { writable: true, min: 0, max: 100 }),
    read: (message) => percentOf(message.float(state)) ?? null,
    write: writeShare({ has, value }),
  };
}

export const valve: EntityKind = {
  word: 'valve',
  rank: 'output',
  listed: { type: 109, category: 7, device: 12 },
  state: { type: 110, device: 4 },
  command: { type: 111, device: 5 },
  make: (listed, place) => {
    const stop: Source = {
      feature: action(place, 'valve_stop'),
      write: (_value, draft) => putFlag(draft, 4, true),
    };
    // Under a name that is guarded, also beside a lamp in one device.
    const flow: Source = {
      ...positionSource(place, { has: 2, value: 3, state: 2 }),
      feature: own(place, { ...PERCENT, writable: true }, 'valve_position'),
    };
    return unlessAssumed(listed.flag(9), [
      {
        feature: word(place, 'valve_open', { writable: true }),
        read: (state) => {
          const percent = percentOf(state.float(2));
          return percent === undefined ? null : percent > 0;
        },
        write: (open, draft) => {
          putFlag(draft, 2, true);
          putFloat(draft, 3, open === true ? 1 : 0);
        },
      },
      movementSource(place, 3, 'valve_movement'),
      ...(listed.flag(10) ? [flow] : []),
      ...(listed.flag(11) ? [stop] : []),
    ]);
  },
};

/** By the numbers of the API (`api.proto` of aioesphomeapi 45.13). */
const DIRECTIONS: Names = new Map([
  [0, 'forward'],
  [1, 'reverse'],
]);
const MOST_SPEEDS = 100;

export const fan: EntityKind = {
  word: 'fan',
  rank: 'output',
  listed: { type: 14, category: 11, device: 13 },
  state: { type: 23, device: 8 },
  command: { type: 31, device: 14 },
  make: (listed, place) => {
    const presets = optionsIn(listed, 12);
    const oscillating: Source = {
      feature: own(place, { valueType: 'boolean', writable: true }, 'oscillating'),
      read: (state) => state.flag(3),
      write: writeFlag({ has: 6, value: 7 }),
    };
    const direction: Source = {
      feature: own(place, { valueType: 'enum', options: [...DIRECTIONS.values()], writable: true }, 'direction'),
      read: (state) => DIRECTIONS.get(state.number(5)) ?? null,
      write: writeName(DIRECTIONS)({ has: 8, value: 9 }),
    };
    const mode: Source = {
      feature: word(place, 'fan_mode', { writable: true, options: presets }),
      read: (state) => state.text(7) || null,
      write: writeText({ has: 12, value: 13 }),
    };
    return [
      ...(listed.flag(6) ? [speedSource(place, Math.min(MOST_SPEEDS, Math.max(1, listed.signed(8))))] : []),
      ...(presets.length === 0 ? [] : [mode]),
      ...(listed.flag(5) ? [oscillating] : []),
      ...(listed.flag(7) ? [direction] : []),
      {
        feature: word(place, 'on', { writable: true }),
        read: (state) => state.flag(2),
        write: writeFlag({ has: 2, value: 3 }),
      },
    ];
  },
};

/** A node counts its speeds; 100 % is the last of them. A speed means that it turns. */
function speedSource(place: Place, speeds: number): Source {
  const step = Math.floor(1_000 / speeds) / 10;
  return {
    feature: word(place, 'fan_speed', { writable: true, min: 1, max: 100, step }),
    read: (state) => {
      const level = state.signed(6);
      return level < 1 || level > speeds ? undefined : Math.round((level * 1_000) / speeds) / 10;
    },
    write: (percent, draft) => {
      putFlag(draft, 2, true);
      putFlag(draft, 3, true);
      putFlag(draft, 10, true);
      putNumber(draft, 11, Math.min(speeds, Math.max(1, Math.round((Number(percent) * speeds) / 100))));
    },
  };
}
