import { isOpen, KEPT_DAYS, MAX_KEPT, type Notification, type NotificationId } from './notification.ts';

/** The kept notifications, in memory. */
export type NotificationBook = {
  /** All notifications. The ones that were shown last come first. */
  readonly all: () => readonly Notification[];
  readonly find: (id: string) => Notification | undefined;
  /** The last one with this key, whatever became of it. */
  readonly findByKey: (key: string) => Notification | undefined;
  readonly put: (notification: Notification) => void;
  readonly remove: (id: NotificationId) => void;
  /** The ones that must go, once there are this many more: the oldest, and first the ones that need nobody any more. */
  readonly excess: (nowMs: number, added?: number) => readonly Notification[];
};

const DAY_MS = 86_400_000;

export function createNotificationBook(loaded: readonly Notification[]): NotificationBook {
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
    all: () => [...byId.values()].toReversed(),
    find: (id) => byId.get(id),
    findByKey: (key) => byId.get(idByKey.get(key) ?? ''),
    put,
    remove: (id) => {
      const key = byId.get(id)?.key ?? null;
      byId.delete(id);
      if (key !== null && idByKey.get(key) === id) idByKey.delete(key);
    },
    excess: (nowMs, added = 0) => {
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
