import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { usePages } from '#test/support/page/page-tests.ts';
import { PHONE } from '#test/support/page/web-page.ts';

const HUB = 'Asia/Tokyo';
const AWAY = { ...PHONE, timezoneId: 'America/New_York', locale: 'en-GB' };
const AT_HOME = { ...PHONE, timezoneId: HUB, locale: 'en-GB' };
const clockIn = (timeZone: string, at: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: '2-digit' }).format(Date.parse(at));

describe.skipIf(!needs('chromium'))('a browser in another zone than the hub', () => {
  const { ask, open, goTo } = usePages(async (give) => give('PATCH', '/hub', { time_zone: HUB }));
  const note = (page: Page) => page.locator('.zone-note');

  test('shows the times of the hub on every page, and says so', async () => {
    await ask('POST', '/device/kitchen-ceiling/command', { set: { on: false } });
    const { json } = await ask('GET', '/history/timeline?limit=1');
    const [{ at }] = (json as { readonly lines: readonly [{ readonly at: string }] }).lines;
    const page = await open(AWAY);
    await expect.poll(() => note(page).innerText()).toContain(`(${HUB})`);
    await goTo(page, '/history/log', 'History');
    await page.getByText(clockIn(HUB, at), { exact: true }).first().waitFor();
    expect(await page.getByText(clockIn(AWAY.timezoneId, at), { exact: true }).count()).toBe(0);
  });

  test('takes a moment that is typed as one of the hub', async () => {
    const body = { email: 'ben@example.org', password: 'a long and quiet evening', name: 'Ben', role: 'guest' };
    const { id } = (await ask('POST', '/user', body)).json as { readonly id: string };
    const page = await open(AWAY);
    await goTo(page, `/settings/people/${id}`, 'Ben');
    await page.getByLabel('Until').fill('2027-01-15T18:00');
    const form = page.locator('form').filter({ has: page.getByLabel('Until') });
    await form.getByRole('button', { name: 'Save' }).click();
    const untilOf = async (): Promise<unknown> =>
      ((await ask('GET', `/user/${id}`)).json as { valid_until: unknown }).valid_until;
    await expect.poll(untilOf).toBe('2027-01-15T09:00:00.000Z');
    expect(await page.getByLabel('Until').inputValue()).toBe('2027-01-15T18:00');
  });

  test('shows no note where both have the same time', async () => {
    const page = await open(AT_HOME);
    await goTo(page, '/history/log', 'History');
    await page.locator('main time, main .log-at, main li').first().waitFor();
    expect(await note(page).count()).toBe(0);
  });
});
