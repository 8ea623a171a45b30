import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { claimHub, createHubFolder, type HubFolder } from '#test/support/daemon/hub-process.ts';
import { startMosquitto } from '#test/support/peers/mosquitto.ts';
import { radioAddress, startZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';
import { needs } from '#test/support/machine/requires.ts';
import { logInOnPage, openWebPage, PHONE } from '#test/support/page/web-page.ts';

type DeviceJson = {
  readonly external_id: string;
  readonly name: string;
  readonly room: { readonly name: string } | null;
};

describe.skipIf(!needs('chromium'))('adding devices on the page', () => {
  let browser: Browser;
  let hubs: HubFolder;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  test('finds a simulated one, and gives it a name and a new room at once', async () => {
    const hub = await hubs.serve();
    const tokens = await claimHub(hub);
    const web = await openWebPage(browser, hub.address, PHONE);
    const { page, complaints } = web;
    await logInOnPage(web);
    await page.goto(`${hub.address}/add`);
    await page.evaluate(`window.isSettingUp = false; new MutationObserver(() => {
      window.leftAtFirst ??= document.querySelector('[role=timer]')?.textContent;
      window.isSettingUp ||= document.querySelector('.found')?.textContent.includes('Setting up the device…') ?? false;
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    await page.getByRole('button', { name: 'Search for devices' }).tap();
    await page.locator('.found').getByText('The device could not be added').waitFor();
    expect(await page.evaluate('window.leftAtFirst')).toMatch(/(?:1:5\d|2:00) left/);
    expect(await page.evaluate('window.isSettingUp')).toBe(true);
    await page.getByRole('button', { name: 'Stop' }).tap();
    expect(await findingsOn(page)).toEqual([]);
    // The device already has a suggested name before the person saves one.
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Lamp');
    const ask = await hub.ask('GET', '/api/v1/device?search=Lamp', { token: tokens.access_token });
    expect((ask.json as DeviceJson[]).map(({ name }) => name)).toContain('Lamp');
    await page.getByRole('button', { name: 'Blink: Lamp' }).tap();
    await page.getByText('Lamp: Blink sent').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Reading lamp');
    await page.getByLabel('Room', { exact: true }).selectOption('New room…');
    await page.getByLabel('Name of the new room').fill('Library');
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('link', { name: 'Open' }).waitFor();
    const named = async (): Promise<DeviceJson | undefined> => {
      const { json } = await hub.ask('GET', '/api/v1/device?search=reading', { token: tokens.access_token });
      return (json as DeviceJson[])[0];
    };
    expect(await named()).toMatchObject({ name: 'Reading lamp', room: { name: 'Library' } });
    // The page suggests the room of the last device for the next one.
    await page.getByRole('button', { name: 'Search for devices' }).tap();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).count()).toBe(1);
    const offered = page.getByLabel('Room', { exact: true });
    expect(await offered.locator('option:checked').innerText()).toBe('Library');
    await page.getByRole('button', { name: 'Stop' }).tap();
    await page.getByRole('button', { name: 'Search for devices' }).waitFor();
    await page.getByRole('link', { name: 'Open' }).first().tap();
    await page.getByRole('heading', { name: 'Reading lamp' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
    // The pairing was real: the simulated home still has the device after a restart.
    await hub.end('SIGTERM');
    const again = await hubs.serve();
    const { json } = await again.ask('GET', '/api/v1/device?search=reading', { token: tokens.access_token });
    expect(json).toMatchObject([{ name: 'Reading lamp' }]);
    await again.end('SIGTERM');
  });
});

describe.skipIf(!needs('chromium'))('a hub on which nothing was ever set up', () => {
  test('invites to bring in devices, and shows no failure, until a broker is set', async () => {
    const hubs = createHubFolder();
    const browser = await launchChromium();
    try {
      // An empty address, because this machine may run a broker at the default address.
      const hub = await hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: '' });
      const { access_token: token } = await claimHub(hub);
      const web = await openWebPage(browser, hub.address, PHONE);
      const { page } = web;
      await page.getByLabel('E-mail address').fill('ada@example.org');
      await page.getByLabel('Password', { exact: true }).fill('cup river stamp');
      await page.getByRole('button', { name: 'Log in' }).tap();
      await page.getByRole('link', { name: 'Add devices' }).first().waitFor();
      const statusOf = async (): Promise<unknown> => {
        const { json } = await hub.ask('GET', '/api/v1/integration/zigbee2mqtt', { token });
        const { status, is_set_up: isSetUp, error } = json as Record<string, { code: string } | null>;
        return [status, isSetUp, error?.code];
      };
      await expect.poll(statusOf).toEqual(['error', false, 'CONNECTION_REFUSED']);
      for (const [path, words] of [
        ['/add', 'Add your first devices'],
        ['/settings/integrations', 'Nothing is set up yet.'],
        ['/settings/health', 'Nothing is set up yet.'],
      ] as const) {
        await page.goto(hub.address + path);
        await page.getByText(words).waitFor();
        expect([path, await page.getByText(/Nothing answers|Not connected/).count()]).toEqual([path, 0]);
      }
      await hub.ask('PATCH', '/api/v1/integration/zigbee2mqtt', { token, body: { base_topic: 'home' } });
      await expect.poll(statusOf).toEqual(['error', true, 'CONNECTION_REFUSED']);
      await page.goto(`${hub.address}/settings/integrations`);
      await page.getByText(/Nothing answers/).waitFor();
    } finally {
      await browser.close();
      await hubs.close();
    }
  });
});

describe.skipIf(!needs('chromium') || !needs('mosquitto') || !needs('zigbee2mqtt'))(
  'adding devices on the page, with the real Zigbee2MQTT',
  () => {
    test('names a device that joins its radio', async () => {
      const broker = await startMosquitto();
      const peer = await startZigbee2mqtt({ brokerPort: broker.port });
      const hubs = createHubFolder();
      const browser = await launchChromium();
      try {
        const hub = await hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url });
        const tokens = await claimHub(hub);
        const { page, complaints } = await openWebPage(browser, hub.address, PHONE);
        await page.getByLabel('E-mail address').waitFor();
        await page.getByLabel('E-mail address').fill('ada@example.org');
        await page.getByLabel('Password', { exact: true }).fill('cup river stamp');
        await page.getByRole('button', { name: 'Log in' }).tap();
        await page.getByRole('link', { name: 'Add devices' }).first().tap();
        await page.getByRole('button', { name: 'Search for devices' }).tap();
        const found = page.locator('.found > li').filter({ hasText: 'SONOFF SNZB-02' });
        await found.getByLabel('Name', { exact: true }).fill('Balcony');
        await found.getByLabel('Room', { exact: true }).selectOption('New room…');
        await found.getByLabel('Name of the new room').fill('Outside');
        await found.getByRole('button', { name: 'Save' }).tap();
        await page.getByRole('link', { name: 'Open' }).waitFor();
        const { json } = await hub.ask('GET', '/api/v1/device?search=balcony', { token: tokens.access_token });
        expect(json).toMatchObject([{ external_id: radioAddress(3), room: { name: 'Outside' } }]);
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
        await hubs.close();
        await peer.remove();
        await broker.stop();
      }
    });
  },
);
