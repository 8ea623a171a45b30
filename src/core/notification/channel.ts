import type { Severity } from './notification.ts';

export type ChannelId = string & { readonly __brand: 'ChannelId' };

/** Ways out of the hub. The page is always there and is none of these. */
export const CHANNEL_TYPES = ['webhook', 'ntfy', 'mqtt'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export type ChannelSettings = {
  readonly type: ChannelType;
  readonly name: string;
  readonly enabled: boolean;
  /** Nothing less urgent goes out by it. */
  readonly minSeverity: Severity;
  /** Whose channel it is: it gets what is for this person, outside of the person's quiet hours. `null`: of the home. */
  readonly userId: string | null;
  /** Of the receiver, or of the ntfy server; `null` for MQTT. */
  readonly url: string | null;
  /** An owner set the URL. Only an owner's URL may lead to this machine itself. */
  readonly mayReachHub: boolean;
  /** Of ntfy. */
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
