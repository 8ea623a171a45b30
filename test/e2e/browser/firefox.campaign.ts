import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
  OWNER,
} from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { type Firefox, type FirefoxPage, launchFirefox } from '#test/support/page/firefox.ts';
import { importPast } from '#test/support/page/past.ts';

const SIMULATED_DEVICES = 13;

/** By what a screen reader would call it. */
const labelled = (text: string): string =>
  `[...document.querySelectorAll('label')].find((one) => one.textContent.trim() === ${JSON.stringify(text)})?.control`;
const named = (kind: string, text: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(kind)})].find((one) => (one.ariaLabel ?? one.textContent).trim() === ${JSON.stringify(text)})`;
const heading = (text: string): string => named('h1', text);

describe.skipIf(!needs('firefox-esr'))('in Firefox', () => {
  let firefox: Firefox;
  let hubs: HubFolder;
  let hub: HubProcess;
  let page: FirefoxPage;
  beforeAll(async () => {
    hubs = createHubFolder();
    [firefox, hub] = await Promise.all([launchFirefox(), hubs.serve()]);
    const { access_token: token } = await claimHub(hub);
    await listDevices(hub, token, SIMULATED_DEVICES);
    await importPast(hub, token, {
      days: 1,
      series: { 'bedroom-climate/temperature': (atMs) => 20 + (atMs % 7) / 10 },
    });
    page = await firefox.open();
    await page.goto(hub.address);
  });
  afterAll(async () => {
    await firefox.close();
    await hubs.close();
  });

  test('a person logs in, switches the lamps of a room and the hub reports it', async () => {
    await page.type(labelled('E-mail address'), OWNER.email);
    await page.type(labelled('Password'), OWNER.password);
    await page.click(named('button', 'Log in'));
    const lamps = named('[role=switch]', 'Kitchen: lights');
    await page.waitFor(lamps);
    const before = await page.evaluate<string>(`${lamps}.ariaChecked`);
    await page.click(lamps);
    await page.waitFor(`${lamps}.ariaChecked !== ${JSON.stringify(before)}`);
    // Also in a tab that was opened anew.
    await page.goto(`${hub.address}/`);
    await page.waitFor(lamps);
    expect(await page.evaluate(`${lamps}.ariaChecked`)).not.toBe(before);
  });

  test('a room shows its devices, and a slider is dragged', async () => {
    await page.click(named('a', 'Living room'));
    await page.waitFor(heading('Living room'));
    const slider = named('input[type=range]', 'Living room: brightness of all lights');
    const level = `${named('input[type=range]', 'Brightness: Living room lamp')}?.value`;
    await page.waitFor(`${level} !== undefined`);
    expect(await page.evaluate<number>("document.querySelectorAll('.card').length")).toBeGreaterThan(1);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const isThere = await page.evaluate<boolean>(`${slider} !== undefined`);
    const track = isThere ? slider : named('input[type=range]', 'Brightness: Living room lamp');
    await page.click(`${track}.closest('.slider')`);
    await page.waitFor(`Math.abs(Number(${level}) - 50) <= 3`);
  });

  test('a device shows its chart', async () => {
    await page.goto(`${hub.address}/device/bedroom-climate`);
    await page.waitFor(heading('Bedroom climate'));
    await page.waitFor("document.querySelector('.u-over, canvas')");
    await page.waitFor("document.querySelector('canvas').width > 100");
    expect(
      await page.evaluate<boolean>("[...document.querySelectorAll('table, details, .figure-table')].length > 0"),
    ).toBe(true);
  });

  test('the automations are listed, a template opens, and the browser complained of nothing', async () => {
    await page.click(named('.nav-place', 'Automations'));
    await page.waitFor(heading('Automations'));
    await page.click(
      `[...document.querySelectorAll('a')].find((one) => one.textContent.startsWith('Lights at sunset'))`,
    );
    await page.waitFor(heading('Lights at sunset'));
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(page.complaints).toEqual([]);
  });
});
