import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { DESKTOP, usePages } from '#test/support/page/page-tests.ts';
import { PHONE } from '#test/support/page/web-page.ts';

const GUEST = { email: 'gus@example.org', password: 'a lamp in the rain' };
const LAMP = { device: 'kitchen-ceiling', set: { on: true } };
const LOCK = { device: 'front-door-lock', set: { locked: true } };

describe.skipIf(!needs('chromium'))('the search over everything', () => {
  const { ask, open } = usePages(async (call) => {
    await call('POST', '/scene', { name: 'Movie in the kitchen', targets: [LAMP] });
    await call('POST', '/scene', { name: 'Movie with a locked door', targets: [LOCK] });
    const triggers = [{ type: 'feature', device: LAMP.device, key: 'on', to: true }];
    await call('POST', '/automation', { name: 'Movie night', triggers, steps: [] });
    await call('POST', '/user', { ...GUEST, name: 'Gus', role: 'guest', rooms: ['kitchen'] });
  });
  const search = async (page: Page, words: string) => {
    const dialog = page.getByRole('dialog');
    const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === words);
    await dialog.getByRole('searchbox').fill(words);
    // What was said of earlier words is gone by then.
    await asked;
    const links = dialog.getByRole('link');
    return { dialog, links };
  };
  const openSearch = async (page: Page, name = 'Search'): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').getByRole('searchbox').waitFor();
  };

  test('finds a scene, and the keyboard opens it', async () => {
    const page = await open(DESKTOP);
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
    await page.keyboard.press('/');
    const { dialog, links } = await search(page, 'movie');
    await dialog.getByText('3 results').waitFor();
    expect(await dialog.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Scenes', 'Automations']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => links.first().evaluate('document.activeElement.textContent')).toBe('Movie in the kitchen');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Movie in the kitchen' }).waitFor();
    expect(await dialog.count()).toBe(0);
    // Enter waits for the answer to the whole word.
    await page.keyboard.press('/');
    await page.getByRole('searchbox').pressSequentially('movie night');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Movie night' }).waitFor();
  });

  test('finds devices, rooms, people and pages, and says that there is nothing', async () => {
    const page = await open(PHONE);
    await openSearch(page);
    const { dialog, links } = await search(page, 'kitchen');
    await dialog.getByRole('heading', { name: 'Devices' }).waitFor();
    expect((await dialog.getByRole('heading', { level: 3 }).allTextContents())[0]).toBe('Rooms');
    expect(await findingsOn(page)).toEqual([]);
    await search(page, 'gus@');
    await dialog.getByRole('link', { name: 'Gus' }).waitFor();
    await search(page, 'backup');
    await expect.poll(() => links.first().getAttribute('href')).toBe('/settings/backup');
    await search(page, 'no such thing');
    await dialog.getByText('Nothing found').waitFor();
    expect(await links.count()).toBe(0);
  });

  test('shows nothing of an answer that comes after the answer to later words', async () => {
    const page = await open(DESKTOP);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/\/find\?q=movie$/, async (route) => {
      await held;
      await route.continue();
    });
    await openSearch(page);
    const { dialog, links } = await search(page, 'movie');
    await search(page, 'thermostat');
    await dialog.getByText('1 result', { exact: true }).waitFor();
    const late = page.waitForResponse(/\/find\?q=movie$/);
    letGo();
    await (await late).finished();
    await page.waitForTimeout(300);
    expect(await links.allTextContents()).toEqual([expect.stringContaining('thermostat')]);
  });

  test('a letter finds the home before the pages, and the field stays in sight above them', async () => {
    const page = await open(PHONE);
    await openSearch(page);
    const { dialog, links } = await search(page, 'e');
    await dialog.getByRole('heading', { name: 'Devices' }).waitFor();
    expect((await dialog.getByRole('heading', { level: 3 }).allTextContents()).at(-1)).toBe('Pages and settings');
    await links.last().scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate(`document.querySelector('dialog').scrollTop`)).toBeGreaterThan(100);
    const box = await dialog.getByRole('searchbox').boundingBox();
    const topmost = `document.elementFromPoint(${(box?.x ?? 0) + 80}, ${(box?.y ?? 0) + 10})?.type`;
    expect(await page.evaluate(topmost)).toBe('search');
  });

  test('knows its pages by the words of the language', async () => {
    const page = await open(DESKTOP);
    await page.evaluate(`localStorage.setItem('hearthd.language', 'de')`);
    await page.reload();
    await openSearch(page, 'Suchen');
    for (const [words, path] of [
      ['sicherung', '/settings/backup'],
      ['raume', '/settings/rooms'],
      ['alles aus', '/scene/all-off'],
      // What it is and where, and what it can do, in words that are not its name.
      ['licht kitchen', '/device/kitchen-ceiling'],
      ['helligkeit', '/device/living-room-lamp'],
    ] as const) {
      const { dialog } = await search(page, words);
      await expect.poll(() => dialog.locator(`a[href="${path}"]`).count()).toBe(1);
    }
  });

  test('shows a guest nothing that is not theirs', async () => {
    const page = await open(PHONE, GUEST);
    await openSearch(page);
    const { dialog, links } = await search(page, 'movie');
    await dialog.getByText('1 result', { exact: true }).waitFor();
    expect(await links.allTextContents()).toEqual([expect.stringContaining('Movie in the kitchen')]);
    for (const words of ['hallway', 'lock', 'movie night', 'backup', 'gus@', 'people']) {
      await search(page, words);
      await dialog.getByText('Nothing found').waitFor();
    }
    await search(page, 'password');
    await expect.poll(() => links.first().getAttribute('href')).toBe('/settings/account');
    expect((await ask('GET', '/find?q=hallway')).json).not.toEqual([]);
  });
});
