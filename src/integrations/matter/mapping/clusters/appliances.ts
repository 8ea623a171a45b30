import { type JsonValue, listOf, objectOf } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { ownFeature, wordFeature, ownAction } from '#core/feature/new-feature.ts';
import {
  addReading,
  addSeconds,
  invoke,
  namedWords,
  numberFrom,
  numberIn,
  numberOf,
  type Part,
  type Place,
  reading,
  whereWritable,
  wordOf,
  type Words,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

/** Modes that a device names itself, and what it is doing. */
export function applianceSources(part: Part): void {
  for (const [cluster, name] of MODES) addMode(part, cluster, name);
  for (const cluster of OPERATIONS) addOperation(part, cluster);
  mediaSources(part);
}

/** Clusters that are a list of modes that the device names itself. */
const MODES: readonly (readonly [cluster: string, name: string])[] = [
  ['modeSelect', 'operating_mode'],
  ['laundryWasherMode', 'operation_mode'],
  ['dishwasherMode', 'operation_mode'],
  ['ovenMode', 'operation_mode'],
  ['microwaveOvenMode', 'operation_mode'],
  ['refrigeratorAndTemperatureControlledCabinetMode', 'operation_mode'],
  ['rvcRunMode', 'operation_mode'],
  ['rvcCleanMode', 'clean_mode'],
  ['energyEvseMode', 'operation_mode'],
  ['waterHeaterMode', 'operation_mode'],
  ['deviceEnergyManagementMode', 'energy_management_mode'],
];
const MAX_MODES = 255;

function addMode(part: Part, cluster: string, name: string): void {
  const [current, supported] = [`${cluster}.currentMode`, `${cluster}.supportedModes`] as const;
  if (!part.has(current)) return;
  const listed = listOf(part.find(supported)).slice(0, MAX_MODES);
  const words = namedWords(
    listed.flatMap((mode) => {
      const { mode: number, label } = objectOf(mode);
      const at = numberIn(number, [0, 255]);
      return at === undefined ? [] : [[at, typeof label === 'string' ? label : ''] as const];
    }),
    'mode',
  );
  const command: Place = `${cluster}.changeToMode`;
  const writable = words.size > 0 && part.takes(command);
  const details = { writable, options: [...words.values()], category: 'primary' } as const;
  const feature =
    name === 'operation_mode' || name === 'operating_mode'
      ? wordFeature(name, part.component, details)
      : ownFeature(name, part.component, { ...details, valueType: 'enum' });
  part.add(
    {
      ...reading(feature, current, (value) => wordOf(words, value, 'mode')),
      ...whereWritable(writable, (word) => {
        const newMode = numberOf(words, word);
        return newMode === undefined ? [] : [invoke(part, command, { fields: { newMode } })];
      }),
    },
    current,
    supported,
  );
}

const OPERATIONS = ['operationalState', 'ovenCavityOperationalState', 'rvcOperationalState'];
const STATES = wordsFrom({
  0: 'stopped',
  1: 'running',
  2: 'paused',
  3: 'error',
  64: 'seeking_charger',
  65: 'charging',
  66: 'docked',
  67: 'emptying_dust_bin',
  68: 'cleaning_mop',
  69: 'filling_water_tank',
  70: 'updating_maps',
});
const NOT_OF_VACUUMS = 64;
const ORDERS = ['start', 'stop', 'pause', 'resume', 'goHome'] as const;
const ORDER_NAMES = { start: 'start', stop: 'stop', pause: 'pause', resume: 'resume', goHome: 'go_home' };

function addOperation(part: Part, cluster: string): void {
  const state: Place = `${cluster}.operationalState`;
  if (!part.has(state)) return;
  const isVacuum = cluster === 'rvcOperationalState';
  const words = statesOf(part, { cluster, isVacuum });
  const details = { options: [...words.values()] };
  const feature = isVacuum
    ? wordFeature('vacuum_state', part.component, details)
    : ownFeature('operational_state', part.component, { ...details, valueType: 'enum', category: 'primary' });
  part.add(
    reading(feature, state, (value) => wordOf(words, value, 'state')),
    state,
    `${cluster}.operationalStateList`,
  );
  addSeconds(part, 'remaining_time', { place: `${cluster}.countdownTime` });
  addPhase(part, cluster);
  addError(part, cluster);
  for (const order of ORDERS) {
    const command: Place = `${cluster}.${order}`;
    if ((order === 'goHome' && !isVacuum) || !part.takes(command)) continue;
    part.add({
      feature: ownAction(ORDER_NAMES[order], part.component, 'primary'),
      write: () => [invoke(part, command)],
    });
  }
}

/** The states of the standard, and the ones that the maker has added with a name. */
function statesOf(part: Part, { cluster, isVacuum }: { readonly cluster: string; readonly isVacuum: boolean }): Words {
  const usual = [...STATES].filter(([number]) => isVacuum || number < NOT_OF_VACUUMS);
  const own = listOf(part.find(`${cluster}.operationalStateList`)).slice(0, MAX_MODES);
  const named = own.flatMap((state) => {
    const { operationalStateId, operationalStateLabel } = objectOf(state);
    const number = numberIn(operationalStateId, [0x80, 0xbf]);
    return number === undefined || typeof operationalStateLabel !== 'string'
      ? []
      : [[number, operationalStateLabel] as const];
  });
  return namedWords([...usual, ...named], 'state');
}

const MAX_PHASES = 32;

function addPhase(part: Part, cluster: string): void {
  const [current, list] = [`${cluster}.currentPhase`, `${cluster}.phaseList`] as const;
  if (!part.has(current)) return;
  const names = listOf(part.find(list)).slice(0, MAX_PHASES);
  const words = namedWords(
    names.map((name, index) => [index, typeof name === 'string' ? name : ''] as const),
    'phase',
  );
  const details = { valueType: 'enum', category: 'primary', options: [...words.values()] } as const;
  part.add(
    reading(ownFeature('phase', part.component, details), current, (value) => wordOf(words, value, 'phase')),
    current,
    list,
  );
}

const ERRORS = wordsFrom({
  0: 'no_error',
  1: 'unable_to_start_or_resume',
  2: 'unable_to_complete_operation',
  3: 'command_invalid_in_state',
  64: 'failed_to_find_charging_dock',
  65: 'stuck',
  66: 'dust_bin_missing',
  67: 'dust_bin_full',
  68: 'water_tank_empty',
  69: 'water_tank_missing',
  70: 'water_tank_lid_open',
  71: 'mop_cleaning_pad_missing',
  72: 'low_battery',
  73: 'cannot_reach_target_area',
  74: 'dirty_water_tank_full',
  75: 'dirty_water_tank_missing',
  76: 'wheels_jammed',
  77: 'brush_jammed',
  78: 'navigation_sensor_obscured',
});

/** Adds the error of an appliance, and the events that it went wrong or is done. */
function addError(part: Part, cluster: string): void {
  const place: Place = `${cluster}.operationalError`;
  const idIn = (value: JsonValue | undefined): number | undefined => numberFrom(objectOf(value)['errorStateId']);
  const wordIn = (value: JsonValue | undefined): string | undefined => wordOf(ERRORS, idIn(value), 'error');
  if (part.has(place)) {
    addReading(part, 'problem', {
      place,
      read: (value) => {
        const id = idIn(value);
        return id === undefined ? undefined : id !== 0;
      },
    });
    const details = { valueType: 'enum', options: [...ERRORS.values()] } as const;
    part.add(reading(ownFeature('error', part.component, details), place, wordIn), place);
  }
  const done: Place = `${cluster}.operationCompletion`;
  const failed: Place = `${cluster}.operationalError`;
  const details = {
    valueType: 'object',
    category: 'primary',
    readable: false,
    options: ['completed', 'failed'],
  } as const;
  part.add({
    feature: { ...ownFeature('operation', part.component, details), kind: 'event' },
    happens: new Map([
      [
        done,
        ({ completionErrorCode }): Occurrence => {
          const word = wordOf(ERRORS, completionErrorCode, 'error') ?? 'completed';
          return { action: numberFrom(completionErrorCode) === 0 ? 'completed' : 'failed', raw: word };
        },
      ],
      [failed, ({ errorState }): Occurrence => ({ action: 'failed', raw: wordIn(errorState) ?? 'error' })],
    ]),
  });
}

const PLAYBACK = wordsFrom({ 0: 'playing', 1: 'paused', 2: 'idle', 3: 'buffering' });
const PLAYER_ORDERS = new Map<JsonValue, Place>([
  ['playing', 'mediaPlayback.play'],
  ['paused', 'mediaPlayback.pause'],
  ['idle', 'mediaPlayback.stop'],
]);

function mediaSources(part: Part): void {
  const place = 'mediaPlayback.currentState';
  if (!part.has(place)) return;
  const options = [...PLAYER_ORDERS].flatMap(([word, command]) =>
    typeof word === 'string' && part.takes(command) ? [word] : [],
  );
  const writable = options.length > 0;
  part.add(
    {
      feature: wordFeature('playback', part.component, {
        writable,
        options: writable ? options : [...PLAYBACK.values()],
      }),
      from: [place],
      read: (look) => wordOf(PLAYBACK, look(place)),
      ...whereWritable(writable, (word) => {
        const command = PLAYER_ORDERS.get(word);
        return command === undefined ? [] : [invoke(part, command)];
      }),
    },
    place,
  );
}
