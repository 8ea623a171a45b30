/** What a list or a snapshot holds, as far as a page shows it; there may be more fields. */
export type Room = { readonly id: string; readonly selector: string; readonly name: string };

export type Feature = {
  readonly key: string;
  readonly capability: string;
  readonly component: string;
  readonly kind: 'state' | 'action' | 'event';
  readonly category: string;
  readonly name: string;
  readonly value_type: string;
  readonly writable: boolean;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly options: readonly string[] | null;
  readonly value: unknown;
  readonly quality: string;
  readonly changed_at: string | null;
};

export type Device = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly type: string;
  readonly room: Room | null;
  readonly integration: string;
  readonly availability: { readonly state: string; readonly since: string; readonly reason: string | null };
  readonly features: readonly Feature[];
  readonly revision: number;
};
