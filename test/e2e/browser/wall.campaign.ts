import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
} from '#test/support/daemon/hub-process.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { addEventGate } from '#test/support/page/event-gate.ts';
import { addFastClock } from '#test/support/page/fast-clock.ts';
import { openWebPage } from '#test/support/page/web-page.ts';

const TABLET = { viewport: { width: 1180, height: 820 }, hasTouch: true };
/** A zone in which it is about noon now: at night the screen is dark by itself. East of Greenwich its sign is a minus. */
const zoneAtNoon = (): string => {
  const hour = new Date().getUTCHours();
  return `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(12 - hour)}`;
};
const SIMULATED_DEVICES = 13;
const SCOPES = ['device:read', 'device:control', 'event:read', 'scene:run'];
const HOURS = 24;
/** The page takes a longer silence for a dead connection. */
const STEP_S = 16;
const CHANGES_A_STEP = 3;

/** What the page holds after a garbage collection. */
async function heldBy(
  page: Page,
  cdp: CDPSession,
): Promise<Readonly<Record<'heapKb' | 'nodes' | 'listeners' | 'timers', number>>> {
  for (let round = 0; round < 2; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters');
  const timers = await page.evaluate<number>('fastClock.timers()');
  return { heapKb: Math.round(usedSize / 1024), nodes, listeners, timers };
}

describe.skipIf(!needs('chromium'))('a screen on the wall', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let owner: string;
  let port: string;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    port = new URL(hub.address).port;
    owner = (await claimHub(hub)).access_token;
    await hub.ask('PATCH', '/api/v1/hub', { token: owner, body: { time_zone: zoneAtNoon() } });
    await listDevices(hub, owner, SIMULATED_DEVICES);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });
  const makeToken = async (scopes: readonly string[]): Promise<{ id: string; token: string }> =>
    (await hub.ask('POST', '/api/v1/api_token', { token: owner, body: { name: 'wall', scopes } })).json as {
      id: string;
      token: string;
    };
  const typeToken = async (page: Page, token: string): Promise<void> => {
    const field = page.getByLabel('API token', { exact: true });
    if (!(await field.isVisible())) await page.getByText('Use an API token instead').click();
    await page.getByLabel('API token', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Show the home' }).click();
  };
  const openWall = async (options = TABLET) => {
    const web = await openWebPage(browser, hub.address, options);
    await web.page.goto('/wall');
    return web;
  };

  test('takes a token once, controls the home with it, and never has it in an address', async () => {
    const { page, complaints } = await openWall();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    const { id, token } = await makeToken(SCOPES);
    await typeToken(page, 'no token ✗');
    await page.getByText('The hub refuses this API token.').waitFor();
    await typeToken(page, (await makeToken(['device:read'])).token);
    await expect.poll(() => page.getByLabel('API token', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await typeToken(page, token);
    const lamp = page.getByRole('switch', { name: 'Kitchen: lights' });
    await lamp.waitFor();
    expect(await findingsOn(page)).toEqual([]);
    const before = await lamp.getAttribute('aria-checked');
    await lamp.tap();
    await expect.poll(() => lamp.getAttribute('aria-checked')).not.toBe(before);
    // Nothing is asked of the person at the screen again.
    await page.reload();
    await page.getByRole('link', { name: 'Kitchen' }).tap();
    await page.getByRole('heading', { level: 2, name: 'Kitchen' }).waitFor();
    await page.getByRole('link', { name: 'Ceiling' }).tap();
    expect(new URL(page.url()).pathname).toBe('/wall');
    expect(addresses.filter((one) => one.includes(token) || one.includes(encodeURIComponent(token)))).toEqual([]);
    // What the home's own pages keep is not touched.
    expect(await page.evaluate('Object.keys(localStorage).sort()')).toEqual(['hearthd.wall']);
    await hub.ask('DELETE', `/api/v1/api_token/${id}`, { token: owner });
    await page.getByText('The hub refuses this API token.').waitFor();
    expect(await page.evaluate("localStorage.getItem('hearthd.wall')")).toBeNull();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('offers what its token may do, which is less than its person may', async () => {
    const { page } = await openWall();
    await typeToken(page, (await makeToken(['device:read', 'event:read'])).token);
    await page.getByRole('heading', { level: 3, name: 'Kitchen' }).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.context().close();
    const { page: other } = await openWall();
    await typeToken(other, (await makeToken(SCOPES)).token);
    await other.getByRole('switch', { name: 'Kitchen: lights' }).waitFor();
    await other.getByRole('link', { name: 'Hallway' }).tap();
    const lock = other.locator('.card', { hasText: 'Front door' }).getByRole('button', { name: 'lock', exact: false });
    await lock.first().waitFor();
    for (const one of await lock.all()) expect(await one.isDisabled()).toBe(true);
    await other.context().close();
  });

  test('is dark at night, and the first touch only makes it brighter', async () => {
    const { page } = await openWebPage(browser, hub.address, TABLET);
    const clock = await addFastClock(page);
    await page.goto('/wall');
    await typeToken(page, (await makeToken(SCOPES)).token);
    await page.getByRole('button', { name: 'This screen' }).tap();
    await page.getByLabel('Between two times').check();
    await page.getByLabel('From', { exact: true }).fill('00:00');
    await page.getByLabel('Until', { exact: true }).fill('23:59');
    await page.getByRole('button', { name: 'Close', exact: true }).tap();
    const dark = page.getByRole('button', { name: 'Brighter' });
    // Only once the person has left.
    expect(await dark.count()).toBe(0);
    await clock.pass(61_000);
    await dark.waitFor();
    const lamp = page.getByRole('switch', { name: 'Kitchen: lights' });
    const before = await lamp.getAttribute('aria-checked');
    await page.touchscreen.tap(...(await middleOf(lamp)));
    await expect.poll(() => dark.count()).toBe(0);
    expect(await lamp.getAttribute('aria-checked')).toBe(before);
    await page.context().close();
  });

  test('lives through a day with four restarts of the hub, and holds no more at its end', async () => {
    const tookMs = startStopwatch();
    // A small screen: the processor draws all of it here.
    const web = await openWebPage(browser, hub.address, { ...TABLET, viewport: { width: 600, height: 400 } });
    const { page } = web;
    await addEventGate(page);
    const clock = await addFastClock(page);
    await page.goto('/wall');
    await typeToken(page, (await makeToken(SCOPES)).token);
    await page.getByRole('switch', { name: 'Kitchen: lights' }).waitFor();
    const cdp = await page.context().newCDPSession(page);
    const devices = await listDevices(hub, owner, SIMULATED_DEVICES);
    const series = devices.flatMap(({ id, selector, name, features }) =>
      features.map(({ key, value }) => ({ device: { id, selector, name }, key, value })),
    );
    await page.evaluate(`window.series = ${JSON.stringify(series)}`);
    const passHour = async (): Promise<void> =>
      page.evaluate(`(async () => {
        for (let second = 0; second < 3600; second += ${STEP_S}) {
          await eventGate.say(${CHANGES_A_STEP}, series);
          await fastClock.pass(${STEP_S * 1_000});
        }
      })()`);
    await passHour();
    const first = await heldBy(page, cdp);
    let restarts = 0;
    const restart = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      const streams = await page.evaluate<number>('eventGate.streams');
      await hub.end(signal);
      hub = await hubs.serve({ HEARTHD_PORT: port });
      const hasNewStream = async (): Promise<boolean> => {
        await clock.pass(500);
        return page.evaluate<boolean>(`eventGate.isLive && eventGate.streams > ${streams}`);
      };
      await expect.poll(hasNewStream, { timeout: 60_000 }).toBe(true);
      restarts += 1;
    };
    for (let hour = 1; hour < HOURS; hour += 1) {
      if (hour % 5 === 0) await restart(hour % 10 === 0 ? 'SIGKILL' : 'SIGTERM');
      await passHour();
    }
    const last = await heldBy(page, cdp);
    const said = await page.evaluate<number>('eventGate.said');
    const took = (tookMs() / 1_000).toFixed(0);
    process.stdout.write(
      `${HOURS} h with ${said} events in ${took} s: ${JSON.stringify(first)} after an hour, ${JSON.stringify(last)} at the end\n`,
    );
    expect(restarts).toBe(4);
    expectBelow('what a day adds to the page on the wall, KB', last.heapKb - first.heapKb, 1_024);
    expectBelow('its nodes after a day by those after an hour, times', last.nodes / first.nodes, 1.2);
    expectBelow('its listeners after a day by those after an hour, times', last.listeners / first.listeners, 1.2);
    expectBelow('the timers that a day adds to it', last.timers - first.timers, 5);
    // It still shows the home, and follows it.
    const lamp = page.getByRole('switch', { name: 'Kitchen: lights' });
    const before = await lamp.getAttribute('aria-checked');
    await lamp.click();
    await expect.poll(() => lamp.getAttribute('aria-checked')).not.toBe(before);
    expect(web.complaints).toEqual([]);
    await page.context().close();
  });
});

async function middleOf(target: ReturnType<Page['getByRole']>): Promise<[number, number]> {
  const box = await target.boundingBox();
  return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
}
