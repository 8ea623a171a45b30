type Setting<Value> = { readonly value: Value; readonly fixed: boolean; readonly fixed_by: string | null };

export type BrokerSettings = {
  readonly enabled: Setting<boolean>;
  readonly address: Setting<string | null>;
  readonly user: Setting<string | null>;
  readonly password: { readonly is_set: boolean; readonly fixed: boolean; readonly fixed_by: string | null };
  readonly base_topic: Setting<string>;
};

export type Integration = {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly since: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly devices: number;
  readonly can_pair: boolean;
  readonly is_set_up: boolean;
  /** For those who may change them. */
  readonly settings?: BrokerSettings;
};
