import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { findingsOn } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { furnishLookedHome } from './looked-home.ts';
import { logInOnPage, openWebPage } from './web-page.ts';

type View = {
  readonly name: string;
  readonly at: string;
  /** From the page to what is looked at. */
  readonly reach: (page: Page) => Promise<unknown>;
  readonly leave?: (page: Page) => Promise<unknown>;
};

export type LookedHome = {
  /** What axe finds, and what is wider than the screen, on every page and in every view of this look. */
  readonly faultsIn: (look: BrowserContextOptions) => Promise<readonly string[]>;
  /** The same of the pages alone, in another language. */
  readonly faultsOfPages: (look: BrowserContextOptions, language: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitän';
const NOTIFICATIONS = [
  { title: 'Water: Kitchen sink', severity: 'critical', text: 'The sensor reports water.' },
  { title: 'Battery low: Hallway motion', severity: 'warning', text: 'Charge or replace it soon.' },
  { title: LONG_WORD.repeat(3) },
];
const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** Goes to a page as a link does, without a reload, until nothing of it is on its way. */
export async function goAsLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    history.pushState({}, '', '${path}');
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    // Until then, the earlier page is still shown.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  })()`);
  const isThere = `document.querySelector('main h1') !== null && document.querySelector('main [aria-busy="true"]') === null`;
  await expect.poll(() => page.evaluate(isThere)).toBe(true);
}

/** The dialogs and states of a page that are more than one path away. */
function createViews(send: (notification: object) => Promise<unknown>): readonly View[] {
  return [
    {
      name: 'a scene that is done',
      at: '/',
      reach: async (page) => {
        await page.getByRole('button', { name: /^Movie night/ }).click();
        await page.getByText('Movie night · 2 of 2 confirmed').waitFor();
      },
    },
    {
      name: 'mode and people',
      at: '/',
      reach: async (page) => {
        await page.getByRole('button', { name: /^Mode: / }).click();
        await page.getByRole('dialog').getByText('At home').first().waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'nothing found',
      at: '/room',
      reach: async (page) => {
        await page.getByRole('searchbox').fill('nothing of the kind');
        await page.getByText('No devices found.').waitFor();
      },
      leave: (page) => page.getByRole('button', { name: 'Show all devices' }).click(),
    },
    {
      name: 'the question of a lock',
      at: '/room',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Unlock' }).click();
        await page.getByRole('dialog').waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'a room as a scene',
      at: '/room/living-room',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Save as scene' }).click();
        await page.getByRole('dialog').getByLabel('Name').waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'what is seldom done with an automation',
      at: '/rule/light-in-the-hallway',
      reach: async (page) => {
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('dialog').waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'a hole in an automation',
      at: '/rule/light-in-the-hallway?view=edit',
      reach: async (page) => {
        await page.getByRole('button', { name: /^To which value: sees motion$/ }).click();
        await page.getByRole('dialog').waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'what is drawn',
      at: '/history',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Choose' }).click();
        await page.getByRole('dialog').waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'a new group',
      at: '/settings/groups',
      reach: (page) => page.getByRole('checkbox', { name: 'Kitchen ceiling' }).check(),
    },
    {
      name: 'the members of a group',
      at: '/device/downstairs',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Change group' }).click();
        await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
      },
      leave: closeDialog,
    },
    {
      name: 'what is critical',
      at: '/',
      reach: async (page) => {
        for (const notification of NOTIFICATIONS) await send(notification);
        await page.getByRole('alert').filter({ hasText: 'Water: Kitchen sink' }).waitFor();
      },
    },
    {
      name: 'notifications',
      at: '/',
      reach: async (page) => {
        await page.getByRole('button', { name: /^Notifications: \d+ need/ }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Mark all as seen' }).waitFor();
        await page.getByRole('dialog').getByText(LONG_WORD).first().waitFor();
      },
      leave: async (page) => {
        await page.getByRole('dialog').getByRole('button', { name: 'Mark all as seen' }).click();
        await page.getByText('Nothing needs your attention.').waitFor();
        await closeDialog(page);
      },
    },
  ];
}

async function faultsOn(page: Page, name: string): Promise<readonly string[]> {
  const faults = await findingsOn(page);
  const px = await page.evaluate<number>(TOO_WIDE);
  return [...faults, ...(px > 0 ? [`${px} px too wide`] : [])].map((fault) => `${name}: ${fault}`);
}

/** Before anybody has an account. */
async function faultsOfFirstPage(page: Page): Promise<readonly string[]> {
  await page.getByLabel('Claim code').fill('AAAA');
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('short');
  const before = await faultsOn(page, 'the first page');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').first().waitFor();
  return [...before, ...(await faultsOn(page, 'the first page, refused'))];
}

/** Is refused once: of an address that is refused more than some times, the hub asks to wait. */
async function faultsOfLogin(page: Page): Promise<readonly string[]> {
  await page.getByLabel('E-mail address').fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').first().waitFor();
  await page.getByText('Forgot your password?').click();
  return await faultsOn(page, 'the login, refused');
}

/** What is not there: these pages say so, each in its own words. */
const ABSENT = [
  '/none',
  '/device/none',
  '/room/none',
  '/scene/none',
  '/rule/none',
  '/rule/none/run/none',
  '/settings/people/none',
  '/settings/integrations/none',
];

const headingOf = (page: Page): Promise<string> => page.locator('main h1').first().innerText();

async function faultsOfPaths(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const notFound = new Set<string>();
  for (const path of ABSENT) {
    await goAsLink(page, path);
    notFound.add(await headingOf(page));
  }
  expect(notFound.size).toBe(ABSENT.length);
  for (const path of paths) {
    await goAsLink(page, path);
    if (path.startsWith('/history?')) await page.getByRole('figure').first().waitFor();
    const heading = await headingOf(page);
    if (!path.endsWith('/none') && notFound.has(heading)) faults.push(`${path}: ${heading}`);
    faults.push(...(await faultsOn(page, `${path} (${heading})`)));
  }
  return faults;
}

async function faultsOfViews(page: Page, views: readonly View[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, at, reach, leave } of views) {
    await goAsLink(page, at);
    await reach(page);
    faults.push(...(await faultsOn(page, name)));
    await leave?.(page);
  }
  return faults;
}

async function faultsOfWall(page: Page, token: string): Promise<readonly string[]> {
  await page.goto('/wall');
  await page.locator('main.wall-ask').waitFor();
  await page.getByText('Use an API token instead').click();
  const field = page.getByLabel('API token', { exact: true });
  await field.waitFor();
  const before = await faultsOn(page, 'the wall without a token');
  await field.fill(token);
  await page.getByRole('button', { name: 'Show the home' }).click();
  await page.getByRole('switch', { name: 'Kitchen: lights' }).waitFor();
  return [...before, ...(await faultsOn(page, 'the wall'))];
}

/** A hub that nobody has, and one of a family with everything that the page can show. */
export async function openLookedHome(): Promise<LookedHome> {
  const browser: Browser = await launchChromium();
  const hubs: HubFolder = createHubFolder();
  const others: HubFolder = createHubFolder();
  const hub: HubProcess = await hubs.serve();
  const unclaimed: HubProcess = await others.serve();
  const tokens = await claimHub(hub);
  const paths = await furnishLookedHome(hub, tokens);
  const wanted = { name: 'wall', scopes: ['device:read', 'device:control', 'event:read', 'scene:run'] };
  const wall = await hub.ask('POST', '/api/v1/api_token', { token: tokens.access_token, body: wanted });
  const { token: wallToken } = wall.json as { readonly token: string };
  const views = createViews((body) => hub.ask('POST', '/api/v1/notification', { token: tokens.access_token, body }));
  const faultsAt = async (
    address: string,
    look: BrowserContextOptions,
    walk: (page: Page) => Promise<readonly string[]>,
  ): Promise<readonly string[]> => {
    const { page, complaints } = await openWebPage(browser, address, look);
    const faults = await walk(page);
    await page.context().close();
    return [...faults, ...complaints];
  };
  return {
    faultsIn: async (look) => [
      ...(await faultsAt(unclaimed.address, look, faultsOfFirstPage)),
      ...(await faultsAt(hub.address, look, async (page) => {
        const login = await faultsOfLogin(page);
        await logInOnPage({ page, complaints: [] });
        return [
          ...login,
          ...(await faultsOfPaths(page, paths)),
          ...(await faultsOfViews(page, views)),
          ...(await faultsOfWall(page, wallToken)),
        ];
      })),
    ],
    faultsOfPages: (look, language) =>
      faultsAt(hub.address, look, async (page) => {
        await logInOnPage({ page, complaints: [] });
        await page.evaluate(`localStorage.setItem('hearthd.language', '${language}')`);
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.evaluate('document.documentElement.lang')).toBe(language);
        return await faultsOfPaths(page, paths);
      }),
    close: async () => {
      await browser.close();
      await hubs.close();
      await others.close();
    },
  };
}
