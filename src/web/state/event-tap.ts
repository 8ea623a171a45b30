import type { HubEvent } from '#web/client/event-feed.ts';

export type EventTap = {
  /** Returns how to stop. */
  readonly listen: (listener: (event: HubEvent) => void) => () => void;
  readonly pass: (event: HubEvent) => void;
};

/** Hands each event to whoever listens at the moment. */
export function createEventTap(): EventTap {
  const listeners = new Set<(event: HubEvent) => void>();
  return {
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pass: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}
