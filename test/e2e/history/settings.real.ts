import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { importPast } from '#test/support/page/past.ts';
import { logInOnPage, openDetails, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

describe.skipIf(!needs('chromium'))('what is recorded and how long it is kept', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  let web: WebPage;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    ({ access_token: token } = await claimHub(hub));
    await importPast(hub, token, {
      days: 70,
      series: {
        'bedroom-climate/temperature': (atMs) => 20 + (atMs % 7),
        'hallway-ceiling/on': (atMs) => atMs % 3 === 0,
      },
    });
    web = await openWebPage(browser, hub.address, { ...PHONE, viewport: { width: 320, height: 700 } });
    page = web.page;
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });
  const ask = async (path: string) =>
    (await hub.ask('GET', `/api/v1${path}`, { token })).json as Record<string, unknown>;
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();

  test('the page of a device says how much of a feature is recorded, and changes it', async () => {
    await page.goto(`${hub.address}/device/bedroom-climate`);
    await openDetails(page);
    await button('What is recorded?').tap();
    const row = page
      .getByRole('listitem')
      .filter({ hasText: 'Every change is recorded.' })
      .filter({ hasText: 'Temperature' });
    await row.waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await row.getByRole('button', { name: 'Change the recording of Temperature' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('At most one value in so many seconds').fill('soon');
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await expect
      .poll(() => dialog.getByLabel('At most one value in so many seconds').getAttribute('aria-invalid'))
      .toBe('true');
    await dialog.getByLabel('At most one value in so many seconds').fill('60');
    await dialog.getByLabel(/^Leave out changes of up to/).fill('0,5');
    expect(await findingsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('At most one value in 60 seconds. Changes of up to 0.5° are left out.').waitFor();
    expect(await ask('/device/bedroom-climate/feature/temperature/recording')).toEqual({
      mode: 'auto',
      min_interval_s: 60,
      deadband: 0.5,
      recorded: true,
    });
  });

  test('the settings ask before old months go, and take rules', async () => {
    await page.goto(`${hub.address}/settings`);
    await page.getByRole('link', { name: /^Storage How long/ }).tap();
    await page.getByText('Written today by the hub, all together').waitFor();
    await page.getByLabel('Days', { exact: true }).fill('0');
    await button('Save').tap();
    await expect.poll(() => page.getByLabel('Days', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    // The files of months are made every six hours, so this hub has none yet.
    await page.route('**/history/settings?dry_run=true', async (route) => {
      const answer = await route.fetch();
      const json = { ...((await answer.json()) as object), removes: { months: ['2026-09'], bytes: 12_000_000 } };
      await route.fulfill({ response: answer, json });
    });
    await page.getByLabel('Days', { exact: true }).fill('20');
    await button('Save').tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^1 month is older or too large: 12\sMB go/).waitFor();
    expect(await ask('/history/settings')).toMatchObject({ raw_days: 400 });
    await dialog.getByRole('button', { name: 'Remove them' }).tap();
    await page.getByText('Saved.').waitFor();
    expect(await ask('/history/settings')).toMatchObject({ raw_days: 20 });

    await page.getByLabel('What it is about').selectOption('Everything in Hallway');
    await button('Add rule').tap();
    await page.getByText('Never', { exact: true }).first().waitFor();
    await button('Remove the rule: Everything in Hallway').waitFor();
    expect(await ask('/history/settings')).toMatchObject({ per: [{ recording: 'off' }] });
    expect(await findingsOn(page)).toEqual([]);
    await page.getByLabel('What it is about').selectOption('Everything in Hallway');
    await page.getByLabel('Keep every change for so many days').fill('0');
    await button('Change rule').tap();
    await expect
      .poll(() => page.getByLabel('Keep every change for so many days').getAttribute('aria-invalid'))
      .toBe('true');
    await page.getByLabel('Keep every change for so many days').fill('30');
    await button('Change rule').tap();
    await page.getByText('Never, every change for 30 days').waitFor();
    expect(await ask('/history/settings')).toMatchObject({ per: [{ recording: 'off', raw_days: 30 }] });
    await page.getByLabel('What it is about').selectOption('“Temperature” of every device');
    await button('Add rule').tap();
    await button('Remove the rule: “Temperature” of every device').tap();
    await expect.poll(() => button('Remove the rule: “Temperature” of every device').count()).toBe(0);
    expect(await ask('/history/settings')).toMatchObject({ per: [{ recording: 'off', raw_days: 30 }] });
    await button('Remove the rule: Everything in Hallway').tap();
    await expect.poll(() => button('Remove the rule: Everything in Hallway').count()).toBe(0);
    expect(await ask('/history/settings')).toMatchObject({ per: [] });
  });

  test('an owner deletes the history of a feature after a question that says what goes', async () => {
    const path = '/device/bedroom-climate/feature/temperature/history?from=-10d&resolution=raw';
    const rowsOf = async (): Promise<number> => {
      const { series } = (await ask(path)) as { series: { rows: unknown[] }[] };
      return series[0]?.rows.length ?? 0;
    };
    expect(await rowsOf()).toBeGreaterThan(100);
    await page.goto(`${hub.address}/settings/history`);
    await page.getByRole('combobox', { name: 'Device' }).selectOption('Bedroom climate');
    await page.getByRole('combobox', { name: 'Feature' }).selectOption('Temperature');
    await button('Delete…').tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Bedroom climate: Temperature, of all times').waitFor();
    const deletions: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE' && !request.url().includes('dry_run')) deletions.push(request.url());
    });
    await dialog.getByRole('button', { name: 'Cancel' }).tap();
    await dialog.waitFor({ state: 'detached' });
    expect(await rowsOf()).toBeGreaterThan(100);
    await button('Delete…').tap();
    await dialog.getByRole('button', { name: 'Delete for ever' }).tap();
    await page.getByText('The history was deleted.').waitFor();
    expect(await rowsOf()).toBeLessThan(10);
    expect(deletions).toHaveLength(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(web.complaints).toEqual([]);
  });

  test('an owner deletes the history of a device that is gone', async () => {
    const { status } = await hub.ask('DELETE', '/api/v1/device/hallway-ceiling?force=true', { token });
    expect(status).toBe(204);
    const gone = async () => {
      const { json } = await hub.ask('GET', '/api/v1/history/series?removed=true', { token });
      return (json as { series: { key: string }[] }).series;
    };
    expect((await gone()).map(({ key }) => key)).toContain('on');
    await page.goto(`${hub.address}/settings/history`);
    const devices = page.getByRole('combobox', { name: 'Device' });
    const option = devices.locator('option', { hasText: /^Gone: .*On/ });
    await option.waitFor({ state: 'attached' });
    await devices.selectOption((await option.getAttribute('value')) ?? '');
    await button('Delete…').tap();
    await page
      .getByRole('dialog')
      .getByText(/Gone: .*On/)
      .waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).tap();
    await expect.poll(gone).toEqual([]);
    await option.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(web.complaints).toEqual([]);
  });
});
