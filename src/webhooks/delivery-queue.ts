import type { WebhookFilter } from '#core/webhook/webhook.ts';
import type { EventGap, EventPage, EventSource } from './event-source.ts';

/** What is to be delivered next: the same until it is taken, but for button presses that grew too old meanwhile. */
export type Batch = { readonly id: string; readonly attempt: number; readonly page: EventPage };

/** The place of one webhook in the events: no event of its own, only where it stands. */
export type DeliveryQueue = {
  /** `undefined` where there is nothing to deliver. */
  readonly next: (filter: WebhookFilter) => Batch | undefined;
  /** The batch was taken. */
  readonly advance: (batch: Batch) => void;
  /** The filter or URL has changed: starts a new delivery. */
  readonly begin: () => void;
  /** Events from now on until the next `next` are not delivered; the receiver gets a `hub.gap`. */
  readonly pause: () => void;
  readonly position: () => number;
};

/** Starts at the hub's current position when a webhook is new. */
type OpenGap = Omit<EventGap, 'to'> & { readonly to?: number };
/** A delivery that was tried already: up to which event it reaches. */
type Tried = { readonly id: string; readonly upTo: number; readonly attempts: number };

/** A webhook from before this run begins with a gap: its position was one of another run. */
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
        const told = { to: last, ...gap };
        gap = told;
        return events.gap(told);
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
