/** Something discovered that could become an instance, as clients see it. Its name was given by a stranger. */
export type FoundThing = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  readonly isIgnored: boolean;
  readonly foundAtMs: number;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** Something was discovered, changed, or is not there any more. */
    'integration.found': { readonly thing: FoundThing; readonly isGone: boolean };
  }
}
