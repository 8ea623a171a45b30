/*
 * The settings of an integration as plain data: stored with the instance, drawn as a form by the page, printed into the
 * manual, and checked by one checker. It travels to clients, so it is no schema of a library.
 */

type Common = {
  readonly label: string;
  readonly hint?: string;
  /** Shown only after a person asks for more. */
  readonly advanced?: true;
  /** May be left out; its value is then `null`. */
  readonly optional?: true;
};

export type Field =
  | (Common & {
      readonly type: 'text';
      readonly maxLength?: number;
      /** A regular expression of JavaScript for the whole text. */
      readonly pattern?: string;
      readonly default?: string;
    })
  /** A name or address in the LAN: `host` or `host:port`. */
  | (Common & { readonly type: 'host'; readonly defaultPort?: number; readonly default?: string })
  | (Common & {
      readonly type: 'url';
      readonly schemes: readonly string[];
      /** Takes scheme, host and port alone, as `mqtt://192.168.1.2:1883`. */
      readonly originOnly?: true;
      /** Takes addresses outside of the home too: the person decides whom the hub may trust, as with a broker. */
      readonly isAnywhere?: true;
      readonly default?: string;
    })
  | (Common & { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default?: number })
  | (Common & { readonly type: 'boolean'; readonly default: boolean })
  | (Common & {
      readonly type: 'choice';
      readonly options: readonly { readonly id: string; readonly label: string }[];
      readonly default?: string;
    })
  /**
   * Kept in a file of its own, in no backup, never read back. Needed again when the field that it is bound to changes,
   * so that nobody can have it sent elsewhere. Bind it to what proves who the peer is, such as the fingerprint of its
   * certificate, where there is one: then the peer may move to another address without a person's help.
   */
  | (Common & { readonly type: 'secret'; readonly boundTo: string })
  /** The id of another instance, of this kind, through which this one speaks. */
  | (Common & { readonly type: 'link'; readonly kind: string })
  /** Rooms and devices of this home. */
  | (Common & { readonly type: 'places'; readonly default: Places })
  /** An API token of the hub, with whose rights others act. Its id is kept; its text is taken too. */
  | (Common & { readonly type: 'api_token'; readonly optional: true });

/** By their ids. Those that are gone stay, and mean nothing. */
export type Places = { readonly rooms: readonly string[]; readonly devices: readonly string[] };
export const NO_PLACES: Places = { rooms: [], devices: [] };

export type SettingsShape = Readonly<Record<string, Field>>;

type PlainValue<F extends Field> = F extends { type: 'integer' }
  ? number
  : F extends { type: 'boolean' }
    ? boolean
    : F extends { type: 'places' }
      ? Places
      : string;

/** The values of a shape without its secrets, which an integration reads through a port. */
export type SettingsOf<S extends SettingsShape> = {
  readonly [K in keyof S as S[K]['type'] extends 'secret' ? never : K]: S[K] extends { optional: true }
    ? PlainValue<S[K]> | null
    : PlainValue<S[K]>;
};
