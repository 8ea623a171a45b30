import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { HubEvent, Snapshot } from '#web/client/event-feed.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { openSharedStream, type SharedListener, type SharedStream, type TabChannel } from './shared-stream.ts';

type LiveDeps = {
  readonly client: Pick<HubClient, 'follow'>;
  /** The login whose home is followed; `null` if no one is signed in. */
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
  /** True after a request without an answer, until the hub is heard again. */
  readonly isDoubted: ReadonlySignal<boolean>;
  /** Call it when a request had no answer: the connection may be dead already. */
  readonly doubt: () => void;
  /** The last event that the shown home includes; `undefined` before the first. */
  readonly cursor: () => string | undefined;
};

/** A short look at another tab does not cost a new connection. */
const HIDDEN_MS = 5_000;
/** Longer than the hub is ever silent. */
const STALE_MS = 18_000;

/**
 * Follows the hub's events while a person is signed in and looks, over one connection for all visible tabs.
 * A hidden tab has none: a browser allows six connections to one host, and with as many tabs in the background the
 * visible one could not even send a command. A tab that becomes visible again catches up.
 */
export function startLive({ client, login, onEvent, onSnapshot, onTime, onEnd }: LiveDeps): Live {
  const isConnected = signal<boolean | null>(null);
  const isDoubted = signal(false);
  const tab = String(Math.random());
  let cursor: string | undefined;
  let stream: SharedStream | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let heardMs = 0;

  const leave = (): void => {
    clearTimeout(hiding);
    if (stream === undefined) return;
    cursor = stream.cursor();
    stream.stop();
    stream = undefined;
  };
  const takeTime = ({ data }: HubEvent): void => {
    heardMs = Date.now();
    const { at } = data as { readonly at?: string };
    if (at !== undefined) onTime(at);
  };
  const listener: SharedListener = {
    onEvent: (event) => {
      takeTime(event);
      onEvent(event);
    },
    onHeartbeat: takeTime,
    onSnapshot,
    onConnection: (now) => {
      isConnected.value = now;
      if (now === true) isDoubted.value = false;
    },
    onLost: () => (document.hidden ? leave() : lead()),
  };
  const lead = (): void => {
    const name = login.peek();
    if (name === null) return;
    stream ??= openSharedStream(
      { follow: client.follow, channel: openTabChannel(name), tab, nowMs: Date.now, startTimer },
      listener,
      cursor,
    );
    stream.lead();
  };
  const doubt = (): void => {
    if (stream === undefined || document.hidden || isDoubted.peek()) return;
    isDoubted.value = true;
    lead();
  };
  const lookAgain = (): void => {
    clearTimeout(hiding);
    // On a phone that slept, no timer has run.
    const isCut = isConnected.peek() !== true || Date.now() - heardMs > STALE_MS;
    if (stream === undefined || (stream.isLeading() && isCut)) lead();
  };
  watchPage({
    onSeen: lookAgain,
    onHidden: () => {
      clearTimeout(hiding);
      hiding = setTimeout(leave, HIDDEN_MS);
    },
    onLeft: leave,
    onOffline: () => stream?.isLeading() === true && doubt(),
    onOnline: () => stream?.isLeading() === true && lead(),
  });
  effect(() => {
    void login.value;
    untracked(() => {
      leave();
      cursor = undefined;
      isConnected.value = null;
      isDoubted.value = false;
      onEnd();
      if (!document.hidden) lead();
    });
  });
  return { isConnected, isDoubted, doubt, cursor: () => stream?.cursor() ?? cursor };
}

type PageWatch = Readonly<Record<'onSeen' | 'onHidden' | 'onLeft' | 'onOffline' | 'onOnline', () => void>>;

function watchPage({ onSeen, onHidden, onLeft, onOffline, onOnline }: PageWatch): void {
  document.addEventListener('visibilitychange', () => (document.hidden ? onHidden() : onSeen()));
  // A frozen or closed tab could not tell the others later that it has stopped leading.
  document.addEventListener('freeze', onLeft);
  window.addEventListener('pagehide', onLeft);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !document.hidden) onSeen();
  });
  // After sleep or a change of network, connections are dead without an error.
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);
}

function startTimer(afterMs: number, run: () => void): () => void {
  const timer = setTimeout(run, afterMs);
  return () => clearTimeout(timer);
}

/** A channel for the tabs of one login. Each login has its own name, so that no tab gets events of another account. */
function openTabChannel(login: string): TabChannel {
  // Safari has it since 15.4. Without it each visible tab has its own connection.
  if (typeof BroadcastChannel === 'undefined') {
    return { say: () => undefined, listen: () => undefined, close: () => undefined };
  }
  const channel = new BroadcastChannel(`hearthd.${login}`);
  return {
    say: (word) => channel.postMessage(word),
    listen: (hear) => channel.addEventListener('message', ({ data }) => hear(data)),
    close: () => channel.close(),
  };
}

export type EventTap = {
  /** Returns how to stop. */
  readonly listen: (listener: (event: HubEvent) => void) => () => void;
  readonly pass: (event: HubEvent) => void;
};

/** Passes each event on to all listeners. */
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

/** True once something has been so for longer than a while. */
export function useLasting(isSo: boolean, ms: number): boolean {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    setIsLasting(false);
    if (!isSo) return undefined;
    const timer = setTimeout(() => setIsLasting(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && isLasting;
}
