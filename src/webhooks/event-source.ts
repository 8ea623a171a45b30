import type { WebhookFilter } from '#core/webhook/webhook.ts';

/** Events as the body of a request. */
export type EventPage = {
  /** `{"events":[…],"cursor":"…"}`, as the long poll has it. */
  readonly json: string;
  readonly count: number;
  /** Everything up to here was looked at. */
  readonly to: number;
};

/** Position in the events of this run: the number of the last one that was looked at. */
export type EventRange = { readonly after: number; readonly upTo: number };

/** Events that are not delivered. `from` is `null` where the position before it is of another run. */
export type EventGap = {
  readonly from: number | null;
  readonly to: number;
  readonly reason: 'restarted' | 'overrun' | 'paused';
};

/** Where deliveries come from: the events that the hub keeps anyway, read anew for each try. */
export type EventSource = {
  readonly last: () => number;
  readonly cursorAt: (position: number) => string;
  /** The next events that pass the filter; `lost` where they are no longer kept. */
  readonly read: (filter: WebhookFilter, range: EventRange) => EventPage | 'lost';
  /** One `hub.gap` and nothing else. */
  readonly gap: (gap: EventGap) => EventPage;
  readonly test: () => EventPage;
  readonly subscribe: (listener: () => void) => () => void;
};
