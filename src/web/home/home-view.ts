import { type ReadonlySignal, signal } from '@preact/signals';
import type { HomeView } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

export const PLAIN_VIEW: HomeView = { favorites: [], room_order: [], device_order: [], hidden: [] };

/** How the person at the page wants to see the home. */
export type OwnView = {
  /** `null` until the hub has answered: nothing is drawn in an order that changes at once. */
  readonly view: ReadonlySignal<HomeView | null>;
  readonly look: () => Promise<void>;
  /** Shown at once. Resolves with the hub's words if it refuses, and the view is as before then. */
  readonly save: (change: Partial<HomeView>) => Promise<string | undefined>;
  readonly clear: () => void;
};

export function createOwnView(client: Pick<HubClient, 'call'>): OwnView {
  const view = signal<HomeView | null>(null);
  let turn = 0;
  return {
    view,
    look: async () => {
      const own = (turn += 1);
      let read: HomeView | undefined;
      await wordsIfRefused(async () => (read = await client.call<HomeView>('GET', '/me/home')));
      // Without an answer, the home is shown as for everybody.
      if (own === turn) view.value = read ?? view.peek() ?? PLAIN_VIEW;
    },
    save: async (change) => {
      turn += 1;
      const before = view.peek();
      const wanted = { ...(before ?? PLAIN_VIEW), ...change };
      view.value = wanted;
      const words = await wordsIfRefused(() => client.call('PUT', '/me/home', wanted));
      if (words !== undefined && view.peek() === wanted) view.value = before;
      return words;
    },
    clear: () => {
      turn += 1;
      view.value = null;
    },
  };
}

/** Those that are named come first, in that order; the others follow as they are. */
export function inOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  order: readonly string[],
): readonly Item[] {
  if (order.length === 0) return items;
  const ranks = new Map(order.map((id, index) => [id, index]));
  const rank = ({ id }: Item): number => ranks.get(id) ?? ranks.size;
  return [...items].sort((one, other) => rank(one) - rank(other));
}

/** The same ids with one of them a place further up or down. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): readonly string[] {
  const at = ids.indexOf(id);
  const to = at + by;
  if (at === -1 || to < 0 || to >= ids.length) return ids;
  const next = ids.filter((one) => one !== id);
  next.splice(to, 0, id);
  return next;
}

/** Taken out if it is in, and put at the end if it is not. */
export function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
}
