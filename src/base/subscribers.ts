import type { Log } from './log.ts';

/** Listeners for something that happens; they are called in the order in which they were added. */
export type Subscribers<Args extends readonly unknown[]> = {
  /** The returned function removes the listener. */
  readonly add: (listener: (...args: Args) => void) => () => void;
  /** Calls every listener. One that throws is logged: neither the other listeners nor the caller can mend its fault. */
  readonly tell: (...args: Args) => void;
};

export function createSubscribers<Args extends readonly unknown[]>(log: Log): Subscribers<Args> {
  const subscriptions = new Set<{ readonly listener: (...args: Args) => void }>();
  return {
    add: (listener) => {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    tell: (...args) => {
      for (const { listener } of subscriptions) {
        try {
          listener(...args);
        } catch (cause) {
          log.error('a listener failed', { cause });
        }
      }
    },
  };
}
