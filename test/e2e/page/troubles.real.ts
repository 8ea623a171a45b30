import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createHubFolder, type HubFolder } from '#test/support/daemon/hub-process.ts';
import { type LargeHome, openLargeHome } from '#test/support/daemon/large-home.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openWebPage } from '#test/support/page/web-page.ts';

const GUEST = { name: 'Ben', email: 'ben@example.org', password: 'lake stone candle', role: 'guest' };
const NAMES = Array.from({ length: 40 }, (_, index) => `Thing ${index + 1}`);
const pillOf = (page: Page) => page.locator('.home-troubles').getByRole('button', { name: /^\d+ problems?$/ });
/** What the pill in the head opens. */
const troubles = (page: Page) => page.getByRole('dialog', { name: /^\d+ problems?$/ });
const lost = (page: Page) => troubles(page).getByText('Zigbee2MQTT has not been connected since');
/** Looks into what the pill opens, which is gone while there is nothing to say. */
const hasWord = async (page: Page): Promise<boolean> => {
  if ((await troubles(page).count()) === 0 && (await pillOf(page).count()) > 0) await pillOf(page).click();
  return (await lost(page).count()) > 0;
};
/** Their place in the head is filled, even if there are none. */
const untilRead = (page: Page) => page.locator('.home-troubles > [role=status]').waitFor({ state: 'attached' });

describe.skipIf(!needs('chromium'))('the home says at its top', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let home: LargeHome;
  let owner: Page;
  let guest: Page;
  beforeAll(async () => {
    hubs = createHubFolder();
    home = await openLargeHome(hubs, NAMES, ['Hall', 'Kitchen']);
    await home.hub.ask('POST', '/api/v1/user', { token: home.token, body: GUEST });
    browser = await launchChromium();
    const webs = [await openWebPage(browser, home.hub.address), await openWebPage(browser, home.hub.address)] as const;
    await logInOnPage(webs[0]);
    await logInOnPage(webs[1], GUEST);
    [owner, guest] = [webs[0].page, webs[1].page];
  });
  afterAll(async () => {
    await browser.close();
    await home.close();
    await hubs.close();
  });

  test('that a bridge is down, since when, and how many devices it takes along, which all need attention', async () => {
    const pill = owner.getByRole('button', { name: /out of reach$/ });
    await untilRead(owner);
    expect(await pill.count()).toBe(0);
    await home.broker.stop();
    // What answers at an address of the home is for its owner.
    const reasons = [/ .+127\.0\.0\.1/, / There is no connection, or no answer that the hub understands\. $/] as const;
    for (const [at, page] of [owner, guest].entries()) {
      await expect.poll(() => hasWord(page)).toBe(true);
      const words = (await troubles(page).locator('p', { hasText: 'Zigbee2MQTT' }).textContent()) ?? '';
      const [trouble, reason] = words.split(/(?<=out of reach\.)/);
      expect(trouble).toMatch(/^Zigbee2MQTT has not been connected since \d?\d:\d\d.*: 40 devices are out of reach\.$/);
      expect(reason).toMatch(reasons[at] ?? /never/);
    }
    expect(await guest.getByRole('link', { name: 'Check the connection' }).count()).toBe(0);
    await troubles(owner).getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => pill.textContent()).toBe('40 out of reach');
    await pill.click();
    await expect.poll(() => owner.getByRole('dialog').getByRole('listitem').count()).toBe(40);
    await owner.getByRole('button', { name: 'Close' }).click();
    await pillOf(owner).click();
    await owner.getByRole('link', { name: 'Check the connection' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Zigbee2MQTT' }).waitFor();
    await home.broker.start();
    await owner.goto(home.hub.address);
    await untilRead(owner);
    for (const page of [owner, guest]) await expect.poll(() => hasWord(page)).toBe(false);
    // The devices return a moment after their bridge.
    await expect.poll(() => pill.count()).toBe(0);
  });

  test('only to admins and owners that the last backup has failed', async () => {
    for (const page of [owner, guest]) {
      // The disk of this machine takes every backup.
      await page.route('**/api/v1/health', async (route) => {
        const answer = await route.fetch();
        const health = (await answer.json()) as { database: object };
        const database = { ...health.database, backup_failure: 'no space left on device' };
        await route.fulfill({ response: answer, json: { ...health, database } });
      });
      await page.reload();
      await untilRead(page);
    }
    await pillOf(owner).click();
    const failed = troubles(owner).locator('p', { hasText: 'The last backup failed.' });
    await failed.waitFor();
    expect(await pillOf(guest).count()).toBe(0);
    await failed.getByRole('link', { name: 'What to do' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
  });

  test('to admins and owners that the health of the hub cannot be read', async () => {
    await owner.route('**/api/v1/health', async (route) => {
      const body = JSON.stringify({
        code: 'STORAGE_UNAVAILABLE',
        detail: 'The disk does not take writes.',
        status: 503,
      });
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body });
    });
    await owner.goto(home.hub.address);
    await pillOf(owner).click();
    await troubles(owner).getByText('The disk does not take writes.').waitFor();
    expect(await troubles(owner).count()).toBe(1);
  });
});
