import type { Browser, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
  OWNER,
} from '#test/support/daemon/hub-process.ts';
import { expectWithinBudget } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { launchWholeChromium } from '#test/support/page/chromium.ts';
import { furnishLargeHome } from '#test/support/home/large-home.ts';
import { PHONE } from '#test/support/page/web-page.ts';

const MOST_BYTES = 70 * 1024;
const MOST_FILES = 12;
/** What is loaded beside the home begins within this. */
const QUIET_MS = 3_000;

describe.skipIf(!needs('chromium'))('until the home of 61 devices is quiet', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  beforeAll(async () => {
    browser = await launchWholeChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    const tokens = await claimHub(hub);
    await listDevices(hub, tokens.access_token, 13);
    await furnishLargeHome(hub, tokens);
    // A hub without a time server has a trouble to tell, which has words of its own.
    const body = { now: new Date().toISOString() };
    await hub.ask('POST', '/api/v1/hub/clock', { token: tokens.access_token, body });
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  test.each(['en', 'de', 'fr', 'es'])(
    'a browser that was never here loads at most 70 KB in twelve files in %s, beside the answers of the API',
    async (locale) => {
      const context = await browser.newContext({ ...PHONE, locale, baseURL: hub.address });
      const page = await context.newPage();
      const answers: Response[] = [];
      page.on('response', (answer) => answers.push(answer));
      await page.goto('/');
      await page.locator('input[type="email"]').fill(OWNER.email);
      await page.locator('input[type="password"]').fill(OWNER.password);
      await page.locator('button[type="submit"]').tap();
      await expect.poll(() => page.locator('.room-card h3').count()).toBe(10);
      await page.waitForTimeout(QUIET_MS);
      expect(await page.locator('.home-troubles button').count()).toBe(0);
      const files = answers.filter((answer) => !/^\/api(?:\/|$)/.test(new URL(answer.url()).pathname));
      const sizes = await Promise.all(files.map(async (file) => (await file.request().sizes()).responseBodySize));
      const paths = files.map((file) => new URL(file.url()).pathname);
      expect(paths).toContain('/');
      expect(paths.slice(MOST_FILES)).toEqual([]);
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expectWithinBudget(`loaded for the home in ${locale}, bytes`, bytes, MOST_BYTES);
      await context.close();
    },
  );
});
