import type { Clock } from '#base/time/clock.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { FindCause } from '#core/device/device-reports.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Cause } from './cause.ts';
import { isConfirmedBy } from './confirmation.ts';

/**
 * What was sent to each feature last, for as long as its reports may still come: so a change that answers a command
 * differs from one that nobody commanded. That is evidence, not proof: a hand that does the same as the command within
 * its time looks like the command.
 */
export type Errands = {
  /** To call right before the request is sent, so that no report can come first. */
  readonly note: (deviceId: DeviceId, errand: NewErrand) => void;
  /** Reports until then may belong to the command. Monotonic milliseconds. */
  readonly prolong: (deviceId: DeviceId, command: string, untilMs: number) => void;
  readonly findCause: FindCause;
};

export type NewErrand = {
  readonly cause: Cause;
  readonly feature: Feature;
  readonly requested: JsonValue;
  /** The value that the device had reported last; `null` if none. */
  readonly before: JsonValue;
  /** Monotonic milliseconds. */
  readonly untilMs: number;
};

type Errand = Omit<NewErrand, 'untilMs'> & {
  readonly sentAtWallMs: number;
  untilMs: number;
  /** The device has shown what was requested: from then on, another value is not an answer. */
  isAnswered: boolean;
};

export function createErrands({ monotonicMs, wallMs }: Pick<Clock, 'monotonicMs' | 'wallMs'>): Errands {
  // The latest of each feature, oldest first.
  const errands = new Map<string, Errand>();
  const nameOf = (deviceId: DeviceId, key: string): string => `${deviceId} ${key}`;
  const forgetOld = (): void => {
    for (const [name, { untilMs }] of errands) {
      if (untilMs > monotonicMs()) return;
      errands.delete(name);
    }
  };
  const findErrand = (deviceId: DeviceId, key: string, observedAtMs = Infinity): Errand | undefined => {
    const errand = errands.get(nameOf(deviceId, key));
    if (errand === undefined || errand.untilMs <= monotonicMs() || observedAtMs < errand.sentAtWallMs) return undefined;
    return errand;
  };

  return {
    note: (deviceId, errand) => {
      forgetOld();
      const name = nameOf(deviceId, errand.feature.key);
      errands.delete(name);
      const isAnswered = isConfirmedBy(errand.feature, errand.requested, errand.before);
      errands.set(name, { ...errand, sentAtWallMs: wallMs(), isAnswered });
    },
    prolong: (deviceId, command, untilMs) => {
      const prefix = `${deviceId} `;
      for (const [name, errand] of errands) {
        if (errand.cause.command !== command || !name.startsWith(prefix)) continue;
        if (errand.untilMs > monotonicMs()) errand.untilMs = untilMs;
      }
    },
    findCause: (device, { key, isNews, values, observedAtMs }) => {
      const own = findErrand(device.id, key, observedAtMs);
      if (own !== undefined) return isNews && !answers(own, values.get(key) ?? null) ? null : own.cause;
      const component = device.featuresByKey.get(key)?.component;
      // A lamp that is dimmed up turns itself on: what a person can set changes together with what was set.
      if (device.featuresByKey.get(key)?.writable !== true) return null;
      for (const [other, value] of values) {
        const errand = findErrand(device.id, other, observedAtMs);
        if (errand?.feature.component === component && errand !== undefined && answers(errand, value)) {
          return errand.cause;
        }
      }
      return null;
    },
  };
}

/** Whether a value is the requested one, or on its way there. */
function answers(errand: Errand, value: JsonValue): boolean {
  const { feature, requested, before } = errand;
  if (isConfirmedBy(feature, requested, value)) {
    errand.isAnswered = true;
    return true;
  }
  if (isOnTheWay(value, before, requested)) return true;
  if (feature.valueType === 'color' && !errand.isAnswered) return true;
  // From here on, the requested value could come back by another hand.
  if (errand.isAnswered) errand.untilMs = 0;
  return false;
}

/** Lamps and blinds report values between the old and the new one while they move. */
function isOnTheWay(value: JsonValue, before: JsonValue, requested: JsonValue): boolean {
  if (typeof value !== 'number' || typeof before !== 'number' || typeof requested !== 'number') return false;
  if (isSameJson(value, before)) return false;
  return value >= Math.min(before, requested) && value <= Math.max(before, requested);
}
