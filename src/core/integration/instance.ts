import type { JsonObject } from '#base/json.ts';
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

/** What must survive a power cut. Its secrets are in files, of which the record has the names. */
export type InstanceRecord = Omit<Instance, 'settings'> & {
  readonly settings: JsonObject;
  readonly settingsVersion: number;
  /** By field. A secret counts as missing once the field that it is bound to has another value than it was given for. */
  readonly secrets: Readonly<Record<string, { readonly file: string; readonly boundValue: string }>>;
  /** When it was removed. It keeps its id for the return of the same unique id. */
  readonly removedAtMs: number | null;
};
