import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { nameSchema } from '#http/answer/name-schema.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createHubFolder, type HubFolder, OWNER } from '#test/support/daemon/hub-process.ts';
import { type LargeHome, openLargeHome } from '#test/support/daemon/large-home.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { addEventGate } from '#test/support/page/event-gate.ts';
import { logInOnPage, openDevices, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

const ROOMS = ['Attic', 'Bath', 'Cellar', 'Garden', 'Hall', 'Kitchen', 'Office', '<img src=x onerror=alert(1)>'];
/** Names that are hard to lay out: too long, in another direction, or with stacked marks. */
const OWN = [
  'x'.repeat(100),
  'ﷺ'.repeat(50),
  '👨‍👩‍👧‍👦'.repeat(9),
  '\u202Eright to left',
  '\u2066\u2067\u2068unclosed',
  'a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309'.repeat(9),
  '<svg onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  'javascript:alert(1)',
  '</title><script>alert(1)</script>',
  '/device/../../settings',
  '?q=#hash',
  '\u00ADsoft\u00ADhyphen',
  '\uFEFFbom',
  '%00%0a%0d',
  '__proto__',
  'constructor',
  'toString',
  'W'.repeat(60),
  'ｆｕｌｌｗｉｄｔｈ'.repeat(8),
  '\u0E49'.repeat(60),
  '- - - - - - - - - - - - - - - - - - - - - - - - - - - - - -',
  'ThisIsOneVeryLongWordThatNobodyWouldEverUseForALampButSomebodyWill',
  '🇺🇸🇷🇺🇸',
  'ñ'.normalize('NFD'),
];
const isName = (text: string): boolean => z.safeParse(nameSchema, text).success;
const naughty = [...naughtyStrings, ...OWN].map((text) => Array.from(text).slice(0, 100).join('')).filter(isName);
const plain = Array.from({ length: 1000 - naughty.length }, (_, index) => `Plain device ${index}`);
const names = [...naughty, ...plain];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const card = (page: Page, name: string) =>
  page.locator('.card-name, .sensor-row .row-title').getByText(name, { exact: true });
/** Notes when the first card appears, and adds up the time for which the page was blocked. */
const MARKS = `
  window.blocked = 0;
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      window.blocked += duration - 50;
      window.longest = Math.max(window.longest, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (window.firstCard === undefined && document.querySelector('.card-name') !== null) window.firstCard = performance.now();
    if (window.tapShown === undefined && document.querySelector('[aria-checked=true]') !== null) window.tapShown = performance.now();
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['aria-checked'] });
  addEventListener('pointerdown', ({ timeStamp }) => (window.tapped ??= timeStamp), true);
  window.formatsMade = 0;
  for (const kind of ['NumberFormat', 'DateTimeFormat']) {
    Intl[kind] = new Proxy(Intl[kind], {
      construct: (...call) => {
        window.formatsMade += 1;
        return Reflect.construct(...call);
      },
    });
  }
`;
const FRAMES = 120;
/** At sixty frames a second that is more than a hundred changes. */
const CHANGES_A_FRAME = 2;

const numberOf = (page: Page, expression: string): Promise<number> => page.evaluate<number>(expression);

/** Processor time of the page's main thread so far. */
async function mainThreadS(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

describe.skipIf(!needs('chromium'))('a home of a thousand devices', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let home: LargeHome;
  let web: WebPage;
  let cdp: CDPSession;
  let gate: Awaited<ReturnType<typeof addEventGate>>;

  beforeAll(async () => {
    hubs = createHubFolder();
    home = await openLargeHome(hubs, names, ROOMS);
    browser = await launchChromium();
    web = await openWebPage(browser, home.hub.address, PHONE);
    await web.page.addInitScript(MARKS);
    gate = await addEventGate(web.page);
    cdp = await web.page.context().newCDPSession(web.page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await logInOnPage(web, OWNER);
  });
  afterAll(async () => {
    await browser.close();
    await home.close();
    await hubs.close();
  });

  test('can be used at once on a phone that is six times slower', async () => {
    const { page } = web;
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await page.reload();
    await page.locator('.card-name').first().waitFor();
    const firstCard = await numberOf(page, 'window.firstCard');
    const lamp = page.getByRole('switch').first();
    const box = await lamp.boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    await expect.poll(() => lamp.getAttribute('aria-checked')).toBe('true');
    const tapMs = await numberOf(page, 'window.tapShown - window.tapped');
    await openDevices(page);
    await expect.poll(() => page.locator('.card, .sensor-row').count(), { timeout: 60_000 }).toBe(1000);
    const allMs = await numberOf(page, 'performance.now()');
    const [blocked, longest] = [await numberOf(page, 'window.blocked'), await numberOf(page, 'window.longest')];
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    say(
      `1,000 devices, six times slower: first room after ${firstCard.toFixed(0)} ms, a tap on its lamps shows after ${tapMs.toFixed(0)} ms, ` +
        `all cards after ${allMs.toFixed(0)} ms, blocked for ${blocked.toFixed(0)} ms in all, ${longest.toFixed(0)} ms at most`,
    );
    expectBelow('the first room of 1,000 devices, six times slower, ms', firstCard, 8_000);
    expectBelow('a tap on its lamps, six times slower, ms', tapMs, 1_500);
  });

  test('shows each of hundreds of hostile names as text, all on cards of one size', async () => {
    const { page, complaints } = web;
    const shown = await page.locator('.card-name, .sensor-row .row-title').allTextContents();
    expect(shown.toSorted()).toEqual(home.devices.map(({ name }) => name).toSorted());
    expect(naughty.length).toBeGreaterThanOrEqual(470);
    const sizes = await page.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll('.card')].map((card) => card.offsetWidth + ' x ' + card.offsetHeight))]`,
    );
    expect(sizes).toHaveLength(1);
    expect(await numberOf(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('scrolls smoothly while a hundred values change each second', async () => {
    const { page } = web;
    await expect.poll(() => page.locator('.card, .sensor-row').count()).toBe(1000);
    let rounds = 0;
    /** Processor time of a frame that scrolls on, in which so many changes reach the page. */
    const frameCpuMs = async (changes: number): Promise<number> => {
      await gate.close();
      for (let sent = 0; sent < changes * FRAMES; sent += 1) {
        const temperature = 10 + ((rounds * 3 + sent) % 100) / 10;
        await home.zigbee2mqtt.publish(`device ${(sent * 2 + 1) % 1000}`, { temperature, humidity: 50 });
      }
      rounds += 1;
      await gate.waitFor(changes * FRAMES);
      const startS = await mainThreadS(cdp);
      await page.evaluate(`new Promise((resolve) => {
        scrollTo(0, 0);
        let frames = 0;
        const step = () => {
          frames += 1;
          eventGate.pass(${changes});
          scrollBy(0, 60);
          if (frames < ${FRAMES}) requestAnimationFrame(step);
          else resolve();
        };
        requestAnimationFrame(step);
      })`);
      const spentMs = ((await mainThreadS(cdp)) - startS) * 1000;
      await gate.open();
      return spentMs / FRAMES;
    };
    await frameCpuMs(CHANGES_A_FRAME);
    await page.evaluate('void (formatsMade = 0)');
    const [quiet, busy]: [number[], number[]] = [[], []];
    for (let round = 0; round < 3; round += 1) {
      quiet.push(await frameCpuMs(0));
      busy.push(await frameCpuMs(CHANGES_A_FRAME));
    }
    const [quietMs, busyMs] = [Math.min(...quiet), Math.min(...busy)];
    say(
      `scrolling: ${quietMs.toFixed(1)} ms of processor for a frame, ${busyMs.toFixed(1)} ms with ` +
        `${CHANGES_A_FRAME} changes, each time the least of three`,
    );
    // To make a format takes longer than to draw a card with it.
    expect(await numberOf(page, 'formatsMade')).toBe(0);
    expectBelow('a frame that scrolls while values change, ms of processor', busyMs, 16);
    expectBelow('the same by one in which none does, times', busyMs / quietMs, 2);
  });

  test('finds devices as fast as one types, and says how many', async () => {
    const { page } = web;
    const search = page.getByRole('searchbox', { name: 'Search devices' });
    await search.fill('plain device 77');
    await expect
      .poll(() => page.locator('.card, .sensor-row').count())
      .toBe(plain.filter((name) => name.includes('77')).length);
    await page.getByText('devices found').waitFor({ state: 'attached' });
    await search.fill('no such thing');
    await page.getByRole('button', { name: 'Show all devices' }).click();
    await expect.poll(() => page.locator('.card, .sensor-row').count()).toBe(1000);
    expect(await card(page, 'Plain device 77').count()).toBe(1);
  });
});
