import type { SettingsOf, SettingsShape } from './settings-shape.ts';

/** One configured use of a kind of integration. */
export type Instance<S extends SettingsShape = SettingsShape> = {
  /** `hue`, `hue-2`. Stored device identities contain it, so it never changes. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Of the thing at the other end (a bridge's id): found again under a new address, it is the same. */
  readonly uniqueId: string | null;
  readonly settings: SettingsOf<S>;
  /** Counts changes of name, settings and secrets. */
  readonly revision: number;
};

/** Something discovered that could become an instance. Everything in it was said by a stranger. */
export type Found<S extends SettingsShape = SettingsShape> = {
  /** `null` if the announcement does not say which thing it is. */
  readonly uniqueId: string | null;
  readonly name: string;
  readonly settings: Partial<SettingsOf<S>>;
};
