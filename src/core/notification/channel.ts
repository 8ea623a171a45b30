import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { Severity } from './notification.ts';

export type ChannelId = string & { readonly __brand: 'ChannelId' };

/** Ways out of the hub. The page is always there and is none of these. */
export const CHANNEL_TYPES = ['webhook', 'ntfy', 'mqtt'] as const;
type ChannelType = (typeof CHANNEL_TYPES)[number];

export type ChannelSettings = {
  readonly type: ChannelType;
  readonly name: string;
  readonly enabled: boolean;
  /** Nothing less urgent goes out by it. */
  readonly minSeverity: Severity;
  /** Whose channel it is: it gets what is for this person, outside of the person's quiet hours. `null`: of the home. */
  readonly userId: string | null;
  /** The URL of the receiver, or of the ntfy server; `null` for MQTT. */
  readonly url: string | null;
  /** An owner set the URL. Only an owner's URL may lead to this machine itself. */
  readonly mayReachHub: boolean;
  /** The topic of ntfy. */
  readonly topic: string | null;
  /** Id of the instance of the kind `mqtt`. */
  readonly broker: string | null;
};

export type Channel = ChannelSettings & {
  readonly id: ChannelId;
  /**
   * The key of a webhook's signatures, or the access token of an ntfy server. Kept readable, because it is sent or signs;
   * it gives no access to the hub.
   */
  readonly secret: string | null;
  /** Counts its changes; absent in records from before it was counted. */
  readonly revision?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type ChannelStore = {
  readonly loadChannels: () => Promise<readonly Channel[]>;
  /** Inserts or replaces by id. */
  readonly saveChannel: (channel: Channel) => Promise<void>;
  readonly deleteChannel: (id: ChannelId) => Promise<void>;
};

export const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
export const MAX_CHANNELS = 16;

/** The state of one channel in this run of the hub. */
export type ChannelState = {
  readonly status: 'ok' | 'failing' | 'off';
  readonly failingSinceMs: number | null;
  readonly lastAttempt: {
    readonly atMs: number;
    /** The status of an HTTP answer. */
    readonly status: number | null;
    readonly error: { readonly code: string; readonly message: string } | null;
  } | null;
};

export type KnownChannel = { readonly channel: Channel; readonly state: ChannelState };

/**
 * All channels of the hub. Changes are on disk before they take effect. Each call runs `authorize` right before the
 * change or the test, and throws what it throws.
 */
export type Channels = {
  /** In the order in which they were added. */
  readonly channels: () => readonly KnownChannel[];
  readonly find: (id: string) => KnownChannel | undefined;
  /** A webhook gets a secret of its own. Throws HubError LIMIT_REACHED. */
  readonly add: (settings: ChannelSettings & Pick<Channel, 'secret'>, terms?: Terms) => Promise<KnownChannel>;
  /** `change` makes the new settings from the present ones. Throws HubError NOT_FOUND and what `change` throws. */
  readonly update: (
    id: ChannelId,
    change: (old: Channel) => ChannelSettings & Pick<Channel, 'secret'>,
    terms?: Terms,
  ) => Promise<KnownChannel>;
  /** Throws HubError NOT_FOUND. */
  readonly remove: (id: ChannelId, terms?: Terms) => Promise<void>;
  /** Sends a notification that says that it is a test, whether the channel is enabled or not. Throws HubError NOT_FOUND. */
  readonly test: (id: ChannelId, terms?: Terms) => Promise<ChannelAttempt>;
};
type Terms = Pick<ChangeTerms, 'authorize'>;
export type ChannelAttempt = NonNullable<ChannelState['lastAttempt']>;
