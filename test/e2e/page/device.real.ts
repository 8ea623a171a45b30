import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
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
import { logInOnPage, openDetails, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

type DeviceJson = { readonly name: string; readonly room: { readonly name: string } | null };

describe.skipIf(!needs('chromium'))('the page of a device', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let tokens: Tokens;
  let web: WebPage;
  let page: Page;
  const call = (method: string, path: string, body?: unknown) =>
    hub.ask(method, `/api/v1${path}`, { token: tokens.access_token, body });
  const open = (selector: string) => page.goto(`${hub.address}/device/${selector}`);

  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    tokens = await claimHub(hub);
    web = await openWebPage(browser, hub.address, PHONE);
    page = web.page;
    await logInOnPage(web);
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  test('renames the device and moves it to a new room', async () => {
    await open('kitchen-ceiling');
    await page.getByRole('button', { name: 'Rename or move' }).tap();
    await page.getByLabel('Name', { exact: true }).fill('Reading light');
    await page.getByLabel('Room', { exact: true }).selectOption('New room…');
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Required').waitFor();
    await page.getByLabel('Name of the new room').fill('Library');
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('heading', { name: 'Reading light' }).waitFor();
    await page.locator('.device-sub').getByText('Library').waitFor();
    const device = (await call('GET', '/device/kitchen-ceiling')).json as DeviceJson;
    expect([device.name, device.room?.name]).toEqual(['Reading light', 'Library']);
  });

  test('has its details only where they stay, however late the rest comes', async () => {
    const answers = ['**/api/v1/history?*', '**/api/v1/history/timeline?*', '**/api/v1/automation?*'];
    for (const late of answers) {
      let release = (): void => undefined;
      const waiting = new Promise<void>((resolve) => (release = resolve));
      await page.route(late, async (route) => {
        await waiting;
        await route.continue();
      });
      await open('bedroom-bedside-lamp');
      await page.getByRole('heading', { name: 'Bedroom bedside lamp' }).waitFor();
      await page.evaluate(`(async () => {
        window.places = new Set();
        const look = () => {
          const details = document.querySelector('.device-page > details');
          if (details !== null && getComputedStyle(details).visibility === 'visible') places.add(Math.round(details.getBoundingClientRect().top + scrollY));
          requestAnimationFrame(look);
        };
        look();
        for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
      })()`);
      release();
      await page.getByText('Details', { exact: true }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      const count = await page.evaluate<number>(`(async () => {
        for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
        return places.size;
      })()`);
      expect([late, count]).toEqual([late, 1]);
      await page.unroute(late);
    }
  });

  test('commands the device, and logs live what it does', async () => {
    await open('bedroom-bedside-lamp');
    const toggle = page.getByRole('switch', { name: 'Light' });
    const log = page.locator('.log-line');
    await toggle.tap();
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true');
    await expect
      .poll(() => log.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/On by ada$/i)]));
    // Since when, and who caused it.
    await expect.poll(() => page.locator('.device-since').textContent()).toMatch(/^On since .*:.* by ada$/i);
    await call('POST', '/device/bedroom-bedside-lamp/command', { set: { brightness: 66 } });
    await expect
      .poll(() => log.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/Brightness: 66 % by ada$/i)]));
    // The earlier entries are there after a reload too.
    await page.reload();
    await expect
      .poll(() => log.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/Brightness: 66 % by ada$/i)]));
    await openDetails(page);
    await page.getByRole('button', { name: 'Identify' }).tap();
    await page.getByText('Identify sent').waitFor();
    expect(await findingsOn(page)).toEqual([]);
  });

  test('asks before it unlocks a door', async () => {
    await open('front-door-lock');
    await page.getByRole('button', { name: 'Unlock' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Unlock Front door lock?' });
    await dialog.getByRole('button', { name: 'Cancel' }).tap();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Unlock' }).tap();
    await dialog.getByRole('button', { name: 'Unlock' }).tap();
    await page.getByRole('button', { name: 'Lock', exact: true }).waitFor();
  });

  test('protects a lamp like a lock when an owner asks for it, and a lock always', async () => {
    const isSensitive = async (): Promise<unknown> =>
      ((await call('GET', '/device/hallway-ceiling')).json as { readonly sensitive: boolean }).sensitive;
    await open('hallway-ceiling');
    await openDetails(page);
    const mark = page.getByRole('checkbox', { name: /Treat like a lock/ });
    expect(await mark.isChecked()).toBe(false);
    await mark.tap();
    await expect.poll(isSensitive).toBe(true);
    await expect.poll(() => mark.isChecked()).toBe(true);
    expect(await findingsOn(page)).toEqual([]);
    await mark.tap();
    await expect.poll(isSensitive).toBe(false);
    await expect.poll(() => mark.isChecked()).toBe(false);
    await open('front-door-lock');
    await openDetails(page);
    await page.getByText('always protected').waitFor();
    expect([await mark.isChecked(), await mark.isDisabled()]).toEqual([true, true]);
  });

  test('takes a device out of “All off” and in again when an owner says so', async () => {
    const isInAllOff = async (): Promise<unknown> =>
      ((await call('GET', '/device/hallway-ceiling')).json as { readonly all_off: boolean }).all_off;
    await open('hallway-ceiling');
    await openDetails(page);
    const mark = page.getByRole('checkbox', { name: /Turn off at/ });
    expect(await mark.isChecked()).toBe(true);
    await mark.tap();
    await expect.poll(isInAllOff).toBe(false);
    await expect.poll(() => mark.isChecked()).toBe(false);
    await mark.tap();
    await expect.poll(isInAllOff).toBe(true);
  });

  test('says in words that a command failed, and springs back', async () => {
    await open('hallway-ceiling');
    const toggle = page.getByRole('switch', { name: 'Light' });
    const before = await toggle.getAttribute('aria-checked');
    await page.route('**/command', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'DEVICE_OFFLINE', title: 'Offline', status: 409 }),
      }),
    );
    await toggle.tap();
    await page.getByRole('alert').getByText('Hallway ceiling is offline.').waitFor();
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe(before);
    await page.unroute('**/command');
  });

  test('forgets the device after a question, and asks again if it does not answer', async () => {
    await open('kitchen-sink-leak-sensor');
    let tries = 0;
    await page.route('**/api/v1/device/*', (route) => {
      if (route.request().method() !== 'DELETE' || (tries += 1) > 1) return route.continue();
      const body = JSON.stringify({ code: 'COMMAND_FAILED', detail: 'The device did not answer.', status: 502 });
      return route.fulfill({ status: 502, contentType: 'application/problem+json', body });
    });
    await openDetails(page);
    await page.getByRole('button', { name: 'Forget this device' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).tap();
    const forced = page.getByRole('button', { name: 'Forget anyway' });
    await forced.waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await forced.tap();
    await page.getByText('Kitchen sink leak sensor has been forgotten.').waitFor();
    expect((await call('GET', '/device/kitchen-sink-leak-sensor')).status).toBe(404);
    await open('kitchen-sink-leak-sensor');
    await page.getByRole('heading', { name: 'Device not found' }).waitFor();
  });

  test('leads to its room, where devices can be moved and which can be renamed and removed', async () => {
    await page.goto(`${hub.address}/settings/rooms`);
    await page.getByLabel('Room name').fill('Kitchen');
    await page.getByRole('button', { name: 'Add room' }).tap();
    await page.getByText('Another room has this name.').waitFor();
    await page.getByLabel('Room name').fill('Attic');
    await page.getByRole('button', { name: 'Add room' }).tap();
    await page.getByRole('link', { name: 'Attic' }).tap();
    await page.getByText('No devices in this room yet.').waitFor();
    await page.getByRole('button', { name: 'Move devices here' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Hallway ceiling' }).tap();
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('heading', { name: 'Hallway ceiling' }).waitFor();
    await page.getByRole('button', { name: 'Rename room' }).tap();
    await page.getByLabel('Room name').fill('Loft');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.getByRole('heading', { name: 'Loft' }).waitFor();
    expect((await call('GET', '/device/hallway-ceiling')).json).toMatchObject({ room: { name: 'Loft' } });
    await page.getByRole('button', { name: 'Remove room' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove room' }).tap();
    await page.getByText('Loft has been removed.').waitFor();
    expect((await call('GET', '/device/hallway-ceiling')).json).toMatchObject({ room: null });
  });

  test('saves every sample as a file of the hub', async () => {
    await open('bedroom-bedside-lamp');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).tap();
    const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe('series,at,value,gap');
    expect(web.complaints).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^bedroom-bedside-lamp\/brightness,[\d-]+T[\d:.]+Z,66,$/));
  });

  test('shows what was before the hub started, and who commanded it', async () => {
    await hub.end('SIGTERM');
    hub = await hubs.serve({ HEARTHD_PORT: new URL(hub.address).port });
    await open('bedroom-bedside-lamp');
    const log = page.locator('.log-line');
    await expect
      .poll(() => log.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/Brightness: 66 % by ada$/i)]));
    expect(await findingsOn(page)).toEqual([]);
  });
});
