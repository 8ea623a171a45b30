import type { Log } from './log.ts';

/** Who wants to hear of something, told in the order in which they came. */
export type Subscribers<Args extends readonly unknown[]> = {
  /** The result ends it. */
  readonly add: (listener: (...args: Args) => void) => () => void;
  /** One that throws is logged: neither the others nor the teller can do anything about its fault. */
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
          log.error('someone who was told of a change failed', { cause });
        }
      }
    },
  };
}
