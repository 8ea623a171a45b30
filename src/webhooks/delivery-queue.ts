import type { WebhookFilter } from '#core/webhook/webhook.ts';
import type { EventGap, EventPage, EventSource } from './event-source.ts';

/** The next delivery. It stays the same until the receiver takes it, except that too old button presses drop out. */
type Batch = { readonly id: string; readonly attempt: number; readonly page: EventPage };

/** The position of one webhook in the events; it keeps no events itself. */
type DeliveryQueue = {
  /** `undefined` if there is nothing to deliver. */
  readonly next: (filter: WebhookFilter) => Batch | undefined;
  /** To call when the receiver took the batch. */
  readonly advance: (batch: Batch) => void;
  /** Makes the next delivery a new one, because the filter or the receiver changed. */
  readonly begin: () => void;
  /** Skips all events until the next call of `next`, which delivers a gap in their place. */
  readonly pause: () => void;
  readonly position: () => number;
};

/** Without `to` the gap ends at the hub's position when it is first delivered. */
type OpenGap = Omit<EventGap, 'to'> & { readonly to?: number };
/** A delivery after its first attempt, with the last event in it. */
type Tried = { readonly id: string; readonly upTo: number; readonly attempts: number };

/** A webhook from an earlier run of the hub begins with a gap, because its position was one of that run. */
export function createDeliveryQueue(
  events: Pick<EventSource, 'last' | 'read' | 'gap'>,
  { isNew, newId }: { readonly isNew: boolean; readonly newId: () => string },
): DeliveryQueue {
  let position = events.last();
  let gap: OpenGap | undefined = isNew ? undefined : { from: null, reason: 'restarted' };
  let tried: Tried | undefined;

  const nextPage = (filter: WebhookFilter): EventPage | undefined => {
    for (;;) {
      const last = events.last();
      if (gap !== undefined) {
        const delivered = { to: last, ...gap };
        gap = delivered;
        return events.gap(delivered);
      }
      const page = events.read(filter, { after: position, upTo: tried?.upTo ?? last });
      if (page === 'lost') {
        gap = { from: position, reason: 'overrun' };
        tried = undefined;
        continue;
      }
      if (page.count > 0) return page;
      position = page.to;
      tried = undefined;
      if (position >= last) return undefined;
    }
  };
  return {
    next: (filter) => {
      const page = nextPage(filter);
      if (page === undefined) return undefined;
      tried = { id: tried?.id ?? newId(), upTo: page.to, attempts: (tried?.attempts ?? 0) + 1 };
      return { id: tried.id, attempt: tried.attempts, page };
    },
    advance: ({ page }) => {
      position = page.to;
      gap = undefined;
      tried = undefined;
    },
    begin: () => {
      tried = undefined;
    },
    pause: () => {
      gap = gap === undefined ? { from: position, reason: 'paused' } : { from: gap.from, reason: gap.reason };
      tried = undefined;
    },
    position: () => position,
  };
}
