import { type ReadonlySignal, computed, signal } from '@preact/signals';
import type { Me, Notification } from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

/** What needs the attention of the person at this page. */
export type Attention = {
  /** The most urgent come first, then those shown last. */
  readonly list: ReadonlySignal<readonly Notification[]>;
  /** Reads the list: with each new connection, because what happened before it comes as no event. */
  readonly look: () => Promise<void>;
  readonly takeEvent: (event: HubEvent) => void;
  readonly clear: () => void;
};

export function createAttention(client: Pick<HubClient, 'call'>, me: ReadonlySignal<Me | null>): Attention {
  const open = signal<readonly Notification[]>([]);
  let look = 0;
  /** Events that came while the list was on its way are newer than the list. */
  let late: Notification[] = [];
  const withOne = (list: readonly Notification[], one: Notification): readonly Notification[] => {
    const others = list.filter(({ id }) => id !== one.id);
    return one.state === 'open' ? [one, ...others] : others;
  };
  return {
    list: computed(() => {
      const person = me.value;
      if (person === null) return [];
      const own = open.value.filter(({ to }) => {
        return to.includes(`user:${person.id}`) || to.includes(`role:${person.role}`);
      });
      return ['critical', 'warning', 'info'].flatMap((one) => own.filter(({ severity }) => severity === one));
    }),
    look: async () => {
      const own = (look += 1);
      late = [];
      // Without an answer the page says elsewhere that there is no connection, and looks again with the next one.
      await wordsIfRefused(async () => {
        const read = await client.call<readonly Notification[]>('GET', '/notification?open=true');
        if (own === look) open.value = late.reduce(withOne, read);
      });
    },
    takeEvent: ({ type, data }) => {
      if (type !== 'notification.added' && type !== 'notification.changed') return;
      const { notification } = data as { readonly notification: Notification };
      late.push(notification);
      open.value = withOne(open.peek(), notification);
    },
    clear: () => {
      look += 1;
      open.value = [];
    },
  };
}
