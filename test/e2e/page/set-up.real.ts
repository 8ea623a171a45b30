import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { type HueBridge, startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { openTab, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

type SetupJson = { readonly status: string; readonly step: { readonly type: string } | null };

const MARKUP = '<img src=x onerror=alert(1)> <b>Bridge</b>';
const FOUND = {
  id: '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11',
  kind: 'hue',
  name: MARKUP,
  address: '192.168.1.20',
  ignored: false,
  found_at: '2026-11-21T04:06:22.000Z',
};
const BRIDGE = {
  id: 'matter_bridge',
  kind: 'matter_bridge',
  name: 'Matter bridge',
  status: 'connected',
  since: FOUND.found_at,
  error: null,
  devices: 0,
  can_pair: false,
  pairs_by_code: false,
  is_set_up: true,
  enabled: true,
  enabled_fixed_by: null,
  fixed_by: null,
  settings: {},
};
const RUN = { id: FOUND.id, kind: 'hue', status: 'running', integration: null, renewed: false, error: null };

describe.skipIf(!needs('chromium'))('setting up an integration on the page', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let bridge: HueBridge;
  let token: string;
  beforeAll(async () => {
    browser = await launchChromium();
    bridge = await startHueBridge({ lamps: 2 });
    hubs = createHubFolder();
    hub = await hubs.serve({ HEARTHD_SIMULATE: '0' });
    token = (await claimHub(hub)).access_token;
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
    await bridge.close();
  });
  const open = async (path: string, options = {}): Promise<WebPage> => {
    const web = await openWebPage(browser, hub.address, options);
    await web.page.getByLabel('E-mail address').fill('ada@example.org');
    await web.page.getByLabel('Password', { exact: true }).fill('cup river stamp');
    await web.page.getByRole('button', { name: 'Log in' }).click();
    await web.page.getByRole('link', { name: 'Add devices' }).first().waitFor();
    await web.page.goto(hub.address + path);
    await web.page.getByRole('heading', { level: 1 }).waitFor();
    return web;
  };
  const setupOf = async ({ page }: WebPage): Promise<{ id: string; status: number; json: SetupJson }> => {
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { status, json } = await hub.ask('GET', `/api/v1/integration_setup/${id}`, { token });
    return { id, status, json: json as SetupJson };
  };
  const begin = async ({ page }: WebPage): Promise<void> => {
    await page.getByRole('button', { name: /^Philips Hue/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Set up Philips Hue' }).waitFor();
    await page.getByLabel('Address of the bridge').waitFor();
  };

  test('says at the field what is wrong, keeps what was typed, and goes on after a reload', async () => {
    const web = await open('/add', PHONE);
    const { page, complaints } = web;
    await begin(web);
    const address = page.getByLabel('Address of the bridge');
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByText('Required', { exact: true }).waitFor();
    await address.fill('not an address');
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByText(/Must be a host name or address/).waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    // The error goes with the value that it is about, and comes back with another wrong one.
    await address.fill('no address either');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('false');
    await page.getByRole('button', { name: 'Next' }).tap();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await address.fill('127.0.0.1:1');
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByText('Does not answer.').waitFor();
    expect(await address.inputValue()).toBe('127.0.0.1:1');
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('127.0.0.1:1');
    expect(await findingsOn(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => address.inputValue()).toBe('127.0.0.1:1');
    expect((await setupOf(web)).json.status).toBe('running');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('says what to check where nothing is found, and leads to what is found once somebody looks again', async () => {
    const web = await open('/add', PHONE);
    const { page, complaints } = web;
    let things: unknown[] = [];
    await page.route('**/api/v1/integration_found**', (route) =>
      route.fulfill({ json: route.request().url().includes('ignored') ? [] : things }),
    );
    await begin(web);
    await page.getByRole('heading', { name: 'Nothing found yet' }).waitFor();
    await page.getByText('Its address is in the Hue app').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    things = [FOUND];
    await page.getByRole('button', { name: 'Look again' }).tap();
    await page.getByRole('link', { name: MARKUP }).tap();
    await page.getByRole('button', { name: `Set up ${MARKUP}` }).waitFor();
    // As where the hub has a broker, and nobody has chosen it yet.
    const settings = { address: { value: 'mqtt://192.168.1.2:1883', fixed_by: null } };
    await page.route(/\/api\/v1\/integration$/, async (route) => {
      const all = (await (await route.fetch()).json()) as readonly Record<string, unknown>[];
      await route.fulfill({ json: all.map((one) => ({ ...one, settings, is_set_up: false, status: 'connecting' })) });
    });
    await page.goto(`${hub.address}/settings/integrations/zigbee2mqtt`);
    await page.getByText('The devices appear by themselves.').waitFor();
    await page.locator('.help .code', { hasText: 'mqtt://' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('that is left in the middle goes on where it was, until the person cancels it in every tab', async () => {
    const web = await open('/add');
    const { page } = web;
    await begin(web);
    const { id } = await setupOf(web);
    const address = page.getByLabel('Address of the bridge');
    await address.fill('192.168.1.2');
    await page.getByRole('link', { name: 'Add devices' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Add devices' }).waitFor();
    await page.goBack();
    await expect.poll(() => address.inputValue()).toBe('192.168.1.2');
    await page.getByRole('link', { name: 'Add devices' }).last().click();
    await begin(web);
    expect((await setupOf(web)).id).toBe(id);
    expect(await address.inputValue()).toBe('192.168.1.2');
    const other = await openTab(web, page.url());
    await other.page.getByLabel('Address of the bridge').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel set-up' }).click();
    await page.getByRole('heading', { level: 1, name: 'Add devices' }).waitFor();
    await other.page.getByRole('button', { name: 'Try again' }).waitFor();
    expect((await hub.ask('GET', `/api/v1/integration_setup/${id}`, { token })).status).toBe(404);
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'This set-up has ended' }).waitFor();
    await begin(web);
    expect((await setupOf(web)).id).not.toBe(id);
    const { json } = await hub.ask('GET', '/api/v1/integration', { token });
    expect((json as { kind: string }[]).filter(({ kind }) => kind === 'hue')).toEqual([]);
    await page.context().close();
  });

  test('leads to the new devices by keyboard, and says each step to a screen reader once', async () => {
    const web = await open('/add');
    const { page, complaints } = web;
    await begin(web);
    await page.evaluate(`window.said = []; new MutationObserver(() => {
      const words = document.querySelector('.page > [role=status]')?.textContent ?? '';
      if (words !== '' && words !== window.said[window.said.length - 1]) window.said.push(words);
      window.leftAtFirst ??= document.querySelector('[role=timer]')?.textContent;
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    await page.getByLabel('Address of the bridge').fill(bridge.host);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Press the round button on the bridge.' }).waitFor();
    await page.getByRole('timer').waitFor();
    expect(await page.evaluate('window.leftAtFirst')).toMatch(/Waiting, 0:5\d left|Waiting, 1:00 left/);
    expect(await findingsOn(page)).toEqual([]);
    await bridge.act('link');
    await page.getByRole('heading', { name: 'Philips Hue is set up' }).waitFor();
    await page.getByText('11 devices', { exact: true }).waitFor();
    const said = await page.evaluate<string[]>('window.said');
    expect(said.filter((words) => words === 'Press the round button on the bridge.')).toHaveLength(1);
    expect(said.at(-1)).toBe('Philips Hue is set up');
    const sofa = page.locator('.found > li').filter({ hasText: 'Sofa' });
    await sofa.getByRole('button', { name: 'Change the name or room of Sofa' }).click();
    await sofa.getByLabel('Name', { exact: true }).fill('Corner sofa');
    await sofa.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Corner sofa').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the home' }).click();
    await page.getByRole('link', { name: 'Rooms', exact: true }).click();
    await page.getByRole('switch', { name: 'Corner sofa' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('is done again where a key was withdrawn, and is removed with its devices after asking', async () => {
    const web = await open('/settings/integrations/hue');
    const { page } = web;
    await page.getByText('Connected ·').waitFor();
    await bridge.act('revoke');
    await page.getByRole('heading', { name: 'It needs your attention' }).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set it up again' }).click();
    // The settings that are left here have a field of the same name.
    await page.getByRole('heading', { level: 1, name: 'Set up Philips Hue' }).waitFor();
    await page.getByLabel('Address of the bridge').fill(bridge.host);
    await page.getByRole('button', { name: 'Next' }).click();
    await page
      .getByText(/Press the round button|is set up again/)
      .first()
      .waitFor();
    await bridge.act('link');
    await page.getByRole('heading', { name: 'Philips Hue is set up again' }).waitFor();
    await page.getByRole('link', { name: 'Its settings' }).click();
    await page.getByText('Connected ·').waitFor();
    await page.getByLabel('Name').fill('Upstairs');
    await page.locator('form', { hasText: 'In use' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Upstairs' }).waitFor();
    await page.getByRole('button', { name: 'Remove this integration' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('radio', { name: /^Keep/ }).isChecked()).toBe(true);
    await dialog.getByRole('radio', { name: /^Forget/ }).check();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Upstairs has been removed.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Upstairs/ }).count()).toBe(0);
    const { json } = await hub.ask('GET', '/api/v1/device', { token });
    expect(json).toEqual([]);
    await page.context().close();
  });

  test('shows a found thing whose name is markup as its text, and hides it when it is ignored, until it is shown again', async () => {
    const web = await open('/add', { viewport: { width: 320, height: 700 } });
    const { page, complaints } = web;
    let isIgnored = false;
    await page.route('**/api/v1/integration_found**', async (route) => {
      const asksForIgnored = route.request().url().includes('ignored=true');
      const isChange = route.request().method() === 'POST';
      if (isChange) isIgnored = route.request().url().endsWith('/ignore');
      const thing = { ...FOUND, ignored: isIgnored };
      const json = isChange ? thing : asksForIgnored === isIgnored ? [thing] : [];
      await route.fulfill({ json });
    });
    await page.reload();
    await page.getByText('Found in your home').first().waitFor();
    await page.getByText(MARKUP).waitFor();
    expect(await page.locator('main img, main b').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: `Ignore ${MARKUP}` }).click();
    await expect.poll(() => page.getByRole('button', { name: `Set up ${MARKUP}` }).count()).toBe(0);
    await page.getByText('1 ignored').click();
    await page.getByRole('button', { name: `Show ${MARKUP} again` }).click();
    await page.getByRole('button', { name: `Ignore ${MARKUP}` }).waitFor();
    expect(await page.getByText('1 ignored').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('opens a bridge with a number and a code, and takes it away from a home', async () => {
    const web = await open('/settings/integrations', PHONE);
    const { page, complaints } = web;
    const calls: string[] = [];
    let fabrics = [
      { id: 1, label: MARKUP, vendor: 'Apple Home' },
      { id: 2, label: 'Google Home', vendor: 'Google Home' },
    ];
    const pairing = { manual_code: '34970112332', qr: 'MT:Y.K9042C00KA0648G00', remaining_s: 200 };
    await page.route(/\/api\/v1\/integration(?:\/.*)?$/, async (route) => {
      const call = `${route.request().method()} ${new URL(route.request().url()).pathname.slice(7)}`;
      if (!call.startsWith('GET')) calls.push(call);
      if (call.startsWith('DELETE') && call.endsWith('/fabric/1')) fabrics = fabrics.slice(1);
      const isOpen = calls.at(-1) === 'POST /integration/matter_bridge/pairing';
      const bridgeNow = { ...BRIDGE, fabrics, ...(isOpen ? { pairing } : {}) };
      await route.fulfill(call.startsWith('DELETE') ? { status: 204 } : { json: [bridgeNow] });
    });
    await page.goto(`${hub.address}/settings/integrations/matter_bridge`);
    await page.getByRole('button', { name: 'Open for another app' }).tap();
    await expect.poll(() => page.getByLabel('Number to type').inputValue()).toBe('3497-011-2332');
    await page.locator('main svg[role=img] path:not([d=""])').waitFor();
    expect(await page.getByRole('img', { name: /QR code .* 3497-011-2332/ }).count()).toBe(1);
    await page
      .getByRole('timer')
      .getByText(/3:\d\d left/)
      .waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close', exact: true }).tap();
    await page.getByRole('button', { name: 'Open for another app' }).waitFor();
    expect(await page.getByRole('img').count()).toBe(0);
    await page.getByRole('button', { name: `Remove ${MARKUP}` }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it away' }).tap();
    await page.getByText(`${MARKUP} does not have the bridge any more.`).waitFor();
    expect(await page.locator('main .row-title').allInnerTexts()).toContain('Google Home');
    expect(await page.getByRole('button', { name: `Remove ${MARKUP}` }).count()).toBe(0);
    const path = '/integration/matter_bridge';
    expect(calls).toEqual([`POST ${path}/pairing`, `DELETE ${path}/pairing`, `DELETE ${path}/fabric/1`]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    [
      'choose',
      { text: 'Which?', options: [{ id: 'a', title: '<b>Hall</b>', detail: 'Ground floor' }] },
      { option: 'a' },
    ],
    ['show', { text: 'Enter this code elsewhere.', code: '3497-011-2332' }, {}],
  ])('shows the step %s, and sends its answer', async (type, step, answer) => {
    const web = await open('/settings', PHONE);
    const { page, complaints } = web;
    const sent: unknown[] = [];
    await page.route('**/api/v1/integration_setup/*', async (route) => {
      const isAnswer = route.request().method() === 'POST';
      if (isAnswer) sent.push(route.request().postDataJSON());
      await route.fulfill({
        json: { ...RUN, step: isAnswer ? { type: 'busy', text: 'Working …' } : { type, ...step } },
      });
    });
    await page.goto(`${hub.address}/settings/integrations/setup/${FOUND.id}`);
    await page.getByRole('heading', { name: step.text }).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: type === 'show' ? 'Next' : /<b>Hall<\/b>/ }).tap();
    await page.getByRole('heading', { name: 'Working …' }).waitFor();
    expect(sent).toEqual([{ answer }]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
