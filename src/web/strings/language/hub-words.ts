import type { Wording } from '#words/texts.ts';

/** The page has words for what the hub says by a code. Without them, the hub's own English is shown. */
export type HubWords = {
  /** `reason` is the limit that the hub names. */
  readonly problem: (code: string, reason?: Wording) => string | undefined;
  readonly fault: (code: string, reason?: Wording) => string | undefined;
  /**
   * Takes what the hub says of a field or a limit, by its id: too much for the first load, and needed only once the hub
   * refuses something. Absent in English, which is in the answers.
   */
  readonly learn?: (said: RefusalTexts) => void;
  /** A word of an enumeration. */
  readonly value: (value: string) => string | undefined;
  /** A device with the names of its features. */
  readonly device: <Device extends WithFeatures>(device: Device) => Device;
};
export type RefusalTexts = {
  /** What is wrong with a field, by the id of its reason. */
  readonly reasons: Readonly<Record<string, string>>;
  /** A limit that a message of the hub names, by its id. */
  readonly limits: Readonly<Record<string, string>>;
};
export type WithFeatures = { readonly features: readonly { readonly name: string }[] };
