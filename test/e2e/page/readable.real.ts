import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { speakLonger } from '#test/support/page/pseudo-language.ts';
import { goAsLink } from '#test/support/page/views.ts';
import { logInOnPage, openDevices, openWebPage, PHONE } from '#test/support/page/web-page.ts';

const PAGES = [
  '/',
  '/add',
  '/room',
  '/settings/rooms',
  '/room/living-room',
  '/scene',
  '/scene/all-off',
  '/device/living-room-lamp',
  '/device/living-room-thermostat',
  '/device/living-room-blind',
  '/device/front-door-lock',
  '/device/bedroom-climate',
  '/device/living-room-remote',
  '/history',
  '/history?f=bedroom-climate/temperature,living-room-thermostat/temperature,kitchen-fridge-plug/energy,hallway-ceiling/on',
  '/history/log',
  '/history/energy',
  '/settings',
  '/settings/account',
  '/settings/appearance',
  '/settings/sessions',
  '/settings/tokens/add',
  '/settings/walls',
  '/settings/energy',
  '/settings/exporters/add',
  '/settings/groups',
  '/settings/modes',
  '/settings/place',
  '/rule',
  '/settings/people',
  '/settings/people/add',
  '/settings/integrations',
  '/settings/integrations/zigbee2mqtt',
  '/settings/integrations/setup/anything',
  '/settings/history',
  '/settings/health',
  '/settings/backup',
  '/settings/audit',
];

/** Finds cut-off text, broken words and a page that is wider than the screen, in the page's present state. */
const UNREADABLE = `(() => {
  const found = [];
  const isSeen = (one) => one.checkVisibility() && one.closest('.unseen, [aria-hidden="true"], select, .skip') === null;
  const width = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (width > 0) found.push('the page is ' + width + ' px too wide');
  for (const one of document.querySelectorAll('body *')) {
    if (!isSeen(one) || (one.innerText ?? '').trim() === '') continue;
    const { overflowX, overflowY } = getComputedStyle(one);
    const isWide = overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1;
    const isHigh = overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 1;
    // The page hides a second reading completely if it has no room.
    const isLeftOut = one.matches('.readings') && !isWide;
    if (isWide || (isHigh && !isLeftOut)) found.push('cut off: ' + one.className + ' ' + one.innerText.slice(0, 60));
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (!isSeen(node.parentElement)) continue;
    for (const { 0: word, index } of node.data.matchAll(/(?<![\\w])[A-Za-z]{2,14}(?![\\w./:@-])/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push('broken: ' + word);
    }
  }
  const search = document.querySelector('input[type="search"]');
  if (search !== null) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(search);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = font;
    const room = search.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (pen.measureText(search.placeholder).width > room) found.push('cut off: ' + search.placeholder);
  }
  return found;
})()`;

/** Controls that are smaller than a finger. */
const SMALL = `(() => {
  const wanted = 'button, .button, select, [role="switch"], input:not([type="range"]):not([type="file"]), .room-link, .row';
  return [...document.querySelectorAll(wanted)].flatMap((one) => {
    const target = one.closest('label') ?? one;
    if (!one.checkVisibility() || target.closest('.unseen, .skip, .field-box') !== null && target.matches('input')) return [];
    const { left, top, width, height } = target.getBoundingClientRect();
    const isThere = (x, y) => {
      scrollTo(0, scrollY + top - innerHeight / 2);
      const now = target.getBoundingClientRect();
      return document.elementFromPoint(now.left + now.width / 2 + x, now.top + now.height / 2 + y)?.closest('button, label, a, select') === target;
    };
    const isWide = width >= 43.5 || (isThere(21, 0) && isThere(-21, 0));
    const isHigh = height >= 43.5 || (isThere(0, 21) && isThere(0, -21));
    if (isWide && isHigh) return [];
    const name = one.getAttribute('aria-label') ?? one.textContent;
    return [one.className + ' ' + name + ': ' + Math.round(width) + ' x ' + Math.round(height)];
  });
})()`;

