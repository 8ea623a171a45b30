import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createMeteredHome, type MeteredHome } from '#test/support/page/metered-home.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

describe.skipIf(!needs('chromium'))('settings of energy that two people change', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let home: MeteredHome;
  let web: WebPage;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    home = await createMeteredHome(hub, await claimHub(hub));
    web = await openWebPage(browser, hub.address, { ...PHONE, colorScheme: 'light' });
    page = web.page;
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const nameOfFridge = () => page.getByLabel('Name (optional)');
  const nameElsewhere = async (name: string): Promise<void> => {
    const consumers = [{ series: 'kitchen-fridge-plug/energy', name }];
    expect((await home.call('PUT', '/energy/settings', { ...home.settings, consumers })).status).toBe(200);
  };
  const savedName = async (): Promise<unknown> => {
    const { json } = await home.call('GET', '/energy/settings');
    return (json as { consumers: { name: string }[] }).consumers[0]?.name;
  };
  /** Types a name after somebody else has saved one, and saves it. */
  const collide = async (theirs: string, mine: string): Promise<void> => {
    await page.goto(`${hub.address}/settings/energy?part=consumers`);
    await page.locator('summary', { hasText: /^(?:Fridge|Freezer|Icebox|Larder)$/ }).tap();
    await nameOfFridge().waitFor();
    await nameElsewhere(theirs);
    await nameOfFridge().fill(mine);
    await button('Save').tap();
    await page.getByText('Somebody else changed these settings meanwhile.').waitFor();
    expect(await nameOfFridge().inputValue()).toBe(mine);
    expect(await savedName()).toBe(theirs);
  };

  test('what a person typed stays and can be saved over the change of another', async () => {
    await nameElsewhere('Fridge');
    await collide('Freezer', 'Icebox');
    expect(await findingsOn(page)).toEqual([]);
    await button('Save mine').tap();
    await page.getByText('Saved. The hub adds up').waitFor();
    expect(await savedName()).toBe('Icebox');
  });

  test('or gives way to what the other saved, which can be changed then', async () => {
    await collide('Freezer', 'Larder');
    await button('Show theirs').tap();
    await expect.poll(() => nameOfFridge().inputValue()).toBe('Freezer');
    expect(await button('Save mine').count()).toBe(0);
    await nameOfFridge().fill('Larder');
    await button('Save').tap();
    await page.getByText('Saved. The hub adds up').waitFor();
    expect(await savedName()).toBe('Larder');
  });
});
