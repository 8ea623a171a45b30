import type { JsonObject, JsonValue } from '#base/json.ts';
import type { SettingsOf, SettingsShape } from './settings-shape.ts';

/** One configured use of a kind of integration, as its code gets it. */
export type Instance<S extends SettingsShape = SettingsShape> = {
  /** `hue`, `hue-2`. Stored device identities contain it, so it never changes. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The id of the thing at the other end, as of a bridge: found again under a new address, it is the same. */
  readonly uniqueId: string | null;
  readonly settings: SettingsOf<S>;
  /** Whether it may connect to addresses of this machine, because an owner or the configuration gave the address. */
  readonly mayReachHub: boolean;
};

/** Something discovered that could become an instance. Everything in it was said by a stranger. */
export type Discovery<S extends SettingsShape = SettingsShape> = {
  /** `null` if the announcement does not say which thing it is. */
  readonly uniqueId: string | null;
  readonly name: string;
  readonly settings: Partial<SettingsOf<S>>;
};

/** The record must survive a power cut. Its secrets are in files, of which it has the names. */
export type InstanceRecord = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly uniqueId: string | null;
  /** Only what was set: the shape has defaults for the rest. */
  readonly settings: JsonObject;
  readonly settingsVersion: number;
  /** The file of each secret, by field. The file also says for which value of the other field it was given. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly mayReachHub: boolean;
  /** False for an instance that the hub made by itself and nobody has used: that it finds nothing is no fault. */
  readonly isChosen: boolean;
  /** Counts changes of name, settings and secrets. */
  readonly revision: number;
  /** When it was removed. It keeps its id for the return of the same thing. */
  readonly removedAtMs: number | null;
  /** Removed with its devices, which are not all forgotten yet. */
  readonly isForgetting: boolean;
  /** The API token that the hub made for its commands; it ends with the instance. */
  readonly madeToken?: string | null;
  /** It was there only because the configuration said so, and is gone with that. */
  readonly isOfConfig?: boolean;
};

/** One setting as clients see it. What fixes it is in words; `null` if the API may change it. */
export type ShownSetting =
  | { readonly type: 'value'; readonly value: JsonValue; readonly fixedBy: string | null }
  | { readonly type: 'secret'; readonly isSet: boolean; readonly fixedBy: string | null };

/** Why an instance cannot run until a person does something. The message is for people and says what. */
export type InstanceProblem = { readonly code: InstanceProblemCode; readonly message: string };
type InstanceProblemCode =
  | 'UNKNOWN_KIND'
  | 'SETTINGS_TOO_NEW'
  | 'SETTINGS_INVALID'
  | 'SETTINGS_INCOMPLETE'
  | 'SECRET_MISSING'
  | 'LINK_MISSING'
  | 'LINK_OFF';

/** An instance as clients see it, whether or not it can run. */
export type ShownInstance = Pick<InstanceRecord, 'id' | 'kind' | 'name' | 'uniqueId' | 'isChosen' | 'revision'> & {
  /** Without a name of its own it is called as its kind. */
  readonly hasOwnName: boolean;
  readonly enabled: { readonly value: boolean; readonly fixedBy: string | null };
  /** In the order of the shape; empty for a kind that this version does not know. */
  readonly settings: Readonly<Record<string, ShownSetting>>;
  /** What makes it exist outside of the API: it cannot be removed then. */
  readonly fixedBy: string | null;
  readonly problem: InstanceProblem | null;
};

/** A caller asks for an instance; the settings include the secrets. */
export type NewInstance = {
  readonly kind: string;
  /** Only for kinds whose instances are named by their makers. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly uniqueId?: string | null | undefined;
  readonly settings: JsonObject;
};

/** `null` as a setting brings its default back, or takes an optional value or a secret away. */
export type InstanceChange = {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly settings?: JsonObject | undefined;
};
