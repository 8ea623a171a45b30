/** A kind of integration says these in one language, by ids. */
export type KindWords = {
  readonly kind: {
    readonly name: string;
    readonly about: string;
    readonly help?: readonly string[];
    readonly pairingHint?: string;
    readonly removalHint?: string;
  };
  readonly settings?: FieldsWords;
  /** What is said otherwise in a form of the set-up. */
  readonly forms?: Readonly<Record<string, FieldsWords>>;
  readonly steps?: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, ChoiceWords>>;
  /** What may be wrong with a field of a form, and why a set-up may fail. */
  readonly faults?: Readonly<Record<string, string>>;
  readonly failures?: Readonly<Record<string, string>>;
  /** Why a bridge takes no other home in any more. */
  readonly ends?: Readonly<Record<string, string>>;
};
type ChoiceWords = {
  readonly text: string;
  readonly options: Readonly<Record<string, { readonly title: string; readonly detail: string }>>;
};
type FieldWords = {
  readonly label?: string;
  readonly hint?: string;
  /** What can be chosen, by its id. */
  readonly options?: Readonly<Record<string, string>>;
};
export type FieldsWords = Readonly<Record<string, FieldWords>>;

/**
 * By the id of the kind. The hub speaks English itself. In the place of this, the build puts into each other language what
 * stands in the folders of the kinds.
 */
export const kinds: Readonly<Record<string, KindWords>> = {};
