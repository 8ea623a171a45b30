type Errors = Readonly<Record<string, string>>;

/** Failures of integrations, exporters and channels, by code. The hub speaks English itself. */
export const errors: Errors = {};

/** A kind of integration words these itself, by its id: the build gathers them from the folders of the kinds. */
export const kindErrors: Readonly<Record<string, Errors>> = {};
