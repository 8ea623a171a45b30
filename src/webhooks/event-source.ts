import type { WebhookFilter } from '#core/webhook/webhook.ts';

export type EventPage = {
  /** `{"events":[…],"cursor":"…"}`, as the long poll has it. */
  readonly json: string;
  readonly count: number;
  /** The last event that was read, whether it passed the filter or not. */
  readonly to: number;
};

/** Positions in the events of this run, as event numbers. */
type EventRange = { readonly after: number; readonly upTo: number };

/** Events that are not delivered. `from` is `null` if the position before belongs to an earlier run of the hub. */
export type EventGap = {
  readonly from: number | null;
  readonly to: number;
  readonly reason: 'restarted' | 'overrun' | 'paused';
};

/** The events that the hub keeps for all clients; each try reads them anew. */
export type EventSource = {
  readonly last: () => number;
  readonly cursorAt: (position: number) => string;
  /** The next events that pass the filter; `lost` if the hub no longer keeps them. */
  readonly read: (filter: WebhookFilter, range: EventRange) => EventPage | 'lost';
  /** One `hub.gap` and nothing else. */
  readonly gap: (gap: EventGap) => EventPage;
  readonly test: () => EventPage;
  readonly subscribe: (listener: () => void) => () => void;
};
