import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createHubFolder, type HubFolder, type HubProcess, logIn, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { claimCodeOf, openWebPage, passFirstSteps, PHONE } from '#test/support/page/web-page.ts';

describe.skipIf(!needs('chromium'))('the first visit', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
  });
  afterEach(() => hubs.close());

  test('goes from the claim code to a lamp that is turned off, by keyboard or finger', async () => {
    const { page, complaints } = await openWebPage(browser, hub.address, PHONE);
    // The command that fits a person who started the hub in the folder above its state.
    await page.getByText('node hearthd.mjs --state-dir state claim').waitFor();
    await page.getByLabel('Claim code').fill(claimCodeOf(hub).toLowerCase().replace('-', ''));
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByText('characters', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Create account' }).tap();
    await passFirstSteps(page);

    const lamp = page.getByRole('switch', { name: 'Kitchen: lights' });
    await expect.poll(() => lamp.getAttribute('aria-checked')).toBe('true');
    await lamp.tap();
    await expect.poll(() => lamp.getAttribute('aria-checked')).toBe('false');
    await page.reload();
    await expect.poll(() => lamp.getAttribute('aria-checked')).toBe('false');
    await lamp.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => lamp.getAttribute('aria-checked')).toBe('true');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('asks in three steps who one is, where the home is, and for devices, and each can be left for later', async () => {
    const zone = { ...PHONE, timezoneId: 'Europe/Vienna', locale: 'en-GB' };
    const { page, complaints } = await openWebPage(browser, hub.address, zone);
    const present = (): Promise<string | null> => page.locator('.first-steps [aria-current=step]').textContent();
    await expect.poll(present).toBe('You');
    await page.getByLabel('Claim code').fill(claimCodeOf(hub));
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Create account' }).tap();

    await page.getByRole('heading', { level: 1, name: 'Your home' }).waitFor();
    await expect.poll(present).toBe('Your home');
    // Nothing leads away yet.
    expect(await page.getByRole('navigation').count()).toBe(0);
    // A reload in between loses nothing but what was typed.
    await page.reload();
    await page.getByLabel('Name of this home').fill('Mill house');
    await expect.poll(() => page.getByLabel('Time zone', { exact: true }).inputValue()).toBe('Europe/Vienna');
    const zones = page.getByLabel('Time zone', { exact: true }).locator('option');
    const first = await zones.evaluateAll((all) => all.slice(0, 40).map((one) => one.textContent));
    expect([first[0], first.includes('Europe/Berlin'), first.includes('Africa/Abidjan')]).toEqual([
      'Europe/Vienna',
      true,
      false,
    ]);
    await page.getByLabel('Near another city').check();
    const cities = await page.getByLabel('City', { exact: true }).locator('option').allInnerTexts();
    expect(cities.slice(0, 2)).toEqual(['Graz', 'Innsbruck']);
    expect(cities).toContain('München');
    expect(cities).not.toContain('Tokyo');
    await page.getByLabel('Time zone', { exact: true }).selectOption('America/Argentina/Ushuaia');
    await page.getByLabel('Near Ushuaia').waitFor();
    await page.getByLabel('Enter coordinates').check();
    await page.getByRole('button', { name: 'Continue' }).tap();
    await expect.poll(() => page.getByText('Required', { exact: true }).count()).toBe(2);
    await page.getByLabel('Latitude').fill('48,2');
    await page.getByLabel('Longitude').fill('516.4');
    await page.getByRole('button', { name: 'Continue' }).tap();
    await expect.poll(() => page.getByLabel('Longitude').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Near Ushuaia').check();
    await page.getByRole('button', { name: 'Continue' }).tap();

    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.getByText('13 devices are in your home already.').waitFor();
    await page.getByRole('link', { name: 'Go to the home' }).tap();
    await page.getByRole('heading', { level: 1, name: /, Ada$/ }).waitFor();
    await page.getByRole('link', { name: 'Mill house' }).waitFor();
    const { access_token: token } = await logIn(hub);
    const { json: kept } = await hub.ask('GET', '/api/v1/hub', { token });
    expect(kept).toMatchObject({ name: 'Mill house', time_zone: 'America/Argentina/Ushuaia' });
    // By a time server, or by the browser.
    expect(kept).not.toMatchObject({ clock: { source: 'none' } });
    const { json: place } = await hub.ask('GET', '/api/v1/hub/location', { token });
    expect(place).toMatchObject({ latitude: -54.8, longitude: -68.3 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('says at each field what is wrong with it, and refuses a wrong code', async () => {
    const { page } = await openWebPage(browser, hub.address);
    await page.getByLabel('Claim code').fill('AAAA-AAAA');
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill('password1234');
    const submit = page.getByRole('button', { name: 'Create account' });
    await submit.click();
    await page.getByText('The claim code is not the one that the hub shows.').waitFor();
    expect(await page.getByLabel('Claim code').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Claim code').fill(claimCodeOf(hub));
    await submit.click();
    await page.getByText('on the lists that attackers try first').waitFor();
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(0);
    await page.context().close();
  });

  test('says in its own words, and not the browser’s, which fields are empty, and leads to the first of them', async () => {
    const { page } = await openWebPage(browser, hub.address, PHONE);
    await page.getByRole('button', { name: 'Create account' }).tap();
    await page.getByText('Required').first().waitFor();
    expect(await page.getByText('Required', { exact: true }).count()).toBe(3);
    await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('Claim code');
    await page.getByLabel('E-mail address').fill('not an address');
    await page.getByLabel('Claim code').fill(claimCodeOf(hub));
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Create account' }).tap();
    // The hub checked the address, and the browser shows no message of its own.
    await expect.poll(() => page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('Required', { exact: true }).count()).toBe(0);
    await page.context().close();
  });

  test('of a home without devices says on each page what comes first', async () => {
    const empty = createHubFolder();
    const bare = await empty.serve({ HEARTHD_SIMULATE: '0' });
    const { page, complaints } = await openWebPage(browser, bare.address, PHONE);
    await page.getByLabel('Claim code').fill(claimCodeOf(bare));
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Create account' }).tap();
    await passFirstSteps(page);
    await page.getByRole('heading', { level: 1, name: 'No devices yet' }).waitFor();
    const buttons = (): Promise<readonly string[]> =>
      page.locator('main .page :is(button, a).button-main').allInnerTexts();
    await page.goto('/room');
    await page.getByText('No devices yet').waitFor();
    expect(await buttons()).toEqual(['Add devices']);
    expect(await page.getByRole('button', { name: 'Show all devices' }).count()).toBe(0);
    await page.goto('/history/energy');
    await page.getByText('No device in your home counts energy yet.').waitFor();
    expect(await buttons()).toEqual(['Add a device']);
    await page.goto('/history');
    await page.getByText('Nothing is recorded yet.').waitFor();
    expect(await buttons()).toEqual([]);
    // Samples that wait for the disk are not none.
    await page.route('**/api/v1/health', async (route) => {
      const answer = await route.fetch();
      const health = (await answer.json()) as { history: object };
      const history = { ...health.history, bytes: 0, waiting_samples: 14_000 };
      await route.fulfill({ response: answer, json: { ...health, history } });
    });
    await page.goto('/settings/health');
    await page.getByText(/^14,?000 values/).waitFor();
    expect(await page.getByText('0 bytes').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
    await empty.close();
  });

  test('of a second browser leads to the login', async () => {
    const first = await openWebPage(browser, hub.address);
    const second = await openWebPage(browser, hub.address);
    for (const { page } of [first, second]) {
      await page.getByLabel('Claim code').fill(claimCodeOf(hub));
      await page.getByLabel('E-mail address').fill(OWNER.email);
      await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    }
    await first.page.getByRole('button', { name: 'Create account' }).click();
    await passFirstSteps(first.page);
    await first.page.getByRole('switch').first().waitFor();
    await second.page.getByRole('button', { name: 'Create account' }).click();
    await expect.poll(() => second.page.getByRole('button', { name: 'Log in' }).count()).toBe(1);
    await second.page.getByText('Forgot your password?').click();
    await second.page.getByText('node hearthd.mjs --state-dir state user password').waitFor();
    await first.page.context().close();
    await second.page.context().close();
  });
});
