/** One setting of an integration as it is now. */
export type Setting<Value> = {
  readonly value: Value;
  /** What fixes it outside of the API, in words; `null` where it may be changed. */
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
  /** Topic under which the other side speaks. */
  readonly baseTopic: Setting<string>;
};

/** What is to change; `null` takes user or password away. */
export type IntegrationSettingsChange = {
  readonly enabled?: boolean | undefined;
  readonly address?: string | undefined;
  readonly user?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly baseTopic?: string | undefined;
};
