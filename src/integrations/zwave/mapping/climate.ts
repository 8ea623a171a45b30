import type { JsonValue } from '#base/json.ts';
import { lockedIn } from '#core/feature/lock-state.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { NOTIFICATION } from './sensors.ts';
import { asSaid, choice, control, measured, type Part, type Source, wordsOf } from './source.ts';

const MODE = 64;
const STATE = 66;
const SETPOINT = 67;
const FAN_MODE = 68;
const HUMIDITY_SETPOINT = 100;
const LOCK = 118;
const DOOR_LOCK = 98;

/** Words that other protocols have for the same modes (@zwave-js/cc 15.29). Others are called as the server does. */
const MODES = { '6': 'fan_only', '8': 'dry', '10': 'auto_changeover' };
const STATES = { '0': 'idle', '1': 'heat', '2': 'cool', '3': 'fan' };
/** By the type of the setpoint (@zwave-js/cc 15.29). */
const SETPOINTS: readonly (readonly [type: number, word: VocabularyWord])[] = [
  [1, 'target_temperature'],
  [2, 'target_temperature_cool'],
  [13, 'away_target_temperature'],
];

/** Makes the parts that heat, cool and dry. */
export function climateSources(part: Part): void {
  const choices = [
    [MODE, 'mode', 'thermostat_mode', MODES],
    [STATE, 'state', 'thermostat_state', STATES],
    [FAN_MODE, 'mode', 'fan_mode', {}],
  ] as const;
  for (const [commandClass, property, word, own] of choices) {
    const value = part.find(commandClass, property);
    if (value === undefined || value.metadata.states.size === 0) continue;
    part.add(choice(wordFeature(word, part.component), { shown: value, target: value }, wordsOf(value, own)), value);
  }
  for (const [type, word] of SETPOINTS) {
    const value = part.find(SETPOINT, 'setpoint', type);
    if (value !== undefined) part.add(measured(part, value, { word, writable: true }), value);
  }
  const humidity = part.list(HUMIDITY_SETPOINT).find(({ id }) => id.property === 'setpoint');
  if (humidity !== undefined) part.add(measured(part, humidity, { word: 'target_humidity', writable: true }), humidity);
}

const SECURED = 255;
/** All modes of the class (@zwave-js/cc 15.29); the inside or outside handle alone opens some: those are unlocked. */
const LOCK_STATES: ReadonlyMap<number, string> = new Map([
  ...[0, 1, 16, 17, 32, 33].map((mode) => [mode, 'unlocked'] as const),
  [SECURED, 'locked'],
]);
const LOCK_WORDS = { '0': 'unlocked', '255': 'locked' };

const JAMMED = 'jammed';
/** The jam in the notification of access control that is about the lock (@zwave-js/core 15.29). */
const LOCK_JAMMED = 11;

/** A bolt that is stuck keeps its mode: that it is, the lock says in a notification. */
function unlessJammed(part: Part, source: Source, jammed: JsonValue): Source {
  const bolt = part
    .list(NOTIFICATION)
    .find(({ id, metadata }) => metadata.specific['notificationType'] === 6 && id.propertyKey === 'Lock state');
  if (bolt === undefined) return source;
  const { feature, from, read } = source;
  return {
    ...source,
    feature: feature.options === null ? feature : { ...feature, options: [...feature.options, JAMMED] },
    from: [...from, bolt.key],
    read: (look) => (look(bolt.key) === LOCK_JAMMED ? jammed : read?.(look)),
  };
}

/** Door locks. Their codes are in no feature: see `isSecret`. */
export function lockSources(part: Part): void {
  const [shown, target] = [part.find(DOOR_LOCK, 'currentMode'), part.find(DOOR_LOCK, 'targetMode')];
  if (shown !== undefined) {
    const locked = control(
      wordFeature('locked', part.component),
      { shown, target },
      {
        read: (mode) => mapNumber(mode, (number) => lockedIn(LOCK_STATES.get(number) ?? 'unknown')),
        write: (wanted) => (wanted === true ? SECURED : 0),
      },
    );
    part.add(unlessJammed(part, locked, lockedIn(JAMMED)), target);
    const state = choice(
      wordFeature('lock_state', part.component),
      { shown, target: undefined },
      wordsOf(shown, LOCK_WORDS),
    );
    part.add(unlessJammed(part, state, JAMMED), shown);
    const door = part.find(DOOR_LOCK, 'doorStatus');
    if (door !== undefined) {
      part.add(
        control(
          wordFeature('open', part.component),
          { shown: door, target: undefined },
          {
            read: (status) => (status === 'open' || status === 'closed' ? status === 'open' : null),
            write: (value) => value,
          },
        ),
        door,
      );
    }
    return;
  }
  const plain = part.find(LOCK, 'locked');
  if (plain === undefined) return;
  part.add(
    control(
      wordFeature('locked', part.component),
      { shown: plain, target: plain },
      {
        read: asSaid,
        write: asSaid,
      },
    ),
    plain,
  );
}
