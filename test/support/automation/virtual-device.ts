import type { JsonValue } from '#base/json.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { CivilRule, Due, RunView, Wish } from '#core/automation-run/engine.ts';
import type { Device, DeviceId, DeviceType } from '#core/device/device.ts';
import { type FeatureState, UNREPORTED } from '#core/feature/feature.ts';
import { isVocabularyWord } from '#core/feature/vocabulary.ts';
import type { RoomId } from '#core/room/room.ts';
import { createFeature } from '#test/support/hub/feature.ts';

const DAY_MS = 86_400_000;

export type DeviceSetting = {
  readonly room?: string;
  readonly type?: DeviceType;
  readonly isSensitive?: boolean;
  /** By key: the confirmed value, or `null` for one that was never reported. */
  readonly values: Readonly<Record<string, JsonValue>>;
};

export function deviceOf(id: string, { room, type = 'other', values }: DeviceSetting, nowMs: number): Device {
  const states = Object.entries(values).map(([key, value]): [string, FeatureState] => [
    key,
    value === null ? UNREPORTED : { value, quality: 'confirmed', observedAtMs: nowMs, changedAtMs: nowMs - DAY_MS },
  ]);
  return {
    id: id as DeviceId,
    selector: id,
    integration: 'virtual',
    externalId: id,
    name: id,
    type,
    manufacturer: null,
    model: null,
    firmware: null,
    staleAfterMs: null,
    ownName: null,
    roomId: (room ?? null) as RoomId | null,
    features: Object.keys(values).map((key) => {
      const word = key.slice(key.lastIndexOf('.') + 1);
      return createFeature(key, {
        ...(isVocabularyWord(word) ? { capability: word } : {}),
        ...(word === 'button' ? { kind: 'event' } : {}),
      });
    }),
    states: new Map(states),
    availability: { state: 'online', sinceMs: nowMs, lastSeenAtMs: nowMs, reason: null },
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** What a device reports once it did this. */
export function valuesOf(wish: Wish): readonly (readonly [string, JsonValue])[] {
  return 'set' in wish ? Object.entries(wish.set) : [];
}

/** As a start of the hub finds them. */
export function restoredStates(states: Device['states']): Device['states'] {
  return new Map(
    [...states].map(([key, state]) => [key, state.quality === 'confirmed' ? { ...state, quality: 'restored' } : state]),
  );
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export function civilOf(wallMs: number): RunView['now']['civil'] {
  const dayOf = (ms: number) => {
    const weekday = WEEKDAYS[new Date(ms).getUTCDay()] ?? 'sun';
    return { weekday, isWorkday: weekday !== 'sat' && weekday !== 'sun' };
  };
  return {
    today: dayOf(wallMs),
    yesterday: dayOf(wallMs - DAY_MS),
    secondOfDay: Math.floor((wallMs % DAY_MS) / 1_000),
  };
}

/** Clock times in UTC and `every_s`: what tests of the reducer need of civil time. The last one up to now, or the next. */
export function civilTime(rule: CivilRule, afterMs: number, nowMs: number): number | undefined {
  if (rule.type === 'sun') return undefined;
  if ('every_s' in rule && rule.every_s !== undefined) {
    const everyMs = rule.every_s * 1_000;
    const last = Math.floor(nowMs / everyMs) * everyMs;
    return last > afterMs ? last : (Math.floor(Math.max(afterMs, nowMs) / everyMs) + 1) * everyMs;
  }
  const asked = rule.at ?? [];
  const texts = typeof asked === 'string' ? [asked] : Array.isArray(asked) ? (asked as readonly string[]) : [];
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const ofDay = (dayMs: number): number[] =>
    texts.map((text) => {
      const [hours = 0, minutes = 0] = text.split(':').map(Number);
      return dayMs + (hours * 60 + minutes) * 60_000;
    });
  const days = [-1, 0, 1, 2].flatMap((day) => ofDay(midnight + day * DAY_MS)).toSorted((left, right) => left - right);
  const missed = days.findLast((time) => time <= nowMs && time > afterMs);
  if (missed !== undefined) return missed;
  const later = Math.floor(afterMs / DAY_MS) * DAY_MS;
  return [...days, ...ofDay(later), ...ofDay(later + DAY_MS)]
    .toSorted((left, right) => left - right)
    .find((time) => time > nowMs && time > afterMs);
}

type CivilDue = Extract<Due, { readonly civil: CivilRule }>;

/** When the clock on the wall shows what is due; without `civil` it knows only what `civilTime` does. */
export function createCivilDue(civil: Pick<CivilTime, 'last' | 'next'> | undefined) {
  /** Of times that are ahead: they are the next until the clock shows them or is set. */
  const ahead = new WeakMap<CivilDue, { readonly civilMs: number; readonly shiftMs: number }>();
  return (due: CivilDue, wallMs: number, shiftMs: number): number | undefined => {
    const { civil: rule, afterWallMs } = due;
    const known = ahead.get(due);
    if (known !== undefined && known.shiftMs === shiftMs && wallMs < known.civilMs) return known.civilMs;
    if (civil === undefined) return civilTime(rule, afterWallMs, wallMs);
    const civilMs = civil.last(rule, afterWallMs, wallMs) ?? civil.next(rule, Math.max(afterWallMs, wallMs));
    const isFixed = rule.type !== 'time' || typeof rule.at !== 'object' || !('variable' in rule.at);
    if (civilMs !== undefined && isFixed) ahead.set(due, { civilMs, shiftMs });
    return civilMs;
  };
}
