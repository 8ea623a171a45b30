import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeDnsMessage } from '#lan/mdns/dns-message.ts';
import { HUB_PORT, type NamespaceHub, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { type Announced, EMPTY, recordsOf } from '#test/support/lan/announced.ts';
import { connectNamespaces, createNamespaces, type Namespaces } from '#test/support/machine/namespaces.ts';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { launchChromiumIn } from '#test/support/page/chromium.ts';
import { openDevices, openWebPage, PHONE } from '#test/support/page/web-page.ts';

const SUPPORT = join(import.meta.dirname, '../../support');
const CERTIFICATES = join(import.meta.dirname, '../../fixtures/hue');
const PLACE = '192.168.50.20';
const BRIDGE: Announced = {
  name: '<img src=x onerror=alert(1)> Hue Bridge',
  type: '_hue._tcp',
  host: 'hue-bridge',
  port: 443,
  addresses: [PLACE],
  txt: ['bridgeid=001788fffe01a0b0', 'modelid=BSB002'],
  ttlS: 120,
};
/** Sends one packet to all in its network, again and again, until its input ends. */
const ANNOUNCE = `const [packet, address] = process.argv.slice(1);
const socket = require('node:dgram').createSocket({ type: 'udp4', reuseAddr: true });
socket.bind(5353, address, () => {
  socket.setMulticastInterface(address);
  setInterval(() => socket.send(Buffer.from(packet, 'base64'), 5353, '224.0.0.251'), 500);
});
process.stdin.resume().on('end', () => process.exit(0));`;

describe.skipIf(!needs('root') || !needs('ip') || !needs('chromium'))('the whole first use', () => {
  let spaces: Namespaces<'hub' | 'house'>;
  let hub: NamespaceHub;
  let browser: Browser;
  let stopBridge: () => Promise<void>;
  let pressButton: () => void;
  beforeAll(async () => {
    spaces = createNamespaces('hub', 'house');
    connectNamespaces([spaces.hub, 'eth0'], [spaces.house, 'eth0']);
    spaces.hub.ip('link set eth0 up', 'addr add 192.168.50.1/24 dev eth0');
    spaces.house.ip('link set eth0 up', `addr add ${PLACE}/24 dev eth0`);
    const packet = encodeDnsMessage({ ...EMPTY, isResponse: true, answers: recordsOf(BRIDGE) });
    const flags = ['--lamps', '3', '--port', '443', '--address', PLACE];
    const program = join(SUPPORT, 'hue/simulated-bridge.mjs');
    const bridge = spaces.house.start(process.execPath, [program, CERTIFICATES, ...flags], {});
    const announcing = spaces.house.start(process.execPath, ['-e', ANNOUNCE, packet.toString('base64'), PLACE], {});
    if (bridge.stdout === null) throw new Error('the simulated bridge has no output');
    const [line] = (await once(createInterface(bridge.stdout), 'line')) as [string];
    const { controlPort } = JSON.parse(line) as { controlPort: number };
    pressButton = () => {
      const press = `fetch('http://127.0.0.1:${controlPort}/link', { method: 'POST' })`;
      spaces.house.run(process.execPath, ['-e', press]);
    };
    stopBridge = async () => {
      for (const child of [bridge, announcing]) {
        const ended = once(child, 'exit');
        child.stdin?.end();
        await ended;
      }
    };
    hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'eth0' });
    browser = await launchChromiumIn(spaces.house);
  });
  afterAll(async () => {
    await browser.close();
    await hub.stop();
    await stopBridge();
    spaces.remove();
  });

  test('goes from a fresh hub over a bridge that it discovered to a lamp on the page', async () => {
    const { page, complaints } = await openWebPage(browser, `http://192.168.50.1:${HUB_PORT}`, PHONE);
    await page.getByLabel('Claim code').fill(hub.claimCode);
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password', { exact: true }).fill('cup river stamp');
    await page.getByRole('button', { name: 'Create account' }).tap();
    await page.getByRole('button', { name: 'Continue' }).tap();
    const found = page.locator('.found-row');
    await found.getByText(PLACE).waitFor();
    // Its name is the text of a stranger.
    expect(await found.locator('.row-title').innerText()).toBe(BRIDGE.name);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    await found.getByRole('button', { name: /^Set up/ }).tap();
    await page.getByRole('heading', { level: 1, name: 'Set up Philips Hue' }).waitFor();
    // The hub knows the address already.
    expect(await page.getByLabel('Address of the bridge').count()).toBe(0);
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByRole('heading', { name: 'Press the round button on the bridge.' }).waitFor();
    pressButton();
    await page.getByRole('heading', { name: 'Philips Hue is set up' }).waitFor();
    await page.getByText('12 devices', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Go to the home' }).tap();
    await openDevices(page);
    const lamp = page.getByRole('switch', { name: 'Sofa' });
    await lamp.waitFor();
    const before = await lamp.getAttribute('aria-checked');
    await lamp.tap();
    await expect.poll(() => lamp.getAttribute('aria-checked')).not.toBe(before);
    await page.goto(`http://192.168.50.1:${HUB_PORT}/add`);
    await page.getByRole('button', { name: 'Search for devices' }).waitFor();
    // What is set up is no longer something to set up.
    await expect.poll(() => found.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
