import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openDevices, openWebPage, PHONE } from '#test/support/page/web-page.ts';

const lampOf = (page: Page) => page.getByRole('switch', { name: 'Kitchen ceiling' });
const isOn = (page: Page): Promise<string | null> => lampOf(page).getAttribute('aria-checked');
/** Where nothing is scrolled, the browser does not hide that something moves. */
const HIGH = { ...PHONE, viewport: { width: 390, height: 2_400 } };
const pill = (page: Page) => page.getByText('Reconnecting…');

/** The words about the connection and the messages: what lies over another of them. */
const OVERLAPS = `(() => {
  const boxes = [...document.querySelectorAll('.messages > *, .connection-pill')].map((one) => [one.innerText, one.getBoundingClientRect()]);
  return boxes.flatMap(([words, box], at) => boxes.slice(at + 1)
    .filter(([, other]) => box.left < other.right && other.left < box.right && box.top < other.bottom - 1 && other.top < box.bottom - 1)
    .map(([other]) => words + ' / ' + other));
})()`;

/** Notes when each of these first appears on the page or on the card of the lamp, and when the lamp turns, in milliseconds after the click. */
const NOTE_TIMES = `
  window.seen = {};
  addEventListener('click', () => (window.clickedAt ??= performance.now()), true);
  const lamp = document.querySelector('[role=switch][aria-label="Kitchen ceiling"]');
  const before = lamp.ariaChecked;
  const note = () => {
    if (lamp.ariaChecked !== before) window.seen.turned ??= Math.round(performance.now() - window.clickedAt);
    const [page, card] = [document.body, lamp.closest('.card')];
    for (const [words, where] of [['sending…', card], ['Not confirmed', card], ['Reconnecting…', page], ['This is how your home was', page]]) {
      if (where.textContent.includes(words)) window.seen[words] ??= Math.round(performance.now() - window.clickedAt);
    }
  };
  new MutationObserver(note).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['aria-checked'],
  });
`;

describe.skipIf(!needs('chromium'))('the page of a hub that has fallen silent', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let page: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    await claimHub(hub);
    const web = await openWebPage(browser, hub.address, HIGH);
    await logInOnPage(web);
    await openDevices(web.page);
    await lampOf(web.page).waitFor();
    ({ page, complaints } = web);
  });
  afterEach(async () => {
    await page.context().close();
    await hubs.close();
  });

  test('says after 1 s that it is still sending, after 4 s that nothing is confirmed, and goes back to what is known', async () => {
    const before = await isOn(page);
    const place = await lampOf(page).boundingBox();
    await page.evaluate(NOTE_TIMES);
    process.kill(hub.pid, 'SIGSTOP');
    try {
      await lampOf(page).click();
      await page.getByText('This is how your home was').waitFor();
      // Nothing has moved under the finger, and no words hang over others.
      expect((await lampOf(page).boundingBox())?.y).toBe(place?.y);
      expect(await page.evaluate(OVERLAPS)).toEqual([]);
      // It would hang over those words, on a telephone.
      await expect.poll(() => pill(page).count()).toBe(0);
      await expect.poll(() => isOn(page)).toBe(before);
      const seen = await page.evaluate<Record<string, number>>('window.seen');
      const order = ['turned', 'sending…', 'Not confirmed', 'Reconnecting…', 'This is how your home was'];
      expect(new Set(Object.keys(seen))).toEqual(new Set(order));
      expect(seen['sending…']).toBeGreaterThan(800);
      expect(seen['Not confirmed']).toBeGreaterThan(3_500);
      expectBelow('until it says that it is still sending, ms', seen['sending…'] ?? NaN, 2_000);
      expectBelow('until it says that nothing is confirmed, ms', seen['Not confirmed'] ?? NaN, 5_000);
      expectBelow('until it says that it is reconnecting, ms', seen['Reconnecting…'] ?? NaN, 5_000);
      expectBelow('until it says how old it is, ms', seen['This is how your home was'] ?? NaN, 10_000);
    } finally {
      process.kill(hub.pid, 'SIGCONT');
    }
    await expect.poll(() => pill(page).count()).toBe(0);
    await expect.poll(() => page.getByText('This is how your home was').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('says at once that the network is gone, and goes on by itself when it is back', async () => {
    await page.context().setOffline(true);
    await pill(page).waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => pill(page).count()).toBe(0);
    const before = await isOn(page);
    await lampOf(page).click();
    await expect.poll(() => isOn(page)).not.toBe(before);
    expect(complaints).toEqual([]);
  });

  test('says so on a page of the settings, and can be asked again', async () => {
    await page.goto(`${hub.address}/settings`);
    await page.getByRole('link', { name: 'People' }).waitFor();
    await page.clock.install();
    process.kill(hub.pid, 'SIGSTOP');
    try {
      await page.getByRole('link', { name: 'People' }).click();
      // First the load of the page's code times out, then the check for a new version.
      await page.clock.runFor(8_000);
      await page.clock.runFor(4_000);
      await page.getByText('The hub is not responding').first().waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.clock.resume();
    } finally {
      process.kill(hub.pid, 'SIGCONT');
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('ada@example.org').waitFor();
    await expect.poll(() => page.getByText('The hub is not responding').count()).toBe(0);
  });
});
