import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { readContract } from '#test/support/daemon/contract-check.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const contract = readContract();
const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods));

describe.skipIf(!needs('chromium'))('the page of the API', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;

  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    await claimHub(hub);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  /** Fails the test for every error in the browser, and for each request that does not go to the hub. */
  const openPage = async (options: BrowserContextOptions, path = '/docs', last = 'Failures'): Promise<Page> => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      // The tests try calls that the hub refuses, so this message is expected.
      if (!message.text().includes('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => void complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(hub.address)) complaints.push(request.url());
    });
    onTestFinished(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });
    await page.goto(`${hub.address}${path}`);
    await page.getByRole('heading', { name: last, level: 2 }).waitFor();
    return page;
  };
  const overflow = (page: Page): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const openAll = (page: Page): Promise<void> =>
    page.evaluate('for (const call of document.querySelectorAll("details.call")) call.open = true');
  const call = (page: Page, id: string) => page.locator(`#${id}`);

  test('H4: lists every call of the document and every failure, under the strict policy and from the hub alone', async () => {
    const page = await openPage(DESKTOP);
    const ids = await page.locator('details.call').evaluateAll((calls) => calls.map(({ id }) => id));
    const wanted = [...operations.map(({ operationId }) => operationId), 'deliverEvents'];
    expect(new Set(ids)).toEqual(new Set(wanted));
    expect(ids).toHaveLength(wanted.length);
    const codes = contract.components.schemas['ProblemCode']?.['x-extensible-enum'] as string[];
    expect(await page.locator('[id^="problems-"]').count()).toBe(codes.length);
  });

  test('begins with first steps, which come when somebody opens them', async () => {
    const page = await openPage(PHONE);
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const guide = page.locator('#guide');
    await guide.locator('> summary').click();
    for (const chapter of ['curl', 'Tokens', 'Ten scripts', 'Events', 'Automations by script', 'Errors']) {
      await guide.getByText(chapter, { exact: true }).first().click();
    }
    await guide.getByText('/api/v1/automation_validation').waitFor();
    await guide.getByRole('row', { name: 'Toggle a lamp' }).waitFor();
    expect(asked).toContain('/docs/guide.md');
    expect(await overflow(page)).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
  });

  test.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ] as const)('fits %s with all calls open, and each field has a name', async (_, options) => {
    const page = await openPage(options);
    expect(await overflow(page)).toBe(0);
    await openAll(page);
    await page.locator('form.try').last().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('form.try').count()).toBe(operations.length);
    expect(await overflow(page)).toBe(0);
    const unnamed = await page
      .locator('input, select, textarea')
      .evaluateAll(
        (fields) =>
          fields.filter((one) => (one as unknown as { labels: ArrayLike<unknown> }).labels.length === 0).length,
      );
    expect(unnamed).toBe(0);
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.length).toBe(new Set(ids).size);
    const dead = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(dead.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
  });

  test('a call can be tried by keyboard alone; the token is kept only in the page', async () => {
    const page = await openPage(DESKTOP, '/docs#listDevices');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    const send = call(page, 'listDevices').getByRole('button', { name: 'Send GET' });
    await send.press('Enter');
    await call(page, 'listDevices').getByText(/^401 /).waitFor();
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByText(`Logged in as ${OWNER.email}.`).waitFor();
    await send.press('Enter');
    await call(page, 'listDevices').getByText(/^200 /).waitFor();
    await call(page, 'listDevices').locator('.answer').getByText('"kitchen-ceiling"').waitFor();
    await expect.poll(() => call(page, 'listDevices').getByText('$TOKEN').count()).toBe(1);
    const kept = 'localStorage.length + sessionStorage.length + document.cookie.length';
    expect(await page.evaluate(kept)).toBe(0);
    expect(await page.content()).not.toMatch(/eyJ[\w-]{10}/);
    await page.getByRole('button', { name: 'Log out' }).press('Enter');
    await page.getByText('Logged out.').waitFor();
  });

  test('a command goes out with its body, headers and path as they were filled in', async () => {
    const page = await openPage(PHONE, '/docs#commandDevice');
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Log in' }).tap();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    const view = call(page, 'commandDevice');
    await view.getByLabel('selector').fill('kitchen-ceiling');
    await view.getByLabel('Prefer').fill('wait=5');
    await view.getByLabel('Body').fill('{"set": {"on": true}}');
    await view.getByRole('button', { name: 'Send POST' }).tap();
    await view.getByText(/^200 /).waitFor();
    const answer = view.locator('.answer');
    await expect.poll(() => answer.textContent()).toContain('preference-applied: wait=5');
    await expect.poll(() => answer.textContent()).toContain('"status": "confirmed"');
  });

  test('the stream of events is shown as it arrives, until it is stopped', async () => {
    const page = await openPage(DESKTOP, '/docs#followEvents');
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await call(page, 'followEvents').getByLabel('Accept').selectOption('text/event-stream');
    await call(page, 'followEvents').getByRole('button', { name: 'Send GET' }).click();
    const answer = call(page, 'followEvents').locator('.answer');
    await expect.poll(() => answer.textContent()).toContain('event: hub.heartbeat');
    await call(page, 'followEvents').getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => answer.textContent()).toContain('Stopped.');
  });

  test.each([
    {
      locale: 'de-AT',
      lang: 'de',
      last: 'Fehler',
      logIn: 'Anmelden',
      why: 'E-Mail-Adresse oder Passwort ist falsch.',
    },
    {
      locale: 'fr',
      lang: 'fr',
      last: 'Échecs',
      logIn: 'Se connecter',
      why: 'L’adresse e-mail ou le mot de passe est faux.',
    },
    {
      locale: 'es',
      lang: 'es',
      last: 'Errores',
      logIn: 'Iniciar sesión',
      why: 'El correo electrónico o la contraseña no son correctos.',
    },
  ])(
    'speaks to a reader of $locale, and marks what the document says as English',
    async ({ locale, lang, last, logIn, why }) => {
      const page = await openPage({ ...PHONE, locale }, '/docs#listDevices', last);
      expect(await page.evaluate('document.documentElement.lang')).toBe(lang);
      await page.locator('input[type="email"]').fill(OWNER.email);
      await page.locator('input[type="password"]').fill('not the password');
      await page.getByRole('button', { name: logIn, exact: true }).tap();
      await page.getByText(why).waitFor();
      const notEnglish = `[...document.querySelectorAll('.summary, .schema, #listDevices > div')].flatMap((one) =>
      one.closest('[lang]').lang === 'en' ? [] : [one.textContent])`;
      expect(await page.evaluate(notEnglish)).toEqual([]);
      expect(await findingsOn(page)).toEqual([]);
    },
  );

  test('the search finds calls by their words', async () => {
    const page = await openPage(PHONE);
    await page.getByLabel('Find a call').fill('delete ROOM/');
    await expect.poll(() => page.locator('details.call:visible').count()).toBe(1);
    await page.getByText(/^1 of \d+ calls$/).waitFor();
  });

  test('a failure leads here and back', async () => {
    const { json } = await hub.ask('GET', '/problems/device-offline');
    const { documentation } = json as { documentation: string };
    const page = await openPage(PHONE, documentation);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('problems-device-offline');
    const link = page.locator('#problems-device-offline a');
    expect(await link.getAttribute('href')).toBe('/problems/device-offline');
  });
});
