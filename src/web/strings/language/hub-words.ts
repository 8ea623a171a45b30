import type { Wording } from '#words/texts.ts';

/** The page has words for what the hub says by a code. Without them, the hub's own English is shown. */
export type HubWords = {
  /** `reason` is the limit that the hub names. */
  readonly problem: (code: string, reason?: Wording) => string | undefined;
  readonly fault: (code: string, reason?: Wording) => string | undefined;
  /** A word of an enumeration. */
  readonly value: (value: string) => string | undefined;
  /** A device with the names of its features. */
  readonly device: <Device extends WithFeatures>(device: Device) => Device;
};
export type WithFeatures = { readonly features: readonly { readonly name: string }[] };
