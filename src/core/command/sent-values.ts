import type { Clock } from '#base/time/clock.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { FindCause } from '#core/device/reports/device-reports.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Cause } from '#core/cause/cause.ts';
import { isConfirmedBy } from './confirmation.ts';

/**
 * The sent values of each feature are kept for as long as its reports may still come: so a change that answers a
 * command differs from one that nobody commanded. That is evidence, not proof: a hand that does the same as the command
 * within its time looks like the command.
 */
export type SentValues = {
  /** To call right before the request is sent, so that no report can come first. */
  readonly note: (deviceId: DeviceId, sent: Omit<SentValue, 'sentAtWallMs' | 'isAnswered'>) => void;
  /** Reports until then may belong to the command. Monotonic milliseconds. */
  readonly prolong: (deviceId: DeviceId, command: string, untilMs: number) => void;
  readonly findCause: FindCause;
};

type SentValue = {
  readonly cause: Cause;
  readonly feature: Feature;
  readonly requested: JsonValue;
  /** The value that the device had reported last; `null` if none. */
  before: JsonValue;
  /** Monotonic milliseconds. */
  untilMs: number;
  readonly sentAtWallMs: number;
  /** The device has shown what was requested: from then on, another value is not an answer. */
  isAnswered: boolean;
};

/** The limit for one feature: a slider that is pulled sends more than a slow device answers. */
const MAX_OPEN = 4;

export function createSentValues({ monotonicMs, wallMs }: Pick<Clock, 'monotonicMs' | 'wallMs'>): SentValues {
  // Each feature has the value that was sent last, and the earlier ones that wait for their answer too, newest first.
  const byFeature = new Map<string, readonly SentValue[]>();
  const nameOf = (deviceId: DeviceId, key: string): string => `${deviceId} ${key}`;
  const isOpen = ({ untilMs }: SentValue): boolean => untilMs > monotonicMs();
  const forgetOld = (): void => {
    for (const [name, sent] of byFeature) {
      if (sent.some(isOpen)) return;
      byFeature.delete(name);
    }
  };
  const findOpen = (deviceId: DeviceId, key: string, observedAtMs = Infinity): readonly SentValue[] => {
    const sent = byFeature.get(nameOf(deviceId, key)) ?? [];
    return sent.filter((one) => isOpen(one) && observedAtMs >= one.sentAtWallMs);
  };

  return {
    note: (deviceId, sent) => {
      forgetOld();
      const name = nameOf(deviceId, sent.feature.key);
      const earlier = (byFeature.get(name) ?? []).filter((one) => isOpen(one) && !one.isAnswered);
      byFeature.delete(name);
      // As long as an earlier command may still change the value, it is not yet the requested one for good.
      const isAnswered = earlier.length === 0 && isConfirmedBy(sent.feature, sent.requested, sent.before);
      const noted = { ...sent, sentAtWallMs: wallMs(), isAnswered };
      byFeature.set(name, [noted, ...earlier].slice(0, MAX_OPEN));
    },
    prolong: (deviceId, command, untilMs) => {
      const prefix = `${deviceId} `;
      for (const [name, sent] of byFeature) {
        if (!name.startsWith(prefix)) continue;
        for (const one of sent) if (one.cause.command === command && isOpen(one)) one.untilMs = untilMs;
      }
    },
    findCause: (device, { key, isNews, values, observedAtMs }) => {
      const own = findOpen(device.id, key, observedAtMs);
      const [latest] = own;
      if (latest !== undefined) {
        const answered = findAnswered(own, values.get(key) ?? null);
        return isNews ? (answered?.cause ?? null) : latest.cause;
      }
      const component = device.featuresByKey.get(key)?.component;
      // A lamp that is dimmed up turns itself on: what a person can set changes together with what was set.
      if (device.featuresByKey.get(key)?.writable !== true) return null;
      for (const [other, value] of values) {
        const sent = findOpen(device.id, other, observedAtMs);
        const answered = sent[0]?.feature.component === component ? findAnswered(sent, value) : undefined;
        if (answered !== undefined) return answered.cause;
      }
      return null;
    },
  };
}

/** The newest of these commands that a value answers. Ends those that no value can answer after this one. */
function findAnswered(open: readonly SentValue[], value: JsonValue): SentValue | undefined {
  const found = open.findIndex((one) => answers(one, value));
  if (found < 0) {
    // From here on, the requested value could come back by another hand.
    for (const one of open) if (one.isAnswered) one.untilMs = 0;
    return undefined;
  }
  for (const newer of open.slice(0, found)) {
    newer.before = value;
    newer.isAnswered = false;
  }
  const oldest = open.findLastIndex(({ feature, requested }) => isConfirmedBy(feature, requested, value));
  if (oldest >= 0) for (const before of open.slice(oldest + 1)) before.untilMs = 0;
  return open[found];
}

/** Whether a value is the requested one, or on its way there. */
function answers(sent: SentValue, value: JsonValue): boolean {
  const { feature, requested, before } = sent;
  if (isConfirmedBy(feature, requested, value)) {
    sent.isAnswered = true;
    return true;
  }
  return isOnTheWay(value, before, requested) || (feature.valueType === 'color' && !sent.isAnswered);
}

/** Lamps and blinds report values between the old and the new one while they move. */
function isOnTheWay(value: JsonValue, before: JsonValue, requested: JsonValue): boolean {
  if (typeof value !== 'number' || typeof before !== 'number' || typeof requested !== 'number') return false;
  if (isSameJson(value, before)) return false;
  return value >= Math.min(before, requested) && value <= Math.max(before, requested);
}
