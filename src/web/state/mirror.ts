import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { HubEvent } from '#web/client/event-feed.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import type { HubClient } from '#web/client/hub-client.ts';

/** Something of the hub that several parts of the page show: read with each connection, then kept by events. */
export type Mirror<Value> = {
  /** `undefined` until the hub has answered. */
  readonly value: ReadonlySignal<Value | undefined>;
  readonly fault: ReadonlySignal<string | undefined>;
  readonly again: () => Promise<void>;
};

export type MirrorSource<Value> = {
  readonly path: string;
  /** What the types of its events begin with. */
  readonly about: string;
  /** The value after an event; `undefined` if it has to be read again. The same value if the event is about others. */
  readonly after: (value: Value, event: HubEvent) => Value | undefined;
};

type Deps = {
  readonly client: Pick<HubClient, 'call'>;
  readonly events: { readonly listen: (listener: (event: HubEvent) => void) => () => void };
  readonly live: { readonly isConnected: ReadonlySignal<boolean | null> };
  readonly home: { readonly isLoaded: ReadonlySignal<boolean> };
};

/** Begins to read and follow; it never ends, because the page has one hub. */
export function mirror<Value>(
  { client, events, live, home }: Deps,
  { path, about, after }: MirrorSource<Value>,
): Mirror<Value> {
  const value = signal<Value | undefined>(undefined);
  const fault = signal<string | undefined>(undefined);
  let turn = 0;
  /** Events that come while an answer is on its way may be newer than the answer. */
  let late: HubEvent[] | null = null;
  const apply = (before: Value, event: HubEvent): Value => {
    const next = after(before, event);
    if (next === undefined) void again();
    return next ?? before;
  };
  const again = async (): Promise<void> => {
    const own = (turn += 1);
    late = [];
    let read: Value | undefined;
    const words = await wordsIfRefused(async () => (read = await client.call<Value>('GET', path)));
    if (own !== turn) return;
    fault.value = words;
    const missed = late;
    late = null;
    if (read !== undefined) value.value = (missed ?? []).reduce(apply, read);
  };
  events.listen((event) => {
    if (event.type === 'hub.gap') void again();
    if (!event.type.startsWith(about)) return;
    late?.push(event);
    const known = value.peek();
    if (known !== undefined) value.value = apply(known, event);
  });
  effect(() => {
    const isThere = home.isLoaded.value;
    const isConnected = live.isConnected.value === true;
    untracked(() => {
      if (isThere && isConnected) void again();
      if (isThere) return;
      // Another person's home, or none.
      turn += 1;
      value.value = undefined;
    });
  });
  return { value, fault, again };
}

const kept = new WeakMap<Deps['client'], Map<string, unknown>>();

/** The same for everyone who shows it. */
export function mirrorOf<Value>(hub: Deps, from: MirrorSource<Value>): Mirror<Value> {
  const own = kept.get(hub.client) ?? new Map<string, unknown>();
  kept.set(hub.client, own);
  const known = own.get(from.path) ?? mirror(hub, from);
  own.set(from.path, known);
  return known as Mirror<Value>;
}
