import { isNumber, isText, isWhole, listOf, oneOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { User } from '#core/person/user.ts';
import { areCallers, type Cause, type CauseCaller } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { KeyedRecord } from '#core/records/keyed-records.ts';

export const PRESENCE_STATES = ['home', 'away', 'unknown'] as const;
export type PresenceState = (typeof PRESENCE_STATES)[number];
/** `told`: the person or a script of theirs said so. */
export type PresenceEvidence = 'told' | 'device';

/** Whether a person is at home, as far as the evidence goes. Its key is the person's id. */
export type Presence = KeyedRecord & {
  readonly state: PresenceState;
  /** What the state rests on; `null` for an unknown one. */
  readonly evidence: PresenceEvidence | null;
  /** Milliseconds on the hub's clock. */
  readonly sinceMs: number;
  /** The last word that is kept: one of the person, or the one behind the state. */
  readonly word: PresenceWord | null;
  /** For how long nothing may contradict before somebody counts as away. */
  readonly awayAfterS: number;
  readonly sources: readonly PresenceSource[];
};

export type PresenceWord = {
  readonly state: 'home' | 'away';
  readonly by: PresenceEvidence;
  /** The moment, in an epoch of the hub's clock. */
  readonly epoch: string;
  readonly atMs: number;
  /** Who led to it, of those whom a cause names. */
  readonly callers?: readonly CauseCaller[];
};

/** A feature of a device that belongs to one person, such as the sensor at their bed or the tag on their keys. */
export type PresenceSource = { readonly deviceId: DeviceId; readonly key: string };

export const MAX_SOURCES = 10;
export const MAX_AWAY_AFTER_S = 24 * 3600;

/** Nothing is known of this person yet. */
export function unknownPresence(userId: string): Presence {
  return {
    key: userId,
    state: 'unknown',
    evidence: null,
    sinceMs: 0,
    word: null,
    awayAfterS: 900,
    sources: [],
    revision: 1,
  };
}

/** The record with this state; the same one if it has it already. */
export function withState(
  old: Presence,
  state: PresenceState,
  { evidence, nowMs }: { readonly evidence: PresenceEvidence | null; readonly nowMs: number },
): Presence {
  if (old.state === state) return old;
  return { ...old, state, evidence, sinceMs: nowMs, revision: old.revision + 1 };
}

/** Whether anyone of these people is at home: `away` only if all of them are. */
export function anyoneHome(states: readonly PresenceState[]): PresenceState {
  if (states.includes('home')) return 'home';
  return states.length > 0 && states.every((state) => state === 'away') ? 'away' : 'unknown';
}

export const isPresenceRecord = recordOf<Presence>({
  state: oneOf(PRESENCE_STATES),
  evidence: oneOf([null, 'told', 'device']),
  sinceMs: isNumber,
  awayAfterS: isNumber,
  revision: isWhole,
  word: orNull(recordOf<PresenceWord>({ atMs: isNumber, callers: areCallers })),
  sources: listOf(recordOf<PresenceSource>({ deviceId: isText, key: isText })),
});

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** The state of a person, or what it rests on. `cause`: what led to it. */
    'presence.changed': { readonly user: User; readonly presence: Presence; readonly cause?: Cause };
  }
}
