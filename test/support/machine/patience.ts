import { vi } from 'vitest';

/** Vitest gives up after one second, which a busy machine may spend elsewhere. What never comes fails just the same. */
const PATIENCE_MS = 30_000;

const { waitFor } = vi;
// Once, although it is loaded for each file and files may share their modules.
if (waitFor.name !== 'waitPatiently') {
  const waitPatiently: typeof waitFor = (callback, options) =>
    waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
  vi.waitFor = waitPatiently;
}
