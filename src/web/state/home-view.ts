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
  /**
   * Shown at once, and made again of what the hub has: the view may have been changed elsewhere. Resolves with the hub's
   * words if it refuses, and the view is as before then.
   */
  readonly save: (change: (now: HomeView) => Partial<HomeView>) => Promise<string | undefined>;
  readonly clear: () => void;
};

export function createOwnView(client: Pick<HubClient, 'call'>): OwnView {
  const view = signal<HomeView | null>(null);
  let turn = 0;
  /** One after the other: each begins from what the one before has left. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    view,
    look: async () => {
      const own = (turn += 1);
      let read: HomeView | undefined;
      await last;
      await wordsIfRefused(async () => (read = await client.call<HomeView>('GET', '/me/home')));
      // Without an answer, the home is shown as for everybody.
      if (own === turn) view.value = read ?? view.peek() ?? PLAIN_VIEW;
    },
    save: async (change) => {
      turn += 1;
      const before = view.peek();
      const changed = (now: HomeView): HomeView => ({ ...now, ...change(now) });
      const shown = changed(before ?? PLAIN_VIEW);
      view.value = shown;
      const saved = last.then(() =>
        wordsIfRefused(async () => {
          const wanted = changed(await client.call<HomeView>('GET', '/me/home'));
          await client.call('PUT', '/me/home', wanted);
          if (view.peek() === shown) view.value = wanted;
        }),
      );
      last = saved.catch(() => undefined);
      const words = await saved;
      if (words !== undefined && view.peek() === shown) view.value = before;
      return words;
    },
    clear: () => {
      turn += 1;
      view.value = null;
    },
  };
}

/** Items that are named come first, in that order; the others follow as they are. */
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

/** With it at the end if it is not in yet, or without it. */
export function toggled(ids: readonly string[], id: string, isIn: boolean): readonly string[] {
  if (isIn) return ids.includes(id) ? ids : [...ids, id];
  return ids.filter((one) => one !== id);
}
