import { faultWords } from '#words/faults.ts';
import { validationFailed, fieldError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { lockedIn } from '#core/feature/lock-state.ts';
import { ownFeature, wordFeature, ownAction } from '#core/feature/new-feature.ts';
import {
  addSeconds,
  invoke,
  numberFrom,
  numberIn,
  type Part,
  type Place,
  reading,
  whereWritable,
  type Wish,
  wordOf,
  type Words,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

const STATE = 'doorLock.lockState';
const STATES = wordsFrom({ 0: 'not_fully_locked', 1: 'locked', 2: 'unlocked', 3: 'unlatched' });
const CODE = 'lock_code';
/** Door: jammed and broken say nothing of whether it is open. */
const DOOR_OPEN: ReadonlyMap<number, boolean> = new Map([
  [0, true],
  [1, false],
  [3, true],
  [5, true],
]);

/** Door locks. Codes go with the command, and no attribute of the cluster has one. */
export function lockSources(part: Part): void {
  if (!part.hasCluster('doorLock')) return;
  const unbolts = part.can('doorLock', 'unbolting') && part.takes('doorLock.unboltDoor');
  const unlock = unbolts ? 'doorLock.unboltDoor' : 'doorLock.unlockDoor';
  const writable = part.takes('doorLock.lockDoor') && part.takes(unlock);
  const takesCode = part.can('doorLock', 'pinCredential') && part.can('doorLock', 'credentialOverTheAirAccess');
  const needsCode = takesCode && part.find('doorLock.requirePinForRemoteOperation') === true;
  const asking = (place: Place, { also }: Wish) => {
    const code = takesCode ? also(`x.${CODE}`) : undefined;
    if (needsCode && code === undefined) throw codeMissing();
    return [invoke(part, place, { timed: true, fields: typeof code === 'string' ? { pinCode: hexOf(code) } : {} })];
  };
  part.add(
    {
      feature: wordFeature('locked', part.component, { writable }),
      from: [STATE],
      read: (look) => lockedIn(wordOf(STATES, look(STATE)) ?? null),
      ...whereWritable(writable, (locked, wish) => asking(locked === true ? 'doorLock.lockDoor' : unlock, wish)),
    },
    STATE,
  );
  part.add(
    reading(wordFeature('lock_state', part.component, { options: [...STATES.values()] }), STATE, (value) =>
      wordOf(STATES, value),
    ),
  );
  if (takesCode && writable) addCode(part, needsCode);
  // With a bolt of its own, unlocking opens the door. An action has no room for a code.
  if (unbolts && !needsCode && part.takes('doorLock.unlockDoor')) {
    part.add({
      feature: ownAction('open_latch', part.component, 'primary'),
      write: (_value, wish) => asking('doorLock.unlockDoor', wish),
    });
  }
  addDoor(part);
  addSeconds(part, 'auto_relock_time', { place: 'doorLock.autoRelockTime' });
  addEvents(part);
}

function codeMissing() {
  const error = fieldError(`/set/x.${CODE}`, 'REQUIRED', ...faultWords('missing'));
  return validationFailed([error], 'This lock takes commands only with a code.');
}

function hexOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

function addCode(part: Part, isNeeded: boolean): void {
  const bound = (place: Place, otherwise: number): number => numberIn(part.find(place), [1, 255]) ?? otherwise;
  const [minLength, maxLength] = [bound('doorLock.minPinCodeLength', 1), bound('doorLock.maxPinCodeLength', 255)];
  part.add({
    feature: ownFeature(CODE, part.component, {
      valueType: 'string',
      writable: true,
      readable: false,
      category: 'config',
      description: isNeeded ? 'The lock takes commands only with a code.' : null,
      schema: { type: 'string', minLength, maxLength: Math.max(minLength, maxLength) },
    }),
    // It goes with the command that it is for.
    write: () => [],
  });
}

function addDoor(part: Part): void {
  const place = 'doorLock.doorState';
  if (!part.has(place)) return;
  part.add(
    reading(wordFeature('open', part.component), place, (value) => DOOR_OPEN.get(numberFrom(value) ?? -1) ?? null),
    place,
  );
}

const OPERATIONS = wordsFrom({ 0: 'lock', 1: 'unlock', 2: 'non_access_user', 3: 'forced_user', 4: 'unlatch' });
const SOURCES = wordsFrom({
  0: 'unspecified',
  1: 'manual',
  2: 'proprietary_remote',
  3: 'keypad',
  4: 'auto',
  5: 'button',
  6: 'schedule',
  7: 'remote',
  8: 'rfid',
  9: 'biometric',
  10: 'aliro',
});
const ERRORS = wordsFrom({
  0: 'unspecified',
  1: 'invalid_credential',
  2: 'disabled_user',
  3: 'restricted',
  4: 'insufficient_battery',
});
const ALARMS = wordsFrom({
  0: 'lock_jammed',
  1: 'lock_factory_reset',
  3: 'lock_radio_power_cycled',
  4: 'wrong_code_entry_limit',
  5: 'front_escutcheon_removed',
  6: 'door_forced_open',
  7: 'door_ajar',
  8: 'forced_user',
});

/** Who did it stays with the lock: the event has only how. */
function addEvents(part: Part): void {
  const details = { valueType: 'object', category: 'primary', readable: false } as const;
  const failed = [...OPERATIONS.values()].map((word) => `${word}_failed`);
  const occurrence = (words: Words, number: JsonValue | undefined, more: readonly (string | undefined)[]) => {
    const action = wordOf(words, number, 'operation');
    return action === undefined ? undefined : { action, raw: [action, ...more].filter(Boolean).join(' ') };
  };
  part.add({
    feature: {
      ...ownFeature('lock_operation', part.component, details),
      kind: 'event',
      options: [...OPERATIONS.values(), ...failed],
    },
    happens: new Map([
      [
        'doorLock.lockOperation',
        (data): Occurrence | undefined =>
          occurrence(OPERATIONS, data['lockOperationType'], [wordOf(SOURCES, data['operationSource'], 'source')]),
      ],
      [
        'doorLock.lockOperationError',
        (data): Occurrence | undefined => {
          const done = occurrence(OPERATIONS, data['lockOperationType'], [
            wordOf(SOURCES, data['operationSource'], 'source'),
            wordOf(ERRORS, data['operationError'], 'error'),
          ]);
          return done === undefined ? undefined : { ...done, action: `${done.action}_failed` };
        },
      ],
    ]),
  });
  part.add({
    feature: {
      ...ownFeature('lock_alarm', part.component, details),
      kind: 'event',
      options: [...ALARMS.values()],
    },
    happens: new Map([['doorLock.doorLockAlarm', (data) => occurrence(ALARMS, data['alarmCode'], [])]]),
  });
}
