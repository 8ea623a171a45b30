import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { SMALL, usePages } from '#test/support/page/page-tests.ts';

describe.skipIf(!needs('chromium'))('setting up the Matter bridge on the page', () => {
  const { ask, open } = usePages();

  test('asks what other homes may do, and makes the token for that by itself', async () => {
    const page = await open(SMALL);
    // Four taps lead from the home to the QR code, if nobody chooses otherwise.
    await page.getByRole('link', { name: 'Settings' }).tap();
    await page.locator('main').getByRole('link', { name: 'Add devices' }).tap();
    await page.getByRole('button', { name: /^Matter bridge/ }).tap();
    const may = page.getByLabel('Other homes may', { exact: true });
    expect(await may.inputValue()).toBe('control');
    expect(await page.getByText('API token').count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    await may.selectOption('use what is offered, locks and doors too');
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.getByRole('heading', { level: 1, name: /Matter bridge/ }).waitFor();
    await expect.poll(async () => (await ask('GET', '/integration/matter_bridge')).status).toBe(200);
    expect((await ask('GET', '/integration/matter_bridge')).json).toMatchObject({
      settings: { may: { value: 'doors' }, token: { value: null } },
    });
    // The set-up ends where an app takes the bridge in.
    await expect.poll(() => page.getByLabel('Number to type').inputValue()).toMatch(/^\d{4}-\d{3}-\d{4}$/);
    await page.locator('main svg[role=img] path:not([d=""])').waitFor();
    await page.getByRole('timer').waitFor();
    expect(await page.getByText('Its devices appear here').count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    // Nobody chose anything, and yet there is something to take in.
    const rooms = (await ask('GET', '/room')).json as readonly { readonly id: string }[];
    expect(rooms.length).toBeGreaterThan(0);
    expect((await ask('GET', '/integration/matter_bridge')).json).toMatchObject({
      settings: { expose: { value: { rooms: rooms.map(({ id }) => id), devices: [] } } },
    });
    await page.goto('/settings/tokens');
    await page.getByText('Matter bridge', { exact: true }).waitFor();
    expect((await ask('GET', '/api_token')).json).toMatchObject([
      { name: 'Matter bridge', scopes: ['device:control', 'device:control_sensitive'] },
    ]);
    await ask('PATCH', '/integration/matter_bridge', { settings: { may: 'see' } });
    expect((await ask('GET', '/api_token')).json).toEqual([]);
  });
});