/** Controls whose accessible name lacks their visible words. */
const MISNAMED = `[...document.querySelectorAll(':is(a, button, input)[aria-label]')].flatMap((one) => {
  const shown = (one.innerText ?? '').replace(/\\s+/g, ' ').trim().toLowerCase();
  return one.getAttribute('aria-label').toLowerCase().includes(shown) ? [] : [shown];
})`;

describe.skipIf(!needs('chromium'))('reading, touching and hearing the page', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    ({ access_token: token } = await claimHub(hub));
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const web = await openWebPage(browser, hub.address, options);
    await logInOnPage(web);
    return web.page;
  };
  const walk = async (page: Page, look: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const path of PAGES) {
      await goAsLink(page, path);
      // The browser lays out a card only when it is near the screen.
      await page.evaluate(
        `document.querySelectorAll('.card').forEach((card) => (card.style.contentVisibility = 'visible'))`,
      );
      found.push(...(await page.evaluate<string[]>(look)).map((one) => `${path}: ${one}`));
    }
    return found;
  };

  test('text of twice the size is neither cut off nor broken on a phone', async () => {
    const page = await open(PHONE);
    expect(await walk(page, UNREADABLE)).toEqual([]);
    await goAsLink(page, '/settings/appearance');
    await page.getByRole('radio', { name: 'Largest' }).check();
    expect(await walk(page, UNREADABLE)).toEqual([]);
    await goAsLink(page, '/room');
    const columns = await page.evaluate(
      `new Set([...document.querySelectorAll('.card')].map((card) => card.offsetLeft)).size`,
    );
    expect(columns).toBe(1);
    // Icons grow too, and the bell is seen beside its number.
    for (const title of ['One', 'Two']) {
      await hub.ask('POST', '/api/v1/notification', { token, body: { title, severity: 'warning' } });
    }
    await page.locator('.bell-count').waitFor();
    const [bell, covered] = await page.evaluate<[number, number]>(`(() => {
      const bell = document.querySelector('.bell .icon').getBoundingClientRect();
      const count = document.querySelector('.bell-count').getBoundingClientRect();
      const width = Math.max(0, Math.min(bell.right, count.right) - Math.max(bell.left, count.left));
      const height = Math.max(0, Math.min(bell.bottom, count.bottom) - Math.max(bell.top, count.top));
      return [bell.width, (width * height) / (bell.width * bell.height)];
    })()`);
    expect(bell).toBeGreaterThan(30);
    expect(covered).toBeLessThan(0.4);
    await page.context().close();
  });

  test('words that are 40 % longer are neither cut off nor broken on a phone of 320 px', async () => {
    const page = await open({ ...PHONE, viewport: { width: 320, height: 640 } });
    await speakLonger(page);
    await page.evaluate(`localStorage.setItem('hearthd.language', 'de')`);
    await page.reload();
    await page.getByRole('link', { name: 'Seettiings' }).waitFor();
    expect(await walk(page, UNREADABLE)).toEqual([]);
    await page.context().close();
  });

  test('every control is as large as a finger, and its name holds the words on it', async () => {
    const page = await open(PHONE);
    expect(await walk(page, SMALL)).toEqual([]);
    expect(await walk(page, MISNAMED)).toEqual([]);
    await page.context().close();
  });

  test('the controls of a lamp have their labels as names, and the color wheel is two sliders', async () => {
    const page = await open();
    await goAsLink(page, '/device/living-room-lamp');
    // A lamp shines in a color or in a white.
    await page.getByRole('button', { name: 'Color temperature', exact: true }).click();
    for (const name of ['Brightness', 'Color temperature']) {
      await page.getByRole('slider', { name, exact: true }).waitFor();
    }
    await expect.poll(() => page.getByRole('slider', { name: 'Color: hue' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Color', exact: true }).click();
    await page.getByText('Any color').click();
    for (const name of ['Color: hue', 'Color: saturation']) {
      await page.getByRole('slider', { name, exact: true }).waitFor();
    }
    const hue = page.getByRole('slider', { name: 'Color: hue' });
    const before = await hue.inputValue();
    await hue.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => hue.inputValue()).not.toBe(before);
    await page.context().close();
  });

  test('a screen reader announces what its user sets, and no value that changes by itself', async () => {
    const page = await open();
    for (const path of ['/room', '/device/living-room-lamp']) {
      await goAsLink(page, path);
      expect([path, await page.locator('output').count()]).toEqual([path, 0]);
      await page.evaluate(`window.announced = []; new MutationObserver((changes) => {
        for (const { target } of changes) {
          const region = (target.parentElement ?? target).closest('output, [role="status"], [role="alert"], [aria-live]');
          // An empty region says nothing.
          if (region?.textContent) window.announced.push(region.textContent);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
      for (const brightness of [20, 40, 60, 80]) {
        const body = { set: { on: brightness % 40 === 0, brightness } };
        await hub.ask('POST', '/api/v1/device/living-room-lamp/command', { token, body });
      }
      await expect.poll(() => page.getByText('80 %').count()).toBeGreaterThan(0);
      expect([path, await page.evaluate('window.announced')]).toEqual([path, []]);
    }
    await goAsLink(page, '/device/living-room-thermostat');
    await page.evaluate('window.announced = []');
    await page.getByRole('button', { name: 'Warmer' }).first().click();
    await expect.poll(() => page.evaluate('window.announced.length')).toBeGreaterThan(0);
    await page.context().close();
  });

  test('in forced colors, what is on differs from what is off', async () => {
    const page = await open({ forcedColors: 'active' });
    await openDevices(page);
    await hub.ask('POST', '/api/v1/command', {
      token,
      body: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } },
    });
    await hub.ask('POST', '/api/v1/command', {
      token,
      body: { targets: { devices: ['hallway-ceiling'] }, set: { on: false } },
    });
    const styleOf = (name: string, selector: string): Promise<string> =>
      page.evaluate<string>(`(() => {
        const card = [...document.querySelectorAll('.card')].find((one) => one.querySelector('.card-name a').getAttribute('aria-label') === '${name}');
        const { outlineStyle, borderTopStyle, backgroundColor } = getComputedStyle(card.querySelector('${selector}') ?? card);
        return [outlineStyle, borderTopStyle, backgroundColor].join(' ');
      })()`);
    const [lit, dark] = ['Kitchen ceiling', 'Hallway ceiling'];
    await expect.poll(() => styleOf(lit, 'none')).toMatch(/^solid solid/);
    await expect.poll(() => styleOf(dark, 'none')).toMatch(/^none solid/);
    expect(await styleOf(lit, '.on-button')).not.toBe(await styleOf(dark, '.on-button'));
    expect(await styleOf(lit, '.slider-fill')).not.toBe(await styleOf(lit, '.slider'));
    await page.context().close();
  });

  test('colors, text size and contrast can be chosen, are kept, and apply in every tab', async () => {
    const page = await open({ colorScheme: 'light' });
    const other = await page.context().newPage();
    await other.goto(`${hub.address}/settings/appearance`);
    await goAsLink(page, '/settings/appearance');
    const lookOf = (tab: Page): Promise<unknown> =>
      tab.evaluate(`[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.documentElement).fontSize,
        getComputedStyle(document.documentElement).getPropertyValue('--ink-soft'), getComputedStyle(document.documentElement).colorScheme]`);
    const light = ['rgb(245, 242, 237)', '16px', '#5d554b', 'light dark'];
    await expect.poll(() => lookOf(page)).toEqual(light);
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Larger' }).check();
    await page.getByRole('checkbox', { name: 'More contrast' }).check();
    const dark = ['rgb(20, 18, 16)', '24px', '#f3ede4', 'dark'];
    await expect.poll(() => lookOf(page)).toEqual(dark);
    await expect.poll(() => lookOf(other)).toEqual(dark);
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    await expect.poll(() => lookOf(page)).toEqual(dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('radio', { name: 'Light' }).check();
    await page.getByRole('radio', { name: 'Normal' }).check();
    await page.getByRole('checkbox', { name: 'More contrast' }).uncheck();
    await expect.poll(() => lookOf(page)).toEqual([...light.slice(0, 3), 'light']);
    await page.getByRole('radio', { name: 'Automatic' }).check();
    await expect.poll(() => lookOf(page)).toEqual(['rgb(20, 18, 16)', '16px', '#b9afa2', 'light dark']);
    await page.context().close();
  });
});
