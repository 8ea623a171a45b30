/** What a list or a snapshot holds, as far as a page shows it; there may be more fields. */
export type Room = { readonly id: string; readonly selector: string; readonly name: string };

export type Feature = {
  readonly key: string;
  readonly capability: string;
  readonly component: string;
  readonly kind: 'state' | 'action' | 'event';
  readonly category: string;
  readonly name: string;
  readonly description?: string;
  readonly value_type: string;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly options: readonly string[] | null;
  readonly value: unknown;
  /** `confirmed`, `assumed`, `restored`, `stale` or `none`. */
  readonly quality: string;
  readonly observed_at: string | null;
  readonly changed_at: string | null;
};

export type Availability = {
  /** `online`, `offline`, `asleep` or `unknown`. */
  readonly state: string;
  readonly since: string;
  readonly last_seen_at: string | null;
  readonly reason: string | null;
};

export type Device = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly type: string;
  readonly room: Room | null;
  readonly integration: string;
  readonly external_id: string;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly availability: Availability;
  readonly features: readonly Feature[];
  /** Using it, or a part of it, needs the right to open locks. */
  readonly sensitive: boolean;
  readonly revision: number;
  readonly created_at: string;
};
