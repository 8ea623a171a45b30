import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceId } from '#core/device/device.ts';
import { type BuiltInKind, HOUSEHOLD, type Notification, type Severity } from './notification.ts';
import type { Notifications } from './notifications.ts';

/** The hub noticed a cause, and tells people this. */
type Cause = Pick<Notification, 'title' | 'text' | 'wording'> & {
  readonly deviceId?: DeviceId;
  /** How long it has to last; by default as long as usual for its kind. */
  readonly afterMs?: number;
  /** Asked once more when that time is over. */
  readonly stillCounts?: () => boolean;
};

/**
 * Turns causes that come and go into notifications. Each change of a cause costs at most one timer, and while nothing
 * changes nothing runs.
 */
export type AlarmDesk = {
  /** The subject is a device, an integration or `hub`. A cause that is noted already goes on. */
  readonly note: (kind: BuiltInKind, subject: string, cause: Cause) => void;
  /** The cause has ended. */
  readonly over: (kind: BuiltInKind, subject: string) => void;
  /** Nobody knows whether the cause lasts: what is shown stays, what waits to be shown does not come. */
  readonly doubt: (kind: BuiltInKind, subject: string) => void;
  /** The subject itself is gone: what is shown of it is over at once. */
  readonly forget: (kind: BuiltInKind, subject: string) => void;
  /** The subjects of this kind of which something is shown, or was when it was too much. */
  readonly subjectsOf: (kind: BuiltInKind) => readonly string[];
  readonly stop: () => void;
};

type Rule = {
  readonly severity: Severity;
  readonly raiseAfterMs: number;
  /** A cause that ends for less than this has not ended. */
  readonly clearAfterMs: number;
  /** A cause that returns this soon is no news. */
  readonly quietMs: number;
  readonly repeatS: number | null;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DANGER: Rule = {
  severity: 'critical',
  raiseAfterMs: 0,
  clearAfterMs: 10 * SECOND_MS,
  quietMs: 5 * MINUTE_MS,
  repeatS: 300,
};
const TROUBLE: Rule = { severity: 'warning', raiseAfterMs: 0, clearAfterMs: 0, quietMs: DAY_MS, repeatS: null };

const RULES: Readonly<Record<BuiltInKind, Rule>> = {
  water: DANGER,
  smoke: DANGER,
  carbon_monoxide: DANGER,
  gas: DANGER,
  lock_jammed: { ...DANGER, repeatS: 900 },
  // A battery at its threshold comes and goes for weeks.
  battery_low: { ...TROUBLE, clearAfterMs: HOUR_MS, quietMs: 7 * DAY_MS },
  device_offline: { ...TROUBLE, raiseAfterMs: DAY_MS, quietMs: 0 },
  integration_down: { ...TROUBLE, raiseAfterMs: 5 * MINUTE_MS, quietMs: 30 * MINUTE_MS },
  backup_failed: TROUBLE,
  disk_nearly_full: TROUBLE,
  history_paused: { ...TROUBLE, quietMs: HOUR_MS },
};

type AlarmDeskDeps = {
  readonly notifications: Pick<Notifications, 'all' | 'raise' | 'clear'>;
  readonly isOn: (kind: BuiltInKind) => boolean;
  readonly startTimer: StartTimer;
};

type Waiting = { readonly what: 'raise' | 'clear'; readonly cancel: () => void };

export function createAlarmDesk({ notifications, isOn, startTimer }: AlarmDeskDeps): AlarmDesk {
  const raised = new Set(
    notifications
      .all()
      .filter(isLasting)
      .map(({ key }) => key ?? ''),
  );
  const waiting = new Map<string, Waiting>();
  const keyOf = (kind: BuiltInKind, subject: string): string => `hub:${kind}:${subject}`;
  const endWait = (key: string): void => {
    waiting.get(key)?.cancel();
    waiting.delete(key);
  };
  const wait = (key: string, what: Waiting['what'], [afterMs, act]: readonly [number, () => void]): void => {
    endWait(key);
    if (afterMs <= 0) return act();
    const run = (): void => {
      waiting.delete(key);
      act();
    };
    waiting.set(key, { what, cancel: startTimer(afterMs, run) });
  };
  const clear = (key: string): void => {
    if (raised.delete(key)) notifications.clear(key);
  };
  return {
    note: (kind, subject, { afterMs, stillCounts, deviceId = null, ...said }) => {
      const key = keyOf(kind, subject);
      if (!isOn(kind) || waiting.get(key)?.what === 'raise') return;
      endWait(key);
      if (raised.has(key)) return;
      const { severity, quietMs, repeatS, raiseAfterMs } = RULES[kind];
      const raise = (): void => {
        if (stillCounts?.() === false) return;
        raised.add(key);
        notifications.raise({
          builtIn: kind,
          key,
          severity,
          ...said,
          to: HOUSEHOLD,
          deviceId,
          repeatS,
          quietMs,
        });
      };
      wait(key, 'raise', [afterMs ?? raiseAfterMs, raise]);
    },
    over: (kind, subject) => {
      const key = keyOf(kind, subject);
      const what = waiting.get(key)?.what;
      if (what === 'raise') endWait(key);
      if (what !== undefined || !raised.has(key)) return;
      wait(key, 'clear', [RULES[kind].clearAfterMs, () => clear(key)]);
    },
    doubt: (kind, subject) => {
      // Whether it waits to be shown or to be over: neither may come of what is not known.
      endWait(keyOf(kind, subject));
    },
    forget: (kind, subject) => {
      const key = keyOf(kind, subject);
      endWait(key);
      clear(key);
    },
    subjectsOf: (kind) => {
      const start = keyOf(kind, '');
      return [...raised, ...waiting.keys()].flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
    },
    stop: () => {
      for (const key of waiting.keys()) endWait(key);
    },
  };
}

function isLasting({ builtIn, resolvedAtMs }: Notification): boolean {
  return builtIn !== null && resolvedAtMs === null;
}
