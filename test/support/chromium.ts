import { type Browser, chromium } from 'playwright-core';

/** Debian's browser without a window; the caller closes it. `needs('chromium')` tells whether it is there. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  // Its own sandbox does not start as root, and /dev/shm is small in a container.
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
}
