import type { StartTimer } from '#base/time/timer.ts';
import type { Notification, NotificationId } from './notification.ts';

/** Calls for the notifications that come again until somebody acknowledges them. */
type Reminders = {
  /** Begins anew with changed content. One that does not repeat is ignored. */
  readonly watch: (notification: Notification) => void;
  readonly forget: (id: NotificationId) => void;
  readonly stop: () => void;
};

type RemindersDeps = {
  /** Hub time. */
  readonly nowMs: () => number;
  readonly startTimer: StartTimer;
  readonly onDue: (id: NotificationId) => void;
};

export function createReminders({ nowMs, startTimer, onDue }: RemindersDeps): Reminders {
  const waiting = new Map<NotificationId, { readonly sinceMs: number; cancel: () => void }>();
  const forget = (id: NotificationId): void => {
    waiting.get(id)?.cancel();
    waiting.delete(id);
  };
  const wait = (id: NotificationId, { sinceMs, afterMs, everyMs }: Wait): void => {
    const cancel = startTimer(afterMs, () => {
      wait(id, { sinceMs, afterMs: everyMs, everyMs });
      onDue(id);
    });
    waiting.set(id, { sinceMs, cancel });
  };
  return {
    watch: ({ id, severity, repeatS, updatedAtMs: sinceMs }) => {
      if (waiting.get(id)?.sinceMs === sinceMs && repeatS !== null) return;
      forget(id);
      if (severity !== 'critical' || repeatS === null) return;
      const everyMs = repeatS * 1000;
      // After a restart it comes when it would have come without one, so that nothing about it has to be written.
      const pastMs = Math.max(0, nowMs() - sinceMs);
      wait(id, { sinceMs, afterMs: everyMs - (pastMs % everyMs), everyMs });
    },
    forget,
    stop: () => {
      for (const id of waiting.keys()) forget(id);
    },
  };
}

type Wait = { readonly sinceMs: number; readonly afterMs: number; readonly everyMs: number };
