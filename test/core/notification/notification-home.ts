import { randomUUID } from 'node:crypto';
import type { Notification } from '#core/notification/notification.ts';
import type { NotificationStore } from '#core/notification/notification-keeper.ts';
import { type Notifications, type NotificationsDeps, openNotifications } from '#core/notification/notifications.ts';
import { createManualTime, type ManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** A store that survives a restart of the notifications. */
export type TestStore = NotificationStore & {
  readonly kept: Map<string, Notification>;
  /** Number of transactions. */
  writes: number;
  /** While set, every write rejects with it. */
  failWith: Error | undefined;
};

export function createNotificationStore(): TestStore {
  const kept = new Map<string, Notification>();
  const store: TestStore = {
    kept,
    writes: 0,
    failWith: undefined,
    loadNotifications: async () => [...kept.values()],
    saveNotifications: async (saved, removed) => {
      // Later than the call, as on a disk.
      await Promise.resolve();
      if (store.failWith !== undefined) throw store.failWith;
      store.writes += 1;
      for (const id of removed) kept.delete(id);
      for (const one of saved) kept.set(one.id, one);
    },
  };
  return store;
}

export type TestNotifications = Notifications & { readonly time: ManualTime; readonly store: TestStore };

type Given = Partial<NotificationsDeps> & { readonly time?: ManualTime; readonly store?: TestStore };

/** The real notifications over a store without a disk, in time that moves only by `time.advance`. */
export async function openTestNotifications(given: Given = {}): Promise<TestNotifications> {
  const { time = createManualTime(), store = createNotificationStore() } = given;
  const notifications = await openNotifications({
    emit: () => undefined,
    nowMs: time.clock.wallMs,
    clock: time.clock,
    startTimer: time.startTimer,
    newId: randomUUID,
    planDeliveries: () => [],
    standingOf: () => undefined,
    nameOf: ({ kind }) => kind,
    log: createRecordingLog().log,
    ...given,
    store,
  });
  return { ...notifications, time, store };
}
