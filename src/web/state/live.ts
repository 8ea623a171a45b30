import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { HubEvent, Snapshot } from '#web/client/event-feed.ts';
import type { HubClient } from '#web/client/hub-client.ts';

export type LiveDeps = {
  readonly client: Pick<HubClient, 'follow'>;
  /** The login whose home is followed; `null` for none. */
  readonly login: ReadonlySignal<string | null>;
  readonly onEvent: (event: HubEvent) => void;
  readonly onSnapshot: (snapshot: Snapshot) => void;
  readonly onTime: (at: string) => void;
  /** Another person's home, or none: forget what was shown. */
  readonly onEnd: () => void;
};

export type Live = {
  /** `null` before the first connection. */
  readonly isConnected: ReadonlySignal<boolean | null>;
  /** Where in the events the home stands as it is shown; `undefined` before the first. */
  readonly cursor: () => string | undefined;
};

/** A browser has six connections to one host, and each tab that follows takes one: a tab that nobody sees lets go. */
const HIDDEN_MS = 20_000;

/** Follows the hub's events while somebody is signed in and looks. What was missed meanwhile is told on return. */
export function startLive({ client, login, onEvent, onSnapshot, onTime, onEnd }: LiveDeps): Live {
  const isConnected = signal<boolean | null>(null);
  let cursor: string | undefined;
  let stop: (() => void) | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const leave = (): void => {
    stop?.();
    stop = undefined;
  };
  const follow = (): void => {
    leave();
    if (login.peek() === null) return;
    stop = client.follow(
      {
        onEvent: (event) => {
          cursor = event.id ?? cursor;
          onEvent(event);
        },
        onSnapshot: (snapshot) => {
          cursor = snapshot.cursor;
          onSnapshot(snapshot);
        },
        onTime,
        onConnection: (now) => (isConnected.value = now),
        // Signed out: the tokens are gone by now, and the login that follows begins anew.
        onRefused: () => (isConnected.value = false),
      },
      cursor === undefined ? {} : { cursor },
    );
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(leave, HIDDEN_MS);
    else if (stop === undefined || isConnected.peek() !== true) follow();
  });
  // A computer that slept or changed its network has dead connections that it does not know of yet.
  window.addEventListener('online', follow);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow();
  });
  effect(() => {
    const now = login.value;
    untracked(() => {
      leave();
      cursor = undefined;
      isConnected.value = null;
      onEnd();
      if (now !== null) follow();
    });
  });
  return { isConnected, cursor: () => cursor };
}
