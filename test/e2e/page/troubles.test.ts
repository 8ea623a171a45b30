import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createHubFolder, type HubFolder } from '#test/support/daemon/hub-process.ts';
import { type LargeHome, openLargeHome } from '#test/support/daemon/large-home.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openWebPage } from '#test/support/page/web-page.ts';

const GUEST = { name: 'Ben', email: 'ben@example.org', password: 'lake stone candle', role: 'guest' };
const NAMES = Array.from({ length: 40 }, (_, index) => `Thing ${index + 1}`);
const troubles = (page: Page) => page.locator('.troubles .notice');
const lost = (page: Page) => troubles(page).getByText('Zigbee2MQTT has not been connected since');

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
    await owner.locator('.troubles').waitFor({ state: 'attached' });
    expect([await lost(owner).count(), await pill.count()]).toEqual([0, 0]);
    await home.broker.stop();
    for (const page of [owner, guest]) {
      await lost(page).waitFor();
      const words = await troubles(page).filter({ hasText: 'Zigbee2MQTT' }).textContent();
      expect(words).toMatch(
        /^Zigbee2MQTT has not been connected since \d?\d:\d\d.*: 40 devices are out of reach\. .+127\.0\.0\.1/,
      );
    }
    await expect.poll(() => pill.textContent()).toBe('40 out of reach');
    await pill.click();
    await expect.poll(() => owner.getByRole('dialog').getByRole('listitem').count()).toBe(40);
    await owner.getByRole('button', { name: 'Close' }).click();
    expect(await guest.getByRole('link', { name: 'Check the connection' }).count()).toBe(0);
    await owner.getByRole('link', { name: 'Check the connection' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Zigbee2MQTT' }).waitFor();
    await home.broker.start();
    await owner.goto(home.hub.address);
    await expect.poll(() => lost(owner).count(), { timeout: 15_000 }).toBe(0);
    await expect.poll(() => lost(guest).count(), { timeout: 15_000 }).toBe(0);
    // The devices return a moment after their bridge.
    await expect.poll(() => pill.count(), { timeout: 15_000 }).toBe(0);
  }, 40_000);

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
      await page.locator('.troubles').waitFor({ state: 'attached' });
    }
    const failed = troubles(owner).locator('p', { hasText: 'The last backup failed.' });
    await failed.waitFor();
    expect(await guest.getByText('The last backup failed.').count()).toBe(0);
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
    await troubles(owner).getByText('The disk does not take writes.').waitFor();
    expect(await troubles(owner).count()).toBe(1);
  });
});
