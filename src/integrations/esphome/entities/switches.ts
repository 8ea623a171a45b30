import { PERCENT } from '#core/feature/new-feature.ts';
import { lockedIn } from '#core/feature/lock-state.ts';
import { type Message, putFlag, putNumber } from '#integrations/esphome/wire/protobuf.ts';
import {
  type EntityKind,
  type Names,
  optionsIn,
  own,
  percentOf,
  type Source,
  unlessAssumed,
  word,
  writeFlag,
  writeShare,
  writeText,
  action,
} from './entity.ts';

/** A switch that only sets how the node works is no lamp to switch. */
export const switchEntity: EntityKind = {
  word: 'switch',
  rank: 'output',
  listed: { type: 17, category: 8, device: 10 },
  state: { type: 26, device: 3 },
  command: { type: 33, device: 3 },
  make: (listed, place) =>
    unlessAssumed(listed.flag(6), [
      {
        feature:
          place.category === 'primary'
            ? word(place, 'on', { writable: true })
            : own(place, { valueType: 'boolean', writable: true }),
        read: (state) => (state.flag(4) ? null : state.flag(2)),
        write: (on, draft) => putFlag(draft, 2, on === true),
      },
    ]),
};

const RESTART: ReadonlySet<string> = new Set(['restart', 'update']);

export const button: EntityKind = {
  word: 'button',
  rank: 'other',
  listed: { type: 61, category: 7, device: 9 },
  command: { type: 62, device: 2 },
  make: (listed, place) => {
    const deviceClass = listed.text(8);
    const feature = RESTART.has(deviceClass)
      ? action(place)
      : word(place, deviceClass === 'identify' ? 'identify' : 'press', { writable: true });
    return [{ feature, write: () => undefined }];
  },
};

/** By the numbers of the API (`api.proto` of aioesphomeapi 45.13); 0 says nothing. */
const LOCK_STATES: Names = new Map([
  [1, 'locked'],
  [2, 'unlocked'],
  [3, 'jammed'],
  [4, 'locking'],
  [5, 'unlocking'],
  [6, 'opening'],
  [7, 'open'],
]);
const [UNLOCK, LOCK, OPEN] = [0, 1, 2];

/** The hub keeps no codes, so a lock that wants one can be seen but not worked. */
export const lock: EntityKind = {
  word: 'lock',
  rank: 'output',
  listed: { type: 58, category: 7, device: 12 },
  state: { type: 59, device: 3 },
  command: { type: 60, device: 5 },
  make: (listed, place) => {
    const writable = !listed.flag(10);
    const locked: Source = {
      feature: word(place, 'locked', { writable }),
      read: (state) => lockedIn(LOCK_STATES.get(state.number(2)) ?? null),
      ...(writable ? { write: (value, draft) => putNumber(draft, 2, value === true ? LOCK : UNLOCK) } : {}),
    };
    const latch: Source = {
      feature: action(place, 'open_latch'),
      write: (_value, draft) => putNumber(draft, 2, OPEN),
    };
    const state: Source = {
      feature: word(place, 'lock_state', { options: [...LOCK_STATES.values()] }),
      read: (message) => LOCK_STATES.get(message.number(2)) ?? null,
    };
    return unlessAssumed(listed.flag(8), [locked, state, ...(listed.flag(9) && writable ? [latch] : [])]);
  },
};

/** The flags that switch a siren on. */
const SOUNDING = [2, 3];

export const siren: EntityKind = {
  word: 'siren',
  rank: 'output',
  listed: { type: 55, category: 10, device: 11 },
  state: { type: 56, device: 3 },
  command: { type: 57, device: 10 },
  make: (listed, place) => {
    const tones = optionsIn(listed, 7);
    const tone: Source = {
      feature: own(place, { valueType: 'enum', options: tones, writable: true, readable: false }, 'siren_tone'),
      write: writeText({ has: 4, value: 5, also: SOUNDING }),
    };
    const volume: Source = {
      feature: own(place, { ...PERCENT, writable: true, readable: false }, 'siren_volume'),
      write: writeShare({ has: 8, value: 9, also: SOUNDING }),
    };
    return [
      ...(tones.length === 0 ? [] : [tone]),
      ...(listed.flag(9) ? [volume] : []),
      {
        feature: word(place, 'siren', { writable: true }),
        read: (state) => state.flag(2),
        write: writeFlag({ has: 2, value: 3 }),
      },
    ];
  },
};

const INSTALL = 1;
const MAX_TEXT = 100;

/** New firmware for the node itself, or for what it carries. */
export const update: EntityKind = {
  word: 'update',
  rank: 'other',
  listed: { type: 116, category: 7, device: 9 },
  state: { type: 117, device: 11 },
  command: { type: 118, device: 3 },
  make: (_listed, place) => [
    { feature: word(place, 'update', { writable: false }), read: readUpdate },
    {
      feature: action(place, 'install'),
      write: (_value, draft) => putNumber(draft, 2, INSTALL),
    },
  ],
};

function readUpdate(state: Message) {
  if (state.flag(2)) return null;
  const [installed, latest] = [state.text(6).slice(0, MAX_TEXT), state.text(7).slice(0, MAX_TEXT)];
  const progress = state.flag(4) ? percentOf(state.float(5) / 100) : undefined;
  return {
    state: state.flag(3) ? 'updating' : latest !== '' && latest !== installed ? 'available' : 'idle',
    installed_version: installed,
    latest_version: latest,
    ...(progress === undefined ? {} : { progress }),
  };
}
