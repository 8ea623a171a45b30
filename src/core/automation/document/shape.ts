/** A reference leads to one of these. Devices and groups are kept by id, the others by what names them for ever. */
export const REFERENCE_KINDS = [
  'device',
  'group',
  'room',
  'scene',
  'automation',
  'person',
  'mode',
  'variable',
  'integration',
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/**
 * The form of a part of the document, as data: documents are read by it, and the schemas are written from it. `about`: a
 * sentence for people who write documents, with its unit and with what holds where it is absent.
 */
export type Shape = { readonly about?: string } & Form;
type Form =
  | { readonly kind: 'boolean' | 'json' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly isWhole?: boolean }
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max: number;
      readonly pattern?: RegExp;
      readonly example?: string;
    }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'reference'; readonly to: ReferenceKind; readonly words?: readonly string[] }
  | { readonly kind: 'list'; readonly of: Shape; readonly min?: number; readonly max: number }
  /** Members with names that people choose. */
  | {
      readonly kind: 'record';
      readonly of: Shape;
      readonly names: RegExp;
      readonly min?: number;
      readonly max: number;
      readonly to?: ReferenceKind;
    }
  | { readonly kind: 'tuple'; readonly of: readonly Shape[] }
  | ObjectShape
  /** A list, or else one of what it would contain; or an object, or else the other. */
  | { readonly kind: 'oneOrList'; readonly of: Shape; readonly max: number }
  | { readonly kind: 'objectOr'; readonly object: Shape; readonly other: Shape }
  | TypedShape
  | WordedShape
  /** A part that is in itself again. */
  | { readonly kind: 'part'; readonly part: Part };

export type ObjectShape = {
  readonly kind: 'object';
  readonly about?: string;
  /** For clients, where the word that it belongs to is no name. */
  readonly name?: string;
  readonly members: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly one?: readonly (readonly string[])[];
  /** At least one of the list. */
  readonly some?: readonly string[];
};
/** An object whose member says which. */
export type TypedShape = {
  readonly kind: 'typed';
  readonly about: string;
  readonly by: 'type';
  readonly types: Readonly<Record<string, ObjectShape>>;
};
/** An object with one member that says what it is, and perhaps others beside it. */
export type WordedShape = {
  readonly kind: 'worded';
  readonly about: string;
  readonly words: Readonly<Record<string, Shape>>;
  readonly beside: Readonly<Record<string, Shape>>;
};

export const PARTS = ['trigger', 'condition', 'operand', 'step'] as const;
export type Part = (typeof PARTS)[number];
export type Parts = { readonly [Name in Exclude<Part, 'trigger'>]: WordedShape } & { readonly trigger: TypedShape };
