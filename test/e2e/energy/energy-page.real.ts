import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createMeteredHome, type MeteredHome } from '#test/support/page/metered-home.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';
import { LONG_DAY, SHORT_DAY } from '#test/web/energy/energy-answers.ts';

const NARROW: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 700 } };
const HOUR_MS = 3_600_000;
type Body = Record<string, unknown>;

describe.skipIf(!needs('chromium'))('energy on the page', () => {
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
    for (const { fromMs, hours } of [LONG_DAY, SHORT_DAY]) {
      await home.measure(fromMs - HOUR_MS, fromMs + hours * HOUR_MS + HOUR_MS);
    }
    web = await openWebPage(browser, hub.address, { ...NARROW, colorScheme: 'light' });
    page = web.page;
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  const expectReadable = async (): Promise<void> => {
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  };
  const select = (label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption({ label: option });

  test('a home without settings reads what it needs, and is led to the settings', async () => {
    await page.goto(`${hub.address}/history/energy`);
    await page.getByRole('heading', { name: 'What does your home use?' }).waitFor();
    await page.getByText('3 devices in your home can be used for this.').waitFor();
    await expectReadable();
    await page.getByRole('link', { name: 'Set up energy' }).tap();
    await page.getByRole('heading', { name: 'Energy settings' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/energy');
  });

  test('seven taps and a price set up a home whose likely answers are right', async () => {
    let taps = 1; // “Set up energy”
    const next = async (name = 'Next'): Promise<void> => {
      taps += 1;
      await page.getByRole('button', { name, exact: true }).tap();
    };
    await page.getByText('Question 1 of 5').waitFor();
    await page.getByRole('heading', { name: 'Which device measures your connection to the grid?' }).waitFor();
    // What it gives back tells it from the plugs.
    expect(await page.getByRole('radio', { name: 'Grid meter' }).isChecked()).toBe(true);
    expect(await page.getByText('meter 2').count()).toBe(0);
    await expectReadable();
    await next();
    await page.getByRole('heading', { name: 'What makes your solar power?' }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Roof inverter' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Grid meter' }).count()).toBe(0);
    await expectReadable();
    await next();
    expect(await page.getByRole('checkbox', { name: 'Gas meter' }).isChecked()).toBe(true);
    await next();
    await page.getByRole('heading', { name: 'What is measured on its own?' }).waitFor();
    const consumers = page.getByRole('checkbox');
    expect(await consumers.count()).toBe(1);
    expect(await page.getByRole('checkbox', { name: 'Kitchen fridge plug' }).isChecked()).toBe(true);
    await next();
    const price = page.getByLabel('€ per kWh', { exact: true });
    await price.fill('free');
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByText('Enter a number, such as 0.31.').waitFor();
    await price.fill('0,32');
    await expectReadable();
    await next();
    await page.getByRole('heading', { name: 'Is this right?' }).waitFor();
    await page.getByText('From the grid €0.32 per kWh').waitFor();
    // The browser's way back leads to the question before, and no answer is lost.
    await page.goBack();
    expect(await price.inputValue()).toBe('0,32');
    await page.goForward();
    await expectReadable();
    await next('Save');
    await page.getByText('Saved. The hub adds up').waitFor();
    expect(taps).toBe(7);
    const { json } = await home.call('GET', '/energy/settings');
    const price032 = [{ price: 0.32, days: null, from: null, to: null }];
    expect(json).toMatchObject({
      ...home.settings,
      consumers: [{ series: 'kitchen-fridge-plug/energy', name: null }],
      tariffs: [{ for: 'import', currency: 'EUR', kind: 'fixed', prices: price032 }],
    });
  });

  test('one part is changed on its own', async () => {
    await page.goto(`${hub.address}/settings/energy`);
    await page.getByRole('link', { name: /^Consumers/ }).tap();
    await page.getByRole('heading', { level: 1, name: 'Consumers' }).waitFor();
    await page.locator('summary', { hasText: 'Kitchen fridge plug' }).tap();
    await page.getByLabel('Name (optional)').fill('Fridge');
    await expectReadable();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved. The hub adds up').waitFor();
    await page.getByRole('link', { name: /^Consumers.*Fridge/ }).waitFor();

    await page.getByRole('link', { name: /^Grid/ }).tap();
    await page.getByRole('button', { name: 'From the grid: another meter' }).tap();
    const second = page.getByLabel('From the grid, meter 2');
    const options = await second.locator('option').allTextContents();
    // Nothing is chosen twice, and nothing else fits.
    expect(
      options.some((option) => /Grid meter: Energy$|Roof inverter: Energy|humidity|temperature/i.test(option)),
    ).toBe(false);
    await select('A positive value means', 'The home gives to the grid');
    await expectReadable();
    await page.getByRole('button', { name: 'Save' }).tap();
    const powerNow = async (): Promise<unknown> => {
      const { json } = await home.call('GET', '/energy/settings');
      return (json as { grid: { power: { positive: string } } }).grid.power.positive;
    };
    await expect.poll(powerNow).toBe('export');
    await page.goto(`${hub.address}/settings/energy?part=grid`);
    await select('A positive value means', 'The home takes from the grid');
    await page.getByRole('button', { name: 'Save' }).tap();
    await expect.poll(powerNow).toBe('import');
  });

  test('a price is entered by the time of day, with a comma too, and a faulty one stands at its field', async () => {
    await page.goto(`${hub.address}/settings/energy?part=tariffs`);
    const plan = page.getByRole('group', { name: /^From the grid, from \d{4}-01-01$/ });
    await plan.getByLabel('Valid from').fill('2020-01-01');
    const dated = page.getByRole('group', { name: 'From the grid, from 2020-01-01' });
    await dated.getByLabel('Currency').fill('EU');
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Enter three letters, such as EUR.').waitFor();
    await page.getByText('1 field needs your attention.').waitFor();
    await dated.getByLabel('Currency').fill('eur');
    await dated.getByLabel('Kind').selectOption({ label: 'By time of day' });
    const night = dated.getByRole('group', { name: 'Price 1' });
    await night.getByLabel('Price per kWh, in EUR').fill('0,20');
    await night.getByLabel('From').fill('22:00');
    await night.getByLabel('To').fill('06:00');
    await dated.getByRole('button', { name: 'Add a price' }).tap();
    await dated.getByRole('group', { name: 'Price 2' }).getByLabel('Price per kWh, in EUR').fill('0.30');
    await expectReadable();
    // The hub refuses two plans that begin on one day.
    await page.getByRole('button', { name: 'Add a price plan' }).tap();
    const second = page.getByRole('group', { name: /^Into the grid/ });
    await second.getByLabel('Price per kWh, in EUR').fill('0.08');
    await second.getByLabel('Valid from').fill('2020-01-01');
    await second.getByLabel('Price of').selectOption({ label: 'From the grid' });
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('1 field needs your attention.').waitFor();
    expect(await dated.getByLabel('Valid from').last().getAttribute('aria-invalid')).toBe('true');
    await expectReadable();
    await page.getByRole('button', { name: 'Remove From the grid, from 2020-01-01' }).last().tap();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('heading', { name: 'Energy settings', exact: true }).waitFor();
    await page.getByText('From the grid By time of day').waitFor();
    const { json } = await home.call('GET', '/energy/settings');
    expect(json).toMatchObject({
      ...home.settings,
      tariffs: [
        {
          id: 'import',
          for: 'import',
          currency: 'EUR',
          valid_from: '2020-01-01',
          kind: 'times',
          prices: [
            { price: 0.2, days: null, from: '22:00', to: '06:00' },
            { price: 0.3, days: null, from: null, to: null },
          ],
        },
      ],
    });
  });

  test('the powers of this moment are those of the device of the hub, their signs said in words', async () => {
    await page.goto(`${hub.address}/history/energy`);
    const now = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Now' }) });
    await now.getByText('Given to the grid').waitFor();
    expect((await now.innerText()).replaceAll('\u00a0', ' ')).toMatch(
      /Home uses\s+666 W\s+Solar gives\s+1\.9 kW\s+Given to the grid\s+1\.23 kW/,
    );
  });

  const showDay = async (date: string): Promise<void> => {
    await page.unroute(DAY);
    await page.route(DAY, (route) => route.continue({ url: `${route.request().url()}&date=${date}` }));
    await page.goto(`${hub.address}/history/energy`);
    await page.getByRole('figure').first().waitFor();
  };
  const barsOf = (name: string) => page.getByRole('figure').filter({ hasText: name });

  test.each([LONG_DAY, SHORT_DAY])('the day $date has $hours bars and rows', async ({ date, hours }) => {
    await showDay(date);
    const chart = barsOf('What came in and went out');
    expect(await chart.locator('.energy-bar').count()).toBe(hours);
    // A kilowatt-hour of the sun is as high as two and a half times the 0.4 from the grid.
    const heights = (await chart
      .locator('.energy-part')
      .evaluateAll((parts) => parts.map((part) => [part.dataset['part'], part.style.height]))) as [string, string][];
    const heightOf = (name: string): number[] =>
      heights.filter(([part]) => part === name).map(([, height]) => Number.parseFloat(height));
    expect(Math.max(...heightOf('solar')) / Math.max(...heightOf('import'))).toBeCloseTo(2.5, 1);
    expect(heightOf('export')).toHaveLength(4);
    const look = chart.getByRole('slider');
    await look.focus();
    await page.keyboard.press('Home');
    const clock =
      hours === 25 ? /^12:00\sAM GMT\+2 – 1:00\sAM GMT\+2: From the grid 0\.4\skWh$/ : /: From the grid 0\.4\skWh$/;
    expect(await look.getAttribute('aria-valuetext')).toMatch(clock);
    const account = (await page.locator('.facts').nth(1).innerText()).replaceAll('\u00a0', ' ');
    const imported = (hours - 4) * 0.4;
    expect(account).toMatch(new RegExp(`From the grid\\s+${imported.toFixed(1).replace('.0', '')}\\d* kWh`));
    await page.getByRole('button', { name: 'Table' }).tap();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(hours);
    await expectReadable();
  });

  test('what is in gaps, estimated, unknown or contradicts itself is said, in both schemes', async () => {
    await page.unroute(DAY);
    await page.route(DAY, async (route) => {
      const answer = await route.fetch({ url: `${route.request().url()}&date=${LONG_DAY.date}` });
      const body = (await answer.json()) as Body;
      await route.fulfill({ response: answer, json: troubled(body) });
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${hub.address}/history/energy`);
      const chart = barsOf('What came in and went out');
      await chart.waitFor();
      const unit = await chart.locator('.energy-scale span').last().boundingBox();
      const bars = await chart.locator('.energy-bars').boundingBox();
      // No bar is drawn over the words of the axis.
      expect((unit?.y ?? Infinity) + (unit?.height ?? 0)).toBeLessThanOrEqual((bars?.y ?? 0) + 1);
      expect(await chart.locator('[data-part="gap"].energy-part').count()).toBe(1);
      expect(await chart.locator('.energy-bars > .energy-unknown').count()).toBe(1);
      await page.getByText('of it in gaps').first().waitFor();
      await page.getByText('The meters are known for 90% of this time.').waitFor();
      await page.getByText(/^The consumers show 1\.5\skWh more than the home used/).waitFor();
      expect(await page.getByText('Everything else').count()).toBe(0);
      await page.getByText('estimated', { exact: false }).first().waitFor();
      await expectReadable();
    }
  });

  test('a day of a month opens as a day', async () => {
    await page.unroute(DAY);
    await page.route('**/api/v1/energy?period=month', async (route) => {
      const answer = await route.fetch({ url: `${hub.address}/api/v1/energy?period=day&date=${LONG_DAY.date}` });
      await route.fulfill({ response: answer, json: monthOf((await answer.json()) as Body) });
    });
    await page.goto(`${hub.address}/history/energy`);
    await page.getByRole('button', { name: 'Month' }).tap();
    const chart = barsOf('What came in and went out');
    await chart.getByRole('slider').focus();
    await page.keyboard.press('Home');
    const asked = page.waitForRequest((request) => request.url().endsWith('/energy?period=day&date=2025-10-01'));
    await page.getByRole('button', { name: 'Show this day' }).first().tap();
    await asked;
    await page.getByRole('heading', { name: /Oct 1, 2025/ }).waitFor();
    const next = page.waitForRequest((request) => request.url().endsWith('/energy?period=day&date=2025-10-02'));
    await page.getByRole('button', { name: 'The next day' }).tap();
    await next;
    await page.reload();
    await page.getByRole('heading', { name: /Oct 2, 2025/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: /Oct 1, 2025/ }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: /Oct 2, 2025/ }).waitFor();
    await page.getByRole('button', { name: 'Today' }).tap();
    await expect
      .poll(() => page.getByRole('button', { name: 'The next day' }).getAttribute('aria-disabled'))
      .toBe('true');
    expect(web.complaints).toEqual([]);
  });

  test('an owner deletes past hours after a question that says how many they are', async () => {
    await page.goto(`${hub.address}/settings/energy`);
    await page.getByLabel('Delete until').fill('2025-01-01T00:00');
    await page.getByRole('button', { name: 'Delete…' }).tap();
    await page.getByText('There is nothing to delete.').waitFor();
    // Hours are settled some time after they are over, so this hub has none yet.
    await page.route('**/api/v1/energy?*dry_run=true', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as Body), hours: 25 } });
    });
    await page.getByLabel('Delete until').fill('');
    await page.getByRole('button', { name: 'Delete…' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Everything: 25 hours, with their costs/).waitFor();
    await expectReadable();
    await dialog.getByRole('button', { name: 'Delete for ever' }).tap();
    await page.getByText(/^\d+ hours were deleted\.$/).waitFor();
    expect(web.complaints).toEqual([]);
  });
});

const DAY = '**/api/v1/energy?period=day';

/** The same day, with a gap, an hour of which nothing is known, a power without a counter, and too much use. */
function troubled(body: Body): Body {
  const total = body['total'] as Record<string, Body>;
  const [first, second, ...others] = body['buckets'] as Body[];
  const inGap = { ...(first?.['import'] as Body), in_gap: 3 };
  const unknown = { import: null, export: null, solar: null, gas: null, home: null, consumers: [null], known: 0 };
  return {
    ...body,
    buckets: [{ ...first, import: inGap }, { ...second, ...unknown }, ...others],
    total: {
      ...total,
      import: { ...total['import'], in_gap: 3 },
      consumers: [{ amount: 40, in_gap: 0, known: 1, estimated: true }],
      untracked: 0,
      mismatch: 1.5,
      known: 0.9,
    },
  };
}

/** The hours of a day as the days of a month. */
function monthOf(body: Body): Body {
  const day = (index: number): string => new Date(Date.UTC(2025, 8, 30 + index, 22)).toISOString();
  const buckets = (body['buckets'] as Body[]).map((bucket, index) => ({
    ...bucket,
    at: day(index),
    to: day(index + 1),
  }));
  return { ...body, period: 'month', resolution: '1d', date: '2025-10-01', from: day(0), to: day(31), buckets };
}
