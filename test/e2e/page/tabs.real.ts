import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchProfile, type Profile } from '#test/support/page/chromium.ts';
import {
  claimHub,
  createHubFolder,
  type DeviceJson,
  type HubFolder,
  type HubProcess,
  logIn,
  OWNER,
} from '#test/support/daemon/hub-process.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage } from '#test/support/page/web-page.ts';

const LAMP = 'kitchen-ceiling';
const OTHER = { name: 'Ben', email: 'ben@example.org', password: 'lake stone candle', role: 'resident' };
const lampOf = (page: Page) => page.getByRole('switch', { name: 'Kitchen ceiling' });
const isOn = (page: Page): Promise<string | null> => lampOf(page).getAttribute('aria-checked');
const isSeen = (page: Page): Promise<boolean> => page.evaluate<boolean>('!document.hidden');

describe.skipIf(!needs('chromium'))('many tabs of one browser, under a name of the home without TLS', () => {
  let profile: Profile;
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  let address: string;
  let first: Page;
  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    token = (await claimHub(hub)).access_token;
    await hub.ask('POST', '/api/v1/user', { token, body: OTHER });
    profile = await launchProfile(['--host-resolver-rules=MAP hearthd.local 127.0.0.1']);
    address = `http://hearthd.local:${new URL(hub.address).port}`;
    first = await profile.context.newPage();
    await first.goto(`${address}/room`);
    await logInOnPage({ page: first, complaints: [] });
  });
  afterAll(async () => {
    await profile.close();
    await hubs.close();
  });
  afterEach(async () => {
    await first.bringToFront();
    for (const page of profile.context.pages()) if (page !== first) await page.close();
    await first.goto(`${address}/room`);
    await lampOf(first).waitFor();
  });

  const streams = async (): Promise<unknown> =>
    ((await hub.ask('GET', '/api/v1/health', { token })).json as { event_clients: number }).event_clients;
  const sessions = async (): Promise<number> =>
    ((await hub.ask('GET', '/api/v1/session', { token })).json as unknown[]).length;
  const lampAtHub = async (): Promise<unknown> => {
    const { json } = await hub.ask('GET', `/api/v1/device/${LAMP}`, { token });
    return (json as DeviceJson).features.find(({ key }) => key === 'on')?.value;
  };
  const turn = async (): Promise<string> => {
    const on = (await lampAtHub()) !== true;
    const body = { set: { on } };
    const wait = { Prefer: 'wait=5' };
    expect((await hub.ask('POST', `/api/v1/device/${LAMP}/command`, { token, body, headers: wait })).status).toBe(200);
    return String(on);
  };
  const openBehind = async (count: number): Promise<Page[]> => {
    const opened: Page[] = [];
    for (let index = 0; index < count; index += 1) {
      const next = profile.context.waitForEvent('page');
      await first.locator(':is(.card-name a, a.sensor-row)').nth(index).click({ button: 'middle' });
      opened.push(await next);
    }
    return opened;
  };

  test('have no secure context, and no feature that needs one', async () => {
    expect(await first.evaluate('[isSecureContext, typeof navigator.locks]')).toEqual([false, 'undefined']);
  });

  test.each([6, 12])('with %i of them in the background a lamp switches, over one stream', async (count) => {
    const behind = await openBehind(count);
    for (const page of behind) await page.waitForLoadState('load');
    expect(await Promise.all([first, ...behind].map(isSeen))).toEqual([true, ...behind.map(() => false)]);
    const before = await lampAtHub();
    const clickedMs = startStopwatch();
    await lampOf(first).click();
    await expect.poll(lampAtHub, { interval: 20 }).not.toBe(before);
    expectBelow(`a lamp beside ${count} tabs in the background, ms`, clickedMs(), 1_000);
    await expect.poll(streams).toBe(1);
  });

  test('each shows the current home once it is visible, still over one stream, and none is logged out', async () => {
    const before = await sessions();
    const behind = await openBehind(12);
    // All tabs request a new token at once, with the same refresh token.
    await Promise.all([first, ...behind].map((page) => page.reload()));
    for (const page of behind.slice(0, 4)) {
      await page.bringToFront();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(streams).toBe(1);
    }
    const last = behind[11] ?? first;
    await last.bringToFront();
    await last.goto(`${address}/room`);
    await expect.poll(() => isOn(last)).toBe(String(await lampAtHub()));
    const now = await turn();
    await expect.poll(() => isOn(last)).toBe(now);
    await first.bringToFront();
    await expect.poll(() => isOn(first)).toBe(now);
    await expect.poll(streams).toBe(1);
    expect(await sessions()).toBe(before);
  });

  test('two windows show each change over one stream, also when one is closed, frozen or crashes', async () => {
    const endings: readonly (readonly [how: string, end: (page: Page) => Promise<unknown>])[] = [
      ['closed', (page) => page.close()],
      [
        'frozen',
        async (page) => {
          const cdp = await profile.context.newCDPSession(page);
          await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
        },
      ],
      [
        'crashed',
        async (page) => {
          const cdp = await profile.context.newCDPSession(page);
          const gone = page.waitForEvent('crash');
          cdp.send('Page.crash').catch(() => undefined);
          await gone;
        },
      ],
    ];
    for (const [how, end] of endings) {
      const second = await profile.openWindow(`${address}/room`);
      await lampOf(second).waitFor();
      await expect.poll(streams).toBe(1);
      const both = await turn();
      await expect.poll(() => Promise.all([first, second].map(isOn))).toEqual([both, both]);
      expect(await Promise.all([first, second].map(isSeen))).toEqual([true, true]);
      await end(second);
      const endedMs = startStopwatch();
      const alone = await turn();
      await expect.poll(() => isOn(first), { interval: 20 }).toBe(alone);
      const mostMs = how === 'crashed' ? 5_500 : 2_000;
      expectBelow(`the next change when the tab that leads is ${how}, ms`, endedMs(), mostMs);
      await expect.poll(streams).toBe(1);
      await second.close();
    }
    await expect.poll(() => first.getByText('Reconnecting…').count()).toBe(0);
  });

  test('another person who logs in is logged in in every window, and sees nothing from before', async () => {
    const second = await profile.openWindow(`${address}/room`);
    await lampOf(second).waitFor();
    await first.goto(`${address}/settings`);
    await first.getByRole('button', { name: 'Log out' }).click();
    await first.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await second.getByRole('button', { name: 'Log in' }).waitFor();
    await expect.poll(streams).toBe(0);
    await logInOnPage({ page: second, complaints: [] }, OTHER);
    await lampOf(second).waitFor();
    await first.goto(`${address}/room`);
    await lampOf(first).waitFor();
    const ben = (await logIn(hub, OTHER)).access_token;
    const { json } = await hub.ask('GET', '/api/v1/session', { token: ben });
    expect(json).toHaveLength(2);
    await expect.poll(streams).toBe(1);
    const now = await turn();
    await expect.poll(() => Promise.all([first, second].map(isOn))).toEqual([now, now]);
    await first.goto(`${address}/settings`);
    await first.getByRole('button', { name: 'Log out' }).click();
    await first.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await first.getByRole('button', { name: 'Log in' }).waitFor();
    await first.goto(`${address}/room`);
    await logInOnPage({ page: first, complaints: [] }, OWNER);
  });
});
