import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
  OWNER,
} from '#test/support/daemon/hub-process.ts';
import { launchChromium } from './chromium.ts';
import { logInOnPage, openWebPage, PHONE, type WebPage } from './web-page.ts';

export const SMALL: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 640 } };
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
export const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['a small telephone, light', { ...SMALL, colorScheme: 'light' }],
  ['a small telephone, dark', { ...SMALL, colorScheme: 'dark' }],
  ['a desktop, light', { ...DESKTOP, colorScheme: 'light' }],
  ['a desktop, dark', { ...DESKTOP, colorScheme: 'dark' }],
];
/** The narrowest and the widest come first. */
export const PHONE_TO_DESK: readonly [string, BrowserContextOptions][] = [
  ['a small telephone', SMALL],
  ['a desktop', DESKTOP],
  ['a telephone', PHONE],
  ['a tablet', { viewport: { width: 820, height: 1180 } }],
];
const SIMULATED_DEVICES = 13;

export type PageTests = {
  /** Asks the hub as its owner. */
  readonly ask: (method: string, path: string, body?: unknown) => ReturnType<HubProcess['ask']>;
  /** The same with another token. */
  readonly askAs: (token: string) => PageTests['ask'];
  /** The first page after a log-in, in a browser that has never been here. */
  readonly open: (options?: BrowserContextOptions, who?: typeof OWNER) => Promise<Page>;
  readonly goTo: (page: Page, path: string, heading: string) => Promise<void>;
  /** `open` and `goTo`. */
  readonly openAt: (path: string, heading: string, options?: BrowserContextOptions) => Promise<Page>;
};

/** Opens the page of the hub at an address, in a context of its own, and logs in. */
export type LoggedInPage = (address: string, options?: BrowserContextOptions, who?: typeof OWNER) => Promise<Page>;

/**
 * Gives the tests of the describe that calls it a browser. What a test opened is closed after it, and the test fails if
 * the browser complained.
 */
export function useBrowser(): LoggedInPage {
  let browser: Browser;
  const opened: WebPage[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const { page, complaints } of opened.splice(0)) {
      await page.context().close();
      if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
    }
  });
  afterAll(async () => browser.close());
  return async (address, options = {}, who = OWNER) => {
    const web = await openWebPage(browser, address, options);
    opened.push(web);
    await logInOnPage(web, who);
    return web.page;
  };
}

/** `useBrowser`, with the simulated home, which `furnish` adds to. */
export function usePages(furnish: (ask: PageTests['ask']) => Promise<unknown> = async () => undefined): PageTests {
  const openPage = useBrowser();
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    token = (await claimHub(hub)).access_token;
    await listDevices(hub, token, SIMULATED_DEVICES);
    await furnish(ask);
  });
  afterAll(async () => hubs.close());
  const askAs: PageTests['askAs'] = (as) => (method, path, body) =>
    hub.ask(method, `/api/v1${path}`, { token: as, ...(body === undefined ? {} : { body }) });
  const ask: PageTests['ask'] = (...question) => askAs(token)(...question);
  const open: PageTests['open'] = (options, who) => openPage(hub.address, options, who);
  const goTo: PageTests['goTo'] = async (page, path, heading) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  const openAt: PageTests['openAt'] = async (path, heading, options) => {
    const page = await open(options);
    await goTo(page, path, heading);
    return page;
  };
  return { ask, askAs, open, goTo, openAt };
}
