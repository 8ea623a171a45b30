import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { OWNER, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { AS_OLDEST_BROWSER } from './oldest-browser.ts';

export type WebPage = {
  readonly page: Page;
  /** Complaints of the browser: refusals by the policy, uncaught errors, errors and warnings on the console. */
  readonly complaints: readonly string[];
};

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

/** The browser writes an answer above 399 to the console as well; a test looks at what the page shows. */
const ORDINARY = /^Failed to load resource: (?:the server responded|net::ERR_)/;
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('refused by the policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;

/** A browser that has never been here, on the hub's page, with no function that is newer than the page may need. */
export async function openWebPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WebPage> {
  const context = await browser.newContext({ ...options, baseURL: address });
  await context.addInitScript(REPORT_VIOLATIONS);
  await context.addInitScript(AS_OLDEST_BROWSER);
  const page = await context.newPage();
  const complaints = collectComplaints(page);
  await page.goto(address);
  return { page, complaints };
}

/** Another tab of the same browser. */
export async function openTab({ page }: WebPage, address: string): Promise<WebPage> {
  const tab = await page.context().newPage();
  const complaints = collectComplaints(tab);
  await tab.goto(address);
  return { page: tab, complaints };
}

function collectComplaints(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !ORDINARY.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  return complaints;
}

/** Logs in by the form, as a person does. */
export async function logInOnPage({ page }: WebPage, who: { email: string; password: string } = OWNER): Promise<void> {
  await page.getByLabel('E-mail address').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 3 }).first().waitFor();
}

/** From the first account on: the home as it is proposed, and devices later. */
export async function passFirstSteps(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: /^(?:Later|Go to the home)$/ })
    .click();
}

/** To the page that has each device, with every room open. */
export async function openDevices(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await page.locator('.room-fold').first().waitFor();
  const folded = page.locator('.room-fold[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
  await page.locator('.card').first().waitFor();
}

/** Opens the fold of a device. What is still loading above it would push it away under the finger. */
export async function openDetails(page: Page): Promise<void> {
  const words = page.getByText('Details', { exact: true });
  await words.waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await words.tap();
  await page.locator('details[open]').filter({ has: words }).waitFor();
}

export function claimCodeOf(hub: HubProcess): string {
  return /Claim code: (\S+)/.exec(hub.stdout())?.[1] ?? '';
}
