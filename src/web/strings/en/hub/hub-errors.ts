/** Failures of integrations, exporters and channels, by code. The hub speaks English itself. */
export const errors: Readonly<Record<string, string>> = {};
