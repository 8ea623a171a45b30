import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Namespace } from '#test/support/machine/namespaces.ts';

const CHROMIUM = '/usr/bin/chromium';
/** The engine without the browser around it, which takes a third of the processor time of a test. */
const ENGINE = '/usr/bin/chromium-headless-shell';
const PROGRAM = existsSync(ENGINE) ? ENGINE : CHROMIUM;
// Its own sandbox does not start as root, and /dev/shm is small in a container.
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** Debian's browser without a window; the caller closes it. `needs('chromium')` says whether it is installed. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: [...ARGS, ...args] });
}

/** The same, whole: for what the browser itself does beside drawing pages, such as its rules for networks. */
export function launchWholeChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...ARGS, ...args] });
}

/** The same in a network namespace. The test speaks to it over pipes, which need no network. */
export async function launchChromiumIn({ name }: Pick<Namespace, 'name'>): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-browser-'));
  const program = join(folder, 'chromium');
  writeFileSync(program, `#!/bin/sh\nexec ip netns exec ${name} ${PROGRAM} "$@"\n`, { mode: 0o755 });
  const browser = await chromium.launch({ executablePath: program, args: [...ARGS] });
  browser.once('disconnected', () => rmSync(folder, { recursive: true }));
  return browser;
}

export type Profile = {
  readonly context: BrowserContext;
  readonly openWindow: (address: string) => Promise<Page>;
  readonly close: () => Promise<void>;
};

/**
 * The browser as a person has it, with a profile of its own: only the front tab of each window is visible. In contexts
 * that playwright makes itself, every tab counts as visible.
 */
export async function launchProfile(args: readonly string[] = []): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-profile-'));
  const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, '--no-first-run'];
  const child = spawn(CHROMIUM, [...ARGS, ...own, ...args, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  let endpoint: string | undefined;
  for await (const line of createInterface(child.stderr)) {
    endpoint = /^DevTools listening on (\S+)/.exec(line)?.[1];
    if (endpoint !== undefined) break;
  }
  if (endpoint === undefined) throw new Error('the browser did not start');
  child.stderr.resume();
  const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true });
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no profile');
  const control = await browser.newBrowserCDPSession();
  return {
    context,
    openWindow: async (address) => {
      const opened = context.waitForEvent('page');
      await control.send('Target.createTarget', { url: address, newWindow: true });
      return await opened;
    },
    close: async () => {
      await control.send('Browser.close');
      await exited;
      rmSync(folder, { recursive: true, maxRetries: 5 });
    },
  };
}
