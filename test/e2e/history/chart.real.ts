import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

type History = { readonly to: number; readonly series: readonly { readonly rows: readonly unknown[][] }[] };

/** Whether the canvas has a pixel that is neither clear nor gray: the line. */
const HAS_LINE = `(() => {
  const canvas = document.querySelector('.line-chart canvas');
  if (canvas === null || canvas.width === 0) return false;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 200 && data[at] - data[at + 2] > 80) return true;
  return false;
})()`;

describe.skipIf(!needs('chromium'))('the history on the page of a device', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let tokens: Tokens;
  let web: WebPage;
  let page: Page;
  const call = (method: string, path: string, body?: unknown) =>
    hub.ask(method, `/api/v1${path}`, { token: tokens.access_token, body });
  const open = async (selector: string): Promise<void> => {
    await page.goto(`${hub.address}/device/${selector}`);
    await page.getByRole('heading', { name: 'History' }).waitFor();
  };
  const answerWith = (change: (body: Record<string, unknown>) => object) => async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: change((await answer.json()) as Record<string, unknown>) });
  };
  const HISTORY = '**/api/v1/history?*';

  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    tokens = await claimHub(hub);
    web = await openWebPage(browser, hub.address, { ...PHONE, viewport: { width: 320, height: 700 } });
    page = web.page;
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  test('draws what was recorded, says it to the keyboard, and has the rows of the API as a table', async () => {
    for (const on of [true, false]) {
      await call('POST', '/device/kitchen-fridge-plug/command', { set: { on } });
      await expect
        .poll(async () => {
          const { json } = await call('GET', '/device/kitchen-fridge-plug/feature/on/history?resolution=raw&times=ms');
          return (json as History).series[0]?.rows.at(-1)?.[1];
        })
        .toBe(on);
    }
    // A day is wider than the seconds that this hub has lived: the same rows in a shorter range.
    const firstOf = (body: Record<string, unknown>): number =>
      Math.min(...(body['series'] as { rows: [number][] }[]).flatMap(({ rows }) => rows.map(([at]) => at)));
    await page.route(
      HISTORY,
      answerWith((body) => ({ ...body, from: new Date(firstOf(body) - 1000).toISOString() })),
    );
    await open('kitchen-fridge-plug');
    // What has not changed in these seconds is among the others.
    await page.getByRole('button', { name: /^Show \d+ more charts?$/ }).tap();
    await expect.poll(() => page.evaluate(HAS_LINE)).toBe(true);
    await page
      .getByRole('figure')
      .filter({ hasText: 'Power' })
      .getByText(/^Lowest .* W, highest .* W$/)
      .waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await expect.poll(() => page.getByRole('figure').count()).toBe(5);

    const look = page.getByRole('slider', { name: 'On: look at a moment' });
    await look.focus();
    await expect.poll(() => look.getAttribute('aria-valuetext')).toMatch(/^Off, from /);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => look.getAttribute('aria-valuetext')).toMatch(/^On, from /);

    await page.getByRole('button', { name: 'Tables' }).tap();
    const rows = page.getByRole('region', { name: 'History of On' }).locator('tbody tr');
    const { json } = await call('GET', '/device/kitchen-fridge-plug/feature/on/history?resolution=raw&times=ms');
    // A value that was reported again is no new row.
    const values = ((json as History).series[0]?.rows ?? []).map(([, value]) => (value === true ? 'On' : 'Off'));
    const wanted = values.filter((value, index) => value !== values[index - 1]);
    expect(wanted.slice(-2)).toEqual(['On', 'Off']);
    await expect.poll(() => rows.locator('td:last-child').allTextContents()).toEqual(wanted);
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.unroute(HISTORY);
  });

  test('saves the raw rows as a file', async () => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).tap();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('kitchen-fridge-plug-day.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split('\r\n');
    expect(lines[0]).toBe('series,at,value,gap');
    expect(lines.filter((line) => /\/on,\d{4}-.*Z,(true|false),$/.test(line)).length).toBeGreaterThan(1);
    expect(lines).toContainEqual(expect.stringMatching(/\/power,\d{4}-.*Z,[\d.]+,$/));
  });

  test('asks for the time that is chosen', async () => {
    const asked = page.waitForRequest((request) => request.url().includes('from=-30d'));
    await page.getByRole('button', { name: 'Month' }).tap();
    await asked;
    await page.getByText(/^Times are in the time zone of the hub, /).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Month' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('says in words that nothing is recorded, that recording is paused, and that the hub refuses', async () => {
    const withSeries = (change: (to: unknown) => object) =>
      answerWith((body) => ({
        ...body,
        series: (body['series'] as object[]).map((one) => ({ ...one, ...change(body['to']) })),
      }));
    await page.route(
      HISTORY,
      withSeries(() => ({ rows: [], before: null, gaps: [] })),
    );
    await open('bedroom-climate');
    await page.getByText('Nothing recorded yet.').first().waitFor();
    await page.unroute(HISTORY);

    const paused = (to: unknown) => ({
      gaps: [{ from: new Date(Date.parse(String(to)) - 60_000), to, reason: 'paused', from_uncertain: false }],
    });
    await page.route(HISTORY, withSeries(paused));
    await open('bedroom-climate');
    await page.getByText('Recording is paused').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.unroute(HISTORY);

    await page.route(HISTORY, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'OVERLOADED', title: 'Overloaded', status: 503 }),
      }),
    );
    await open('bedroom-climate');
    const fault = page.locator('.history').getByRole('alert');
    await fault.waitFor();
    await page.unroute(HISTORY);
    await fault.getByRole('button', { name: 'Try again' }).tap();
    await page.getByRole('figure').first().waitFor();
    expect(web.complaints).toEqual([]);
  });

  test('is not offered to guests', async () => {
    const guest = { email: 'guest@example.org', password: 'cup river stamp' };
    const added = await call('POST', '/user', { ...guest, name: 'Gus', role: 'guest' });
    expect(added.status).toBe(201);
    const other = await openWebPage(browser, hub.address, PHONE);
    await logInOnPage(other, guest);
    await other.page.goto(`${hub.address}/device/bedroom-climate`);
    await other.page.getByRole('heading', { name: 'Readings' }).waitFor();
    for (const name of ['History', 'What happened']) {
      expect([name, await other.page.getByRole('heading', { name }).count()]).toEqual([name, 0]);
    }
    expect(other.complaints).toEqual([]);
  });
});
