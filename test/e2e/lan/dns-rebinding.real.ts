import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchWholeChromium } from '#test/support/page/chromium.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

/** The stranger's name, and names of the hub: in this browser all of them are 127.0.0.1. */
const EVIL = 'evil.example';
const OWN_NAMES = ['127.0.0.1', 'localhost', 'hearthd.local'];
const ALL_NAMES = [EVIL, ...OWN_NAMES];

// What the pages of this test need of a browser: its whole types would stand beside those of Node everywhere.
type PageElement = {
  innerHTML: string;
  readonly addEventListener: (event: string, run: () => void) => void;
  readonly append: (child: PageElement) => void;
  readonly submit: () => void;
};
declare const document: {
  readonly body: PageElement;
  readonly createElement: (tag: string) => PageElement;
  readonly forms: readonly PageElement[];
};
declare const navigator: { readonly sendBeacon: (url: string, body: string) => boolean };
declare const EventSource: new (url: string) => Pick<PageElement, 'addEventListener'> & { readonly readyState: number };

/** An answer as it came over the network, whatever of it the page was let see. */
type WireAnswer = { readonly status: number; readonly isShared: boolean };

describe.skipIf(!needs('chromium'))('N5: a page whose name was turned to the address of the hub', () => {
  let browser: Browser;
  let page: Page;
  let hubs: HubFolder;
  let hub: HubProcess;
  let port: string;
  let token: string;
  const answers: WireAnswer[] = [];

  beforeAll(async () => {
    // The page is loaded while its name leads to the stranger's server; then the hub has that address and port.
    const stranger = createServer((_, answer) => {
      answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>You have won</title><body>');
    });
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    port = String((stranger.address() as AddressInfo).port);
    const names = [EVIL, ...OWN_NAMES.slice(1)].map((name) => `MAP ${name} 127.0.0.1`);
    browser = await launchWholeChromium([`--host-resolver-rules=${names.join(',')}`]);
    page = await browser.newPage();
    await page.goto(`http://${EVIL}:${port}/`);
    stranger.closeAllConnections();
    await once(stranger.close(), 'close');
    hubs = createHubFolder();
    hub = await hubs.serve({ HEARTHD_PORT: port });
    token = (await claimHub(hub)).access_token;
    const network = await page.context().newCDPSession(page);
    network.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
      const names = Object.keys(headers).map((name) => name.toLowerCase());
      answers.push({ status: statusCode, isShared: names.includes('access-control-allow-origin') });
    });
    await network.send('Network.enable');
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  /** Every answer since the last time, once there are so many; none lets a page from elsewhere read it. */
  const statusesOf = async (count: number): Promise<readonly number[]> => {
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(count);
    const taken = answers.splice(0);
    expect(taken.filter(({ isShared }) => isShared)).toEqual([]);
    return taken.map(({ status }) => status);
  };
  const urlOf = (host: string, path: string): string => `http://${host}:${port}${path}`;
  /** A request that the page makes; `null` where the browser keeps the answer from it. */
  const fetchInPage = (url: string, init: RequestInit = {}) =>
    page.evaluate(
      async ([address, options]) => {
        try {
          const answer = await fetch(address, options);
          return { type: answer.type, status: answer.status, text: await answer.text() };
        } catch {
          return null;
        }
      },
      [url, init] as const,
    );
  const sent = (method: string, body: unknown, contentType = 'application/json'): RequestInit => ({
    method,
    headers: { 'Content-Type': contentType },
    body: JSON.stringify(body),
  });

  test.each<[string, string, (() => RequestInit)?]>([
    ['what the hub is', '/api'],
    ['how it is', '/api/v1/health'],
    ['its page', '/'],
    ['its description', '/api/v1/openapi.json'],
    ['devices with a stolen token', '/api/v1/device', () => ({ headers: { Authorization: `Bearer ${token}` } })],
    ['a login with the right password', '/api/v1/login', () => sent('POST', OWNER)],
    ['a command', '/api/v1/device/kitchen-ceiling/command', () => sent('POST', { set: { on: true } }, 'text/plain')],
    ['a preflight', '/api/v1/device', () => ({ method: 'OPTIONS' })],
  ])('by its own name reads nothing but a refusal: %s', async (_, path, init) => {
    const seen = await fetchInPage(urlOf(EVIL, path), init?.());
    expect(seen).toMatchObject({ type: 'basic', status: 421 });
    const { code, detail } = JSON.parse(seen?.text ?? '') as { code: string; detail: string };
    expect(code).toBe('MISDIRECTED_REQUEST');
    expect(detail).not.toContain('127.0.0.1');
    expect(await statusesOf(1)).toEqual([421]);
  });

  test.each(OWN_NAMES)('by the name %s reads nothing at all', async (host) => {
    const url = urlOf(host, '/api/v1/device');
    const wishes: RequestInit[] = [
      {},
      { headers: { Authorization: `Bearer ${token}` } },
      { method: 'DELETE' },
      sent('POST', OWNER),
    ];
    for (const wish of wishes) expect(await fetchInPage(url, wish)).toBeNull();
    expect(new Set(await statusesOf(wishes.length))).toEqual(new Set([403]));
  });

  test.each(ALL_NAMES)('changes nothing without reading, at %s', async (host) => {
    const url = urlOf(host, '/api/v1/login');
    const isEvil = host === EVIL;
    const blind = await fetchInPage(url, { method: 'POST', body: JSON.stringify(OWNER), mode: 'no-cors' });
    expect(blind).toMatchObject(isEvil ? { status: 421 } : { type: 'opaque', status: 0, text: '' });
    expect(await page.evaluate((to) => navigator.sendBeacon(to, 'email=a'), url)).toBe(true);
    expect(await statusesOf(2)).toEqual(isEvil ? [421, 421] : [403, 403]);
  });

  // To a plain http name browsers do not tell where a GET comes from: it looks like that of a script and is answered.
  test.each(ALL_NAMES)('reads nothing of what %s answers to a blind GET', async (host) => {
    const seen = await fetchInPage(urlOf(host, '/api'), { mode: 'no-cors' });
    expect(seen?.type === 'basic' ? seen.status : (seen?.text ?? '')).toBe(host === EVIL ? 421 : '');
    expect(await statusesOf(1)).toEqual([host === EVIL ? 421 : host === 'hearthd.local' ? 200 : 403]);
  });

  test.each(ALL_NAMES)('loads nothing as a part of itself, from %s', async (host) => {
    const events = await page.evaluate(
      (url) =>
        Promise.all(
          ['img', 'script', 'link', 'audio'].map(
            (tag) =>
              new Promise<string>((resolve) => {
                const element = document.createElement(tag);
                for (const event of ['load', 'loadeddata', 'error']) {
                  element.addEventListener(event, () => resolve(`${tag} ${event}`));
                }
                if (tag === 'link') Object.assign(element, { rel: 'stylesheet', href: url });
                else Object.assign(element, { src: url });
                document.body.append(element);
              }),
          ),
        ),
      urlOf(host, '/api'),
    );
    expect(events).toEqual(['img error', 'script error', 'link error', 'audio error']);
    const statuses = new Set(await statusesOf(1));
    expect(statuses).toEqual(new Set([host === EVIL ? 421 : host === 'hearthd.local' ? 200 : 403]));
  });

  test.each(ALL_NAMES)('gets no WebSocket and no event stream from %s', async (host) => {
    const failures: string[] = [];
    page.once('websocket', (socket) => socket.on('socketerror', (error) => void failures.push(error)));
    const ends = await page.evaluate(
      async ([socketUrl, eventUrl]) => {
        const closed = new Promise<number>((resolve) => {
          new WebSocket(socketUrl).addEventListener('close', ({ code }) => resolve(code));
        });
        const events = new EventSource(eventUrl);
        const failed = new Promise<number>((resolve) => {
          events.addEventListener('error', () => resolve(events.readyState));
        });
        return [await closed, await failed];
      },
      [urlOf(host, '/api/v1/event').replace('http', 'ws'), urlOf(host, '/api/v1/event')] as const,
    );
    expect(ends).toEqual([1006, 2]);
    const status = host === EVIL ? 421 : 403;
    expect(failures.join()).toContain(`Unexpected response code: ${status}`);
    expect(new Set(await statusesOf(1))).toEqual(new Set([status]));
  });

  test.each(ALL_NAMES)('sends no form to %s', async (host) => {
    const url = urlOf(host, '/api/v1/login');
    const answer = page.waitForResponse(url);
    await page.evaluate((action) => {
      const body = '{"email":"ada@example.org","password":"cup river stamp","a":"';
      document.body.innerHTML = '<iframe name="sink"></iframe><form method="post" enctype="text/plain" target="sink">';
      const field = Object.assign(document.createElement('input'), { name: body, value: '"}' });
      for (const form of document.forms) {
        Object.assign(form, { action }).append(field);
        form.submit();
      }
    }, url);
    expect((await answer).status()).toBe(host === EVIL ? 421 : 403);
    answers.length = 0;
  });

  test('is the reason for the refusal: a person who types a name of the hub gets the page', async () => {
    const own = await browser.newPage();
    try {
      for (const host of OWN_NAMES) {
        expect((await own.goto(urlOf(host, '/api')))?.status()).toBe(200);
        const devices = await own.evaluate(async (authorization) => {
          const list = await fetch('/api/v1/device', { headers: { authorization } });
          return ((await list.json()) as unknown[]).length;
        }, `Bearer ${token}`);
        expect(devices).toBeGreaterThan(0);
      }
    } finally {
      await own.close();
    }
  });

  test('left no trace in the home', async () => {
    const { json } = await hub.ask('GET', '/api/v1/session', { token });
    expect(json).toHaveLength(1);
    expect(hub.stderr()).not.toMatch(/error|INTERNAL/);
  });
});
