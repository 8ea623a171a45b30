import type { KeptEvent } from '#core/event/event-log.ts';

/** Whose a stream or poll is. */
export type EventClientOwner = {
  /** The login or API token. */
  readonly callerId: string;
  readonly userId: string;
  /** Whose ration of new streams it takes from. */
  readonly rationName: string;
  /** Some streams are kept free for those who look after the hub. */
  readonly isKeeper: boolean;
};

/** One who waits for events: a stream, or a poll for the time of its wait. Nothing here ever throws. */
export type EventClient = {
  readonly owner: EventClientOwner;
  /** False once the login or API token has ended or its role has changed; asked before each event is sent. */
  readonly mayRead: () => boolean;
  /** The same, and false once the access token has expired: true as long as a new request with it would be answered. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Sends what there is, as far as the client takes it. */
  readonly pump: () => void;
  readonly beat: () => void;
  /** To call about once a second: cuts off a client that does not read. */
  readonly watch: () => void;
  /** Ends it, after this event where there is one. */
  readonly end: (lastEvent?: KeptEvent) => void;
};
