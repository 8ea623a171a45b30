/** One setting of an integration as it is now. */
export type Setting<Value> = {
  readonly value: Value;
  /** What fixes the setting outside of the API, in words; `null` if the API may change it. */
  readonly fixedBy: string | null;
};

/** How an integration reaches its MQTT broker. */
export type IntegrationSettings = {
  readonly enabled: Setting<boolean>;
  /** `null` if the configuration names no broker. */
  readonly address: Setting<string | null>;
  readonly user: Setting<string | null>;
  /** Whether a password is set. The hub never returns it. */
  readonly password: Setting<boolean>;
  /** The topic below which all messages of the integration are. */
  readonly baseTopic: Setting<string>;
};

/** The settings to change; `null` removes the user or the password. */
export type IntegrationSettingsChange = {
  readonly enabled?: boolean | undefined;
  readonly address?: string | undefined;
  readonly user?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly baseTopic?: string | undefined;
};
