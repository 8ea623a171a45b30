import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { isOpen, type Notification, type NotificationId } from './notification.ts';
import { createNotificationBook, type NotificationBook } from './notification-book.ts';
import { createReminders } from './reminders.ts';

/**
 * Why a channel has to act: a notification is new or has new content, is shown again until somebody acknowledges it, has
 * its cause again soon after that ended, or needs nobody any more.
 */
export type NotificationNews = 'shown' | 'again' | 'reopened' | 'closed';

export type NotificationStore = {
  readonly loadNotifications: () => Promise<readonly Notification[]>;
  /** Writes and deletes in one transaction. */
  readonly saveNotifications: (saved: readonly Notification[], removed: readonly NotificationId[]) => Promise<void>;
};

export type NotificationKeeperDeps = {
  readonly store: NotificationStore;
  readonly emit: (event: HomeEvent) => void;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

/** The notifications in memory, on disk, and on their way to clients and channels. One change at a time. */
export type NotificationKeeper = Pick<NotificationBook, 'all' | 'find' | 'findByKey'> & {
  /** On disk before anyone learns of it. */
  readonly keep: (next: Notification, news?: NotificationNews) => Promise<void>;
  /** For what the hub has to say on a full disk too: shown at once, and written as soon as the disk takes it. */
  readonly show: (next: Notification, news?: NotificationNews) => Promise<void>;
  /** Only in memory, and told to nobody. */
  readonly put: (next: Notification) => void;
  /** Writes what could not be written, and removes what is too old. */
  readonly settle: () => Promise<void>;
  readonly follow: (listener: (notification: Notification, news: NotificationNews) => void) => () => void;
  readonly stop: () => void;
};

export async function openNotificationKeeper(deps: NotificationKeeperDeps): Promise<NotificationKeeper> {
  const { store, nowMs, log } = deps;
  const book = createNotificationBook(await store.loadNotifications());
  const followers = createSubscribers<[Notification, NotificationNews]>(log);
  /** What memory has and the disk has not. */
  const unsaved = new Set<NotificationId>();
  const reminders = createReminders({
    ...deps,
    onDue: (id) => {
      const found = book.find(id);
      if (found === undefined || !isOpen(found)) return;
      deps.emit({ type: 'notification.changed', notification: found });
      followers.tell(found, 'again');
    },
  });
  const drop = (id: NotificationId): void => {
    const found = book.find(id);
    book.remove(id);
    unsaved.delete(id);
    reminders.forget(id);
    if (found !== undefined && isOpen(found)) followers.tell(found, 'closed');
  };
  const save = async (changed: readonly Notification[]): Promise<void> => {
    const added = changed.filter(({ id }) => book.find(id) === undefined).length;
    const gone = new Set(book.excess(nowMs(), added).map(({ id }) => id));
    const late = [...unsaved].flatMap((id) => (changed.some((one) => one.id === id) ? [] : (book.find(id) ?? [])));
    const saved = [...late, ...changed].filter(({ id }) => !gone.has(id));
    if (saved.length === 0 && gone.size === 0) return;
    await store.saveNotifications(saved, [...gone]);
    for (const { id } of saved) unsaved.delete(id);
    for (const id of gone) drop(id);
  };
  const take = (next: Notification, news: NotificationNews | undefined): void => {
    const isNew = book.find(next.id) === undefined;
    book.put(next);
    if (isOpen(next)) reminders.watch(next);
    else reminders.forget(next.id);
    deps.emit({ type: isNew ? 'notification.added' : 'notification.changed', notification: next });
    if (news !== undefined) followers.tell(next, news);
  };
  for (const one of book.all()) if (isOpen(one)) reminders.watch(one);

  return {
    all: book.all,
    find: book.find,
    findByKey: book.findByKey,
    put: book.put,
    follow: followers.add,
    stop: reminders.stop,
    settle: () => save([]),
    keep: async (next, news) => {
      await save([next]);
      take(next, news);
    },
    show: async (next, news) => {
      take(next, news);
      unsaved.add(next.id);
      try {
        await save([next]);
      } catch (cause) {
        log.warn('a notification could not be stored; the hub tries again', { cause });
      }
    },
  };
}
