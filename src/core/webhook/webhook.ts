import type { Wording } from '#words/texts.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { HomeEvent } from '#core/event/event.ts';

export type WebhookId = string & { readonly __brand: 'WebhookId' };

/** Selects events: an event must pass each part that is not `null`. */
export type WebhookFilter = {
  readonly types: readonly HomeEvent['type'][] | null;
  readonly deviceIds: readonly DeviceId[] | null;
  readonly roomIds: readonly RoomId[] | null;
};

export type WebhookSettings = {
  readonly name: string | null;
  readonly url: string;
  /** An owner set the URL. Only an owner's URL may lead to this machine itself. */
  readonly mayReachHub: boolean;
  readonly filter: WebhookFilter;
  readonly enabled: boolean;
};

/** A receiver in the home to which the hub sends events by HTTP requests. */
export type Webhook = WebhookSettings & {
  readonly id: WebhookId;
  /** Key of the signatures. Kept readable, because a hash cannot sign. It gives no access to the hub. */
  readonly secret: string;
  /** Counts its changes; absent in records from before it was counted. */
  readonly revision?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type DeliveryErrorCode =
  | 'invalid_url'
  | 'name_not_found'
  | 'address_refused'
  | 'redirect_refused'
  | 'connection_failed'
  | 'timeout'
  | 'bad_status';

export type DeliveryError = { readonly code: DeliveryErrorCode; readonly message: string; readonly reason?: Wording };

/** One attempt to deliver. All attempts of one delivery have its id. */
export type Delivery = {
  readonly id: string;
  readonly attempt: number;
  readonly atMs: number;
  readonly ms: number;
  readonly events: number;
  /** Status of the receiver's answer; `null` if none came. */
  readonly status: number | null;
  /** `null` if it was delivered. */
  readonly error: DeliveryError | null;
};

/** The state of one webhook in this run of the hub. */
export type WebhookState = {
  readonly status: 'ok' | 'failing' | 'off';
  readonly failingSinceMs: number | null;
  /** All events up to this one were delivered or did not pass the filter. */
  readonly cursor: string;
  /** Newest first; at most 50. */
  readonly deliveries: readonly Delivery[];
};

export type KnownWebhook = { readonly webhook: Webhook; readonly state: WebhookState };

/**
 * All webhooks of the hub. Changes are on disk before they take effect. Each call runs `authorize` right before the
 * change or the test, and throws what it throws.
 */
export type Webhooks = {
  /** In the order in which they were added. */
  readonly webhooks: () => readonly KnownWebhook[];
  readonly findWebhook: (id: string) => KnownWebhook | undefined;
  /** Throws HubError LIMIT_REACHED. */
  readonly addWebhook: (settings: WebhookSettings, terms?: Terms) => Promise<KnownWebhook>;
  /** `change` makes the new settings from the present ones. Throws HubError NOT_FOUND and what `change` throws. */
  readonly updateWebhook: (
    id: WebhookId,
    change: (old: WebhookSettings) => WebhookSettings,
    terms?: Terms,
  ) => Promise<KnownWebhook>;
  /** Throws HubError NOT_FOUND. */
  readonly removeWebhook: (id: WebhookId, terms?: Terms) => Promise<void>;
  /** Sends one `hub.test` now, whether it is enabled or not. Throws HubError NOT_FOUND. */
  readonly testWebhook: (id: WebhookId, terms?: Terms) => Promise<Delivery>;
};
type Terms = Pick<ChangeTerms, 'authorize'>;

export type WebhookStore = {
  readonly loadWebhooks: () => Promise<readonly Webhook[]>;
  /** Inserts or replaces by id. */
  readonly saveWebhook: (webhook: Webhook) => Promise<void>;
  readonly deleteWebhook: (id: WebhookId) => Promise<void>;
};

export const MAX_URL_LENGTH = 2_000;

/** A URL that a webhook may have: http or https, no credentials, no fragment. Each attempt checks that it is local. */
export function readWebhookUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' && !text.includes('#') ? url : undefined;
}

/** The part of a URL that may be logged, because the rest can be a secret. Empty for an invalid URL. */
export function hostOfUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Host of a URL as sockets take it: an IPv6 address without its brackets. */
export function socketHostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
