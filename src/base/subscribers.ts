import type { Log } from './log.ts';

/** Listeners for something that happens; they are called in the order in which they were added. */
type Subscribers<Args extends readonly unknown[]> = {
  /** The returned function removes the listener. */
  readonly add: (listener: (...args: Args) => void) => () => void;
  /** Calls every listener that was there when it began and still is. One that throws is logged: neither the other listeners nor the caller can mend its fault. */
  readonly tell: (...args: Args) => void;
};

export function createSubscribers<Args extends readonly unknown[]>(log: Log): Subscribers<Args> {
  type Subscription = { readonly listener: (...args: Args) => void; isRemoved: boolean };
  /** Never changed but replaced, so that each walk has an end: a listener may add one in each of its calls. */
  let subscriptions: readonly Subscription[] = [];
  return {
    add: (listener) => {
      const subscription = { listener, isRemoved: false };
      subscriptions = [...subscriptions, subscription];
      return () => {
        if (subscription.isRemoved) return;
        subscription.isRemoved = true;
        subscriptions = subscriptions.filter((one) => one !== subscription);
      };
    },
    tell: (...args) => {
      for (const subscription of subscriptions) {
        if (subscription.isRemoved) continue;
        try {
          subscription.listener(...args);
        } catch (cause) {
          log.error('a listener failed', { cause });
        }
      }
    },
  };
}
