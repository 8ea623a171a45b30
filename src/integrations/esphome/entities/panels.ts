import { putFlag, putNumber } from '#integrations/esphome/wire/protobuf.ts';
import {
  type EntityKind,
  type Names,
  numberOf,
  own,
  percentOf,
  type Source,
  word,
  writeShare,
  writeText,
  writeName,
} from './entity.ts';

/** By the numbers of the API, as all lists here (`api.proto` of aioesphomeapi 45.13). */
const ALARM_STATES: Names = new Map(
  'disarmed armed_home armed_away armed_night armed_vacation armed_custom_bypass pending arming disarming triggered'
    .split(' ')
    .entries(),
);
const ALARM_COMMANDS: Names = new Map([
  [0, 'disarmed'],
  [1, 'armed_away'],
  [2, 'armed_home'],
  [3, 'armed_night'],
  [4, 'armed_vacation'],
  [5, 'armed_custom_bypass'],
]);
/** The ability that a mode needs; to disarm needs none. */
const ABILITY_OF: Readonly<Record<string, number>> = {
  armed_home: 1,
  armed_away: 2,
  armed_night: 4,
  armed_custom_bypass: 16,
  armed_vacation: 32,
};

/** The hub keeps no codes: what needs one is left to the panel itself. */
export const alarmPanel: EntityKind = {
  word: 'alarm_control_panel',
  rank: 'output',
  listed: { type: 94, category: 7, device: 11 },
  state: { type: 95, device: 3 },
  command: { type: 96, device: 4 },
  make: (listed, place) => {
    const [abilities, needsCode, needsCodeToArm] = [listed.number(8), listed.flag(9), listed.flag(10)];
    const canTake = (name: string): boolean => {
      if (name === 'disarmed') return !needsCode;
      return !(needsCode && needsCodeToArm) && (abilities & (ABILITY_OF[name] ?? 0)) !== 0;
    };
    const options = [...ALARM_COMMANDS.values()].filter(canTake);
    const isMode = (name: string | undefined): boolean =>
      name !== undefined && [...ALARM_COMMANDS.values()].includes(name);
    const armed: Source = {
      feature: word(place, 'arm_mode', { writable: options.length > 0, options: options.length > 0 ? options : null }),
      read: (state) => {
        const name = ALARM_STATES.get(state.number(2));
        return name !== undefined && isMode(name) ? name : null;
      },
      ...(options.length === 0
        ? {}
        : { write: (name, draft) => putNumber(draft, 2, numberOf(ALARM_COMMANDS, name) ?? 0) }),
    };
    return [
      armed,
      {
        feature: own(
          place,
          { valueType: 'enum', category: 'primary', options: [...ALARM_STATES.values()] },
          'alarm_state',
        ),
        read: (state) => ALARM_STATES.get(state.number(2)) ?? null,
      },
    ];
  },
};

const PLAYBACK: readonly (string | null)[] = [null, 'idle', 'playing', 'paused', 'announcing', 'off', 'on'];
const PLAYER_COMMANDS: Names = new Map([
  [0, 'playing'],
  [1, 'paused'],
  [2, 'idle'],
]);
const [MUTE, UNMUTE] = [3, 4];

export const mediaPlayer: EntityKind = {
  word: 'media_player',
  rank: 'output',
  listed: { type: 63, category: 7, device: 10 },
  state: { type: 64, device: 5 },
  command: { type: 65, device: 10 },
  make: (_listed, place) => [
    {
      feature: word(place, 'playback', { writable: true, options: [...PLAYER_COMMANDS.values()] }),
      read: (state) => PLAYBACK[state.number(2)] ?? null,
      write: writeName(PLAYER_COMMANDS)({ has: 2, value: 3 }),
    },
    {
      feature: word(place, 'volume', { writable: true, min: 0, max: 100 }),
      read: (state) => percentOf(state.float(3)) ?? null,
      write: writeShare({ has: 4, value: 5 }),
    },
    {
      feature: word(place, 'muted', { writable: true }),
      read: (state) => state.flag(4),
      write: (muted, draft) => {
        putFlag(draft, 2, true);
        putNumber(draft, 3, muted === true ? MUTE : UNMUTE);
      },
    },
    {
      feature: own(
        place,
        {
          valueType: 'string',
          writable: true,
          readable: false,
          schema: { type: 'string', minLength: 1, maxLength: 1_024 },
          description: 'Plays what is at this address.',
        },
        'play_url',
      ),
      write: writeText({ has: 6, value: 7 }),
    },
  ],
};
