import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { DESKTOP, usePages } from '#test/support/page/page-tests.ts';
import { PHONE } from '#test/support/page/web-page.ts';

describe.skipIf(!needs('chromium'))('place, clock and calendars on the page', () => {
  const { ask, openAt } = usePages();
  const open = (options: BrowserContextOptions) => openAt('/settings/place', 'Place and time', options);
  const read = async (path: string) => (await ask('GET', path)).json;

  test('a hub that knows no time takes that of the device', async () => {
    const page = await open(PHONE);
    await page.getByText('nobody: this is a guess').waitFor();
    await page.getByRole('button', { name: 'Take the time of this device' }).tap();
    await page.getByText(/The clock of the hub is set/).waitFor();
    await page.getByText('a person, since it was switched on').waitFor();
    expect(await read('/hub')).toMatchObject({ clock: { source: 'owner' } });
    // What comes later has the time of a person, which nobody confirmed.
    await page.goto('/settings/audit');
    await page.getByText('No time server has confirmed the times with ≈: they go by what a person said').waitFor();
  });

  test('an automation whose times are over does not say that it has none', async () => {
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const times = [{ type: 'time', at: '07:00', dates: ['2020-02-20'] }];
    await ask('POST', '/automation', { name: 'Over', triggers: times, steps: [] });
    const page = await openAt('/rule/over', 'Over', PHONE);
    await page.getByText('None of its times comes any more.').waitFor();
    expect(await page.getByText('It has no times of the clock').count()).toBe(0);
  });

  test('the place is saved, the sun follows it, and it can be forgotten', async () => {
    const page = await open(PHONE);
    await page.getByLabel('Latitude').fill('48,137');
    await page.getByLabel('Longitude').fill('11.575');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('The hub knows where the sun stands.').waitFor();
    expect(await read('/hub/location')).toMatchObject({ latitude: 48.14, longitude: 11.58 });
    await page.getByText(/Today the sun rises at/).waitFor();
    await page.getByRole('button', { name: 'Forget the place' }).click();
    await page.getByText(/Today the sun rises at/).waitFor({ state: 'detached' });
    expect(await read('/hub/location')).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a city of the same time is chosen instead of numbers', async () => {
    await ask('PATCH', '/hub', { time_zone: 'Europe/Berlin' });
    const page = await open(PHONE);
    const city = page.getByLabel('City');
    await city.selectOption('Hamburg');
    expect(await page.getByLabel('Latitude').inputValue()).toMatch(/^53\.[56]$/);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('The hub knows where the sun stands.').waitFor();
    expect(await read('/hub/location')).toMatchObject({ latitude: expect.closeTo(53.5, 0) });
    await page.reload();
    await expect.poll(() => city.locator('option:checked').textContent()).toBe('Hamburg');
    await page.getByRole('button', { name: 'Forget the place' }).click();
    await expect.poll(() => city.inputValue()).toBe('');
  });

  test('what is no place is refused at its field', async () => {
    const page = await open(PHONE);
    await page.getByLabel('Latitude').fill('148');
    await page.getByLabel('Longitude').fill('11');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByRole('alert').filter({ hasText: '90' }).waitFor();
    expect(await page.getByLabel('Latitude').getAttribute('aria-invalid')).toBe('true');
  });

  test('a calendar is added, changed and removed, and its days are the next days', async () => {
    const page = await open(DESKTOP);
    await page.getByLabel('Name').fill('Ferien Bayern');
    await page.getByLabel('Dates').fill('12-24..01-06\n05-01');
    await page.getByRole('button', { name: 'Add calendar' }).click();
    await page.getByText('Ferien Bayern is saved.').waitFor();
    await page
      .getByText(/Ferien Bayern · no workday/)
      .first()
      .waitFor();
    expect(await read('/calendar')).toMatchObject([
      { key: 'ferien-bayern', dates: ['12-24..01-06', '05-01'], free: true },
    ]);
    await page.getByRole('button', { name: 'Remove calendar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove calendar' }).click();
    await page
      .getByText(/Ferien Bayern · no workday/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await read('/calendar')).toEqual([]);
  });
});
