import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, DeviceDescription } from '#core/device/device.ts';
import type { Occurrence } from '#core/feature/feature.ts';

/*
 * A provider is a script, in any language, that is an integration: it declares devices, reports what they do and
 * carries out commands, all over the HTTP API.
 */

/** It is the id of the instance, too. */
export const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** How long a provider may be silent before its devices are offline. */
export const LEASE_S = { min: 30, max: 3_600, usual: 300 };

export type ProviderReport = {
  readonly externalId: string;
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly occurrences: readonly { readonly key: string; readonly occurrence: Occurrence }[];
  /** When the device had these values, in wall milliseconds; `null` for now. */
  readonly observedAtMs: number | null;
  /** `null`: a device that reports something is online. */
  readonly availability: AvailabilityState | null;
};

/** A command to one device, on its way to the script. */
export type ProviderCommand = {
  readonly id: string;
  readonly externalId: string;
  readonly set: ReadonlyMap<string, JsonValue>;
  /** Key of an action feature, or `null`. */
  readonly action: string | null;
  readonly transitionMs: number | null;
  /** In wall milliseconds. After it the script does not get the command any more, because nobody waits for it. */
  readonly deadlineMs: number;
};

export type CommandAnswer =
  /** The script gave it to the device and does not know more. */
  | { readonly status: 'sent' }
  /** The device did it. Its values then are reported like any others. */
  | { readonly status: 'done'; readonly values: ReadonlyMap<string, JsonValue> }
  | { readonly status: 'failed'; readonly reason: string };

/**
 * A script may ask this of its running integration. Each call that it makes renews its lease. All throw HubError
 * INTEGRATION_DOWN while the integration does not run.
 */
export type ProviderDoor = {
  readonly renew: () => void;
  /** On disk and visible when it resolves. False if the home has no room for it. */
  readonly describeDevice: (device: DeviceDescription) => Promise<boolean>;
  readonly removeDevice: (externalId: string) => Promise<void>;
  /** The device must exist, and the report fit its features. */
  readonly report: (report: ProviderReport) => void;
  /**
   * Resolves with the commands that are due, or with none after the wait, when the signal aborts, or when a newer call
   * takes over. What is not answered is due again soon, until its deadline. Throws HubError TOO_MANY_REQUESTS.
   */
  readonly takeCommands: (waitMs: number, signal: AbortSignal) => Promise<readonly ProviderCommand[]>;
  /** `undefined` once it was answered for good, or nobody waits for it any more. */
  readonly findCommand: (id: string) => ProviderCommand | undefined;
  readonly answerCommand: (id: string, answer: CommandAnswer) => void;
};
