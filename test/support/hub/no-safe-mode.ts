import type { SafeMode } from '#base/safe-mode/safe-mode.ts';

/** Of a hub in the process of the test, whose end is nobody's fault. */
export const NO_SAFE_MODE: SafeMode = {
  holds: () => false,
  note: () => null,
  during: (_what, work) => work(),
  release: async () => false,
  stop: () => undefined,
};
