import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { isOpen, KEPT_DAYS, MAX_KEPT, type Notification, type NotificationId } from './notification.ts';

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
  /** Memory has these notifications in a state that the disk has not. */
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

/** The kept notifications, in memory. */
type NotificationBook = ReturnType<typeof createNotificationBook>;

const DAY_MS = 86_400_000;

function createNotificationBook(loaded: readonly Notification[]) {
  const byId = new Map<string, Notification>();
  const idByKey = new Map<string, NotificationId>();
  const put = (one: Notification): void => {
    // The order of the map is that of `updatedAtMs`, also where a clock was set back between two of them.
    if (byId.get(one.id)?.updatedAtMs !== one.updatedAtMs) byId.delete(one.id);
    byId.set(one.id, one);
    if (one.key !== null) idByKey.set(one.key, one.id);
  };
  for (const one of loaded.toSorted((left, right) => left.updatedAtMs - right.updatedAtMs)) put(one);
  return {
    /** All notifications. The ones that were shown last come first. */
    all: (): readonly Notification[] => [...byId.values()].toReversed(),
    find: (id: string): Notification | undefined => byId.get(id),
    /** The last one with this key, whatever became of it. */
    findByKey: (key: string): Notification | undefined => byId.get(idByKey.get(key) ?? ''),
    put,
    remove: (id: NotificationId): void => {
      const key = byId.get(id)?.key ?? null;
      byId.delete(id);
      if (key !== null && idByKey.get(key) === id) idByKey.delete(key);
    },
    /** The ones that must go, once there are this many more: the oldest, and first the ones that need nobody any more. */
    excess: (nowMs: number, added: number = 0): readonly Notification[] => {
      const all = [...byId.values()];
      const old = all.filter(({ updatedAtMs }) => nowMs - updatedAtMs > KEPT_DAYS * DAY_MS);
      const tooMany = all.length - old.length + added - MAX_KEPT;
      if (tooMany <= 0) return old;
      const rest = all.filter((one) => !old.includes(one));
      // A stable sort: within a rank the oldest come first.
      return [...old, ...rest.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, tooMany)];
    },
  };
}

/** The lower, the sooner it may go. An alarm whose cause lasts must stay, or the hub would raise it anew. */
function rankOf(one: Notification): number {
  if (one.resolvedAtMs !== null) return 0;
  if (!isOpen(one)) return one.builtIn === null ? 0 : 1;
  return one.severity === 'critical' ? 3 : 2;
}

type RemindersDeps = {
  /** Hub time. */
  readonly nowMs: () => number;
  readonly startTimer: StartTimer;
  readonly onDue: (id: NotificationId) => void;
};

/** Calls for the notifications that come again until somebody acknowledges them. */
function createReminders({ nowMs, startTimer, onDue }: RemindersDeps) {
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
    /** Begins anew with changed content. One that does not repeat is ignored. */
    watch: ({ id, severity, repeatS, updatedAtMs: sinceMs }: Notification): void => {
      if (waiting.get(id)?.sinceMs === sinceMs && repeatS !== null) return;
      forget(id);
      if (severity !== 'critical' || repeatS === null) return;
      const everyMs = repeatS * 1000;
      // After a restart it comes when it would have come without one, so that nothing about it has to be written.
      const pastMs = Math.max(0, nowMs() - sinceMs);
      wait(id, { sinceMs, afterMs: everyMs - (pastMs % everyMs), everyMs });
    },
    forget,
    stop: (): void => {
      for (const id of waiting.keys()) forget(id);
    },
  };
}

type Wait = { readonly sinceMs: number; readonly afterMs: number; readonly everyMs: number };
