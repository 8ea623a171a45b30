import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
  OWNER,
} from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { createCounter } from './counter.ts';
import { importPast } from '#test/support/page/past.ts';
import { claimCodeOf, logInOnPage, openWebPage, PHONE } from '#test/support/page/web-page.ts';

const SIMULATED_DEVICES = 13;

describe.skipIf(!needs('chromium'))('what a household does, on a telephone', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    ({ access_token: token } = await claimHub(hub));
    await listDevices(hub, token, SIMULATED_DEVICES);
    await importPast(hub, token, { days: 2, series: { 'bedroom-climate/temperature': () => 19.5 } });
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });
  const open = async (): Promise<Page> => {
    const web = await openWebPage(browser, hub.address, PHONE);
    await logInOnPage(web);
    return web.page;
  };
  const ask = (method: string, path: string, body?: unknown) =>
    hub.ask(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  const valueOf = async (device: string, key: string): Promise<unknown> =>
    (await ask('GET', `/device/${device}/feature/${key}`)).json;

  test('claim the hub, and turn a lamp off', async () => {
    const fresh = createHubFolder();
    const unclaimed = await fresh.serve();
    const { page } = await openWebPage(browser, unclaimed.address, PHONE);
    const { tap, type, done } = createCounter(page);
    await type(page.getByLabel('Claim code'), claimCodeOf(unclaimed));
    await type(page.getByLabel('E-mail address'), OWNER.email);
    await type(page.getByLabel('Password', { exact: true }), OWNER.password);
    await tap(page.getByRole('button', { name: 'Create account' }));
    await tap(page.getByRole('button', { name: 'Continue' }));
    await tap(page.getByRole('main').getByRole('link', { name: /^(?:Later|Go to the home)$/ }));
    const lamp = page.getByRole('switch', { name: 'Kitchen: lights' });
    await tap(lamp);
    await expect.poll(() => lamp.getAttribute('aria-checked')).toBe('false');
    expect(done('claim the hub, lamp off')).toEqual({ taps: 4, fields: 3 });
    await page.context().close();
    await fresh.close();
  });

  test('dim all lamps of a room', async () => {
    await ask('POST', '/device/kitchen-ceiling/command', { set: { on: true, brightness: 80 } });
    const page = await open();
    const { drag, done } = createCounter(page);
    await drag(page.getByRole('slider', { name: 'Kitchen: brightness of all lights' }), 0.3);
    await expect
      .poll(async () => Math.abs(Number(await valueOf('kitchen-ceiling', 'brightness')) - 30))
      .toBeLessThan(6);
    expect(done('dim all lamps of a room')).toEqual({ taps: 1, fields: 0 });
    await page.context().close();
  });

  test.each([
    ['turn off everything, the first time', 2],
    ['turn off everything', 1],
  ])('%s', async (name, taps) => {
    await ask('POST', '/device/kitchen-ceiling/command', { set: { on: true } });
    await ask('POST', '/device/living-room-lamp/command', { set: { on: true } });
    const page = await open();
    const { tap, done } = createCounter(page);
    await tap(page.getByRole('button', { name: 'All off' }));
    if (taps > 1) await tap(page.getByRole('dialog').getByRole('button', { name: 'Turn off' }));
    await expect
      .poll(async () => [await valueOf('kitchen-ceiling', 'on'), await valueOf('living-room-lamp', 'on')])
      .toEqual([false, false]);
    expect(done(name)).toEqual({ taps, fields: 0 });
    await page.context().close();
  });

  test('rename a lamp and move it to a new room', async () => {
    const page = await open();
    const { tap, type, choose, done } = createCounter(page);
    await tap(page.getByRole('link', { name: 'Bedroom' }).first());
    await tap(page.getByRole('link', { name: 'Bedroom bedside lamp' }));
    await tap(page.getByRole('button', { name: 'Rename or move' }));
    await type(page.getByLabel('Name', { exact: true }), 'Reading light');
    await choose(page.getByLabel('Room', { exact: true }), 'New room…');
    await type(page.getByLabel('Name of the new room'), 'Library');
    await tap(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { name: 'Reading light' }).waitFor();
    expect(done('rename and move')).toEqual({ taps: 6, fields: 2 });
    await page.context().close();
  });

  test('add a guest', async () => {
    const page = await open();
    const { tap, type, done } = createCounter(page);
    await tap(page.getByRole('link', { name: 'Settings' }));
    await tap(page.getByRole('link', { name: 'People' }));
    await tap(page.getByRole('link', { name: 'Add a person' }));
    await type(page.getByLabel('Name'), 'Gil');
    await type(page.getByLabel('E-mail address'), 'gil@example.org');
    await type(page.getByLabel('Password', { exact: true }), 'a lamp in the snow');
    await tap(page.getByRole('radio', { name: /^Guest/ }));
    await tap(page.getByRole('button', { name: 'Add a person' }));
    await page.getByRole('link', { name: /^Gil/ }).waitFor();
    expect(done('add a guest')).toEqual({ taps: 5, fields: 3 });
    await page.context().close();
  });

  test('make an API token for a script', async () => {
    const page = await open();
    const { tap, type, done } = createCounter(page);
    await tap(page.getByRole('link', { name: 'Settings' }));
    await tap(page.getByRole('link', { name: 'API tokens' }));
    await tap(page.getByRole('link', { name: 'New token' }));
    await type(page.getByRole('textbox', { name: 'Name' }), 'Script');
    await tap(page.getByRole('button', { name: 'Create token' }));
    await tap(page.getByRole('button', { name: 'Copy' }));
    await page.getByText(/^Copied|copy it by hand/).waitFor();
    expect(done('API token for a script')).toEqual({ taps: 5, fields: 1 });
    await page.context().close();
  });

  test('see how warm it was last night', async () => {
    const page = await open();
    const { tap, done } = createCounter(page);
    await tap(page.getByRole('link', { name: 'Bedroom' }).first());
    await tap(page.locator('a[href="/device/bedroom-climate"]').first());
    await page.getByRole('figure').first().waitFor();
    await page
      .getByText(/Lowest 19\.5/)
      .first()
      .waitFor();
    expect(done('temperature last night')).toEqual({ taps: 2, fields: 0 });
    await page.context().close();
  });

  test('turn the porch light on at sunset', async () => {
    await ask('PUT', '/hub/location', { latitude: 52.5, longitude: 13.4 });
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const page = await open();
    const { tap, done } = createCounter(page);
    await tap(page.getByRole('navigation').getByRole('link', { name: 'Automations' }));
    await tap(page.getByRole('link', { name: /^Lights at sunset/ }));
    await tap(page.getByRole('region', { name: 'Lamps', exact: true }).getByText('Hallway ceiling'));
    expect(await page.getByRole('textbox', { name: 'How long before or after sunset' }).inputValue()).toBe('15');
    expect(await page.getByRole('combobox', { name: 'Earlier or later' }).inputValue()).toBe('before');
    await tap(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { level: 1, name: 'Lights at sunset' }).waitFor();
    await page.getByText('Made from the template “Lights at sunset”.').waitFor();
    expect((await ask('GET', '/automation/lights-at-sunset')).json).toMatchObject({
      state: 'ready',
      next_at: expect.stringMatching(/^20/),
      triggers: [{ type: 'sun', event: 'sunset', offset_s: -900 }],
    });
    expect(done('porch light at sunset')).toEqual({ taps: 4, fields: 0 });
    await page.context().close();
  });

  test('make an automation without a template: on at sunset if somebody is home, off at 23:00', async () => {
    await ask('PUT', '/hub/location', { latitude: 52.5, longitude: 13.4 });
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const page = await open();
    const { tap, done } = createCounter(page);
    await tap(page.getByRole('navigation').getByRole('link', { name: 'Automations' }));
    await tap(page.getByRole('link', { name: 'New automation' }));
    await tap(page.getByRole('button', { name: 'At sunset' }));
    await tap(page.getByRole('button', { name: 'Somebody is home' }));
    await tap(page.getByRole('button', { name: 'Control devices' }));
    const sheet = page.getByRole('dialog');
    await tap(sheet.getByRole('button', { name: /^Hallway ceiling/ }));
    expect(await sheet.getByText(/Which way|where the value comes from/).count()).toBe(0);
    await tap(sheet.getByRole('button', { name: 'Turn on' }));
    await tap(sheet.getByRole('group', { name: 'Turn off again' }).getByRole('button', { name: 'At a time' }));
    expect(await sheet.getByLabel('Clock time').inputValue()).toBe('23:00');
    await tap(sheet.getByRole('button', { name: 'Done' }));
    await tap(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { level: 1, name: 'Turn on Hallway ceiling when the sun sets' }).waitFor();
    const targets = { devices: [{ selector: 'hallway-ceiling' }] };
    expect((await ask('GET', '/automation/turn-on-hallway-ceiling-when-the-sun-sets')).json).toMatchObject({
      state: 'ready',
      triggers: [{ type: 'sun', event: 'sunset' }],
      conditions: [{ presence: { person: 'anyone', is: 'home' } }],
      steps: [
        { command: { targets, set: { on: true } } },
        { delay: { until: '23:00' } },
        { command: { targets, set: { on: false } } },
      ],
    });
    expect(done('own automation')).toEqual({ taps: 10, fields: 0 });
    await page.context().close();
  });

  test('save the room as movie night, and bring it back', async () => {
    const level = async (brightness: number): Promise<void> => {
      await ask('POST', '/device/living-room-lamp/command', { set: { on: true, brightness } });
      await expect.poll(() => valueOf('living-room-lamp', 'brightness')).toBe(brightness);
    };
    await level(15);
    const page = await open();
    const save = createCounter(page);
    await save.tap(page.getByRole('link', { name: 'Living room' }).first());
    await save.tap(page.getByRole('button', { name: 'Save as scene' }));
    const dialog = page.getByRole('dialog', { name: 'Save Living room as a scene' });
    await save.type(dialog.getByLabel('Name'), 'Movie night');
    await save.tap(dialog.getByRole('button', { name: 'Save' }));
    await page.getByText('Movie night is saved.').waitFor();
    expect(save.done('save the room as movie night')).toEqual({ taps: 3, fields: 1 });
    await page.context().close();
    await level(80);
    const evening = await open();
    const { tap, done } = createCounter(evening);
    await tap(evening.getByRole('button', { name: /^Movie night/ }));
    await expect.poll(() => valueOf('living-room-lamp', 'brightness')).toBe(15);
    expect(done('movie night')).toEqual({ taps: 1, fields: 0 });
    await evening.context().close();
  });

  test('connect to the broker, and find out why a lamp is offline', async () => {
    const broker = await startBroker();
    onTestFinished(broker.close);
    await startFakeZigbee2mqtt(broker, [{ ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Porch lamp' }]);
    const folder = createHubFolder();
    onTestFinished(folder.close);
    const lone = await folder.serve({ HEARTHD_MQTT_URL: '', HEARTHD_SIMULATE: '0' });
    await claimHub(lone);
    const web = await openWebPage(browser, lone.address, PHONE);
    const { page } = web;
    onTestFinished(() => page.context().close());
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Log in' }).tap();
    const connected = createCounter(page);
    await connected.tap(page.getByRole('link', { name: 'Add devices' }).first());
    await connected.tap(page.getByRole('link', { name: /^Zigbee2MQTT/ }));
    await connected.tap(page.getByRole('link', { name: 'Its settings' }));
    await connected.type(page.getByLabel('Address of the broker'), broker.url);
    await connected.tap(page.locator('form', { hasText: 'Settings' }).getByRole('button', { name: 'Save' }));
    await page.getByText('Connected ·').waitFor();
    expect(connected.done('connect to the broker')).toEqual({ taps: 4, fields: 1 });
    await broker.publish('zigbee2mqtt/Porch lamp/availability', '{"state":"offline"}', true);
    await page.goto(`${lone.address}/`);
    const found = createCounter(page);
    await found.tap(page.getByRole('button', { name: /offline/ }).first());
    await found.tap(page.getByRole('link', { name: /Porch lamp/ }).first());
    await page.getByText('Not available right now: it is not responding.').waitFor();
    await page.getByText('Check that it has power: a switch on the wall may be off.').waitFor();
    expect(found.done('why a lamp is offline')).toEqual({ taps: 2, fields: 0 });
  });

  test('make a backup, and restore it', async () => {
    const page = await open();
    const made = createCounter(page);
    await made.tap(page.getByRole('link', { name: 'Settings' }));
    await made.tap(page.getByRole('link', { name: /^Backup/ }));
    await made.tap(page.getByRole('button', { name: 'Back up now' }));
    await page.getByText('The backup has been made.').waitFor();
    expect(made.done('make a backup')).toEqual({ taps: 3, fields: 0 });
    const restored = createCounter(page);
    const row = page.getByRole('listitem').filter({ hasText: 'Made by hand' });
    await restored.tap(row.getByRole('button', { name: /^Restore…/ }));
    await restored.tap(page.getByRole('dialog').getByRole('button', { name: 'Restore this backup' }));
    await page.getByText('The backup has been restored.').waitFor();
    expect(restored.done('restore it')).toEqual({ taps: 2, fields: 0 });
    await page.context().close();
  });
});
