import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { DESKTOP, SMALL, usePages } from '#test/support/page/page-tests.ts';

const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: 'dark' };

describe.skipIf(!needs('chromium'))('templates of automations on the page', () => {
  const { ask, openAt } = usePages();
  const isNarrow = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

  test('a home without automations begins with templates; one is filled by touch, read as a sentence, and saved', async () => {
    const page = await openAt('/rule', 'Automations', SMALL);
    await page.getByRole('link', { name: /^Low batteries/ }).waitFor();
    expect(await page.getByRole('link', { name: 'From a template' }).count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    expect(await isNarrow(page)).toBe(true);
    await page.getByRole('link', { name: /^Light by motion/ }).tap();
    await page.getByRole('heading', { level: 1, name: 'Light by motion' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('alert').getByText('Fill in: Motion sensors, Lamps.').waitFor();
    await page.getByRole('region', { name: 'Motion sensors' }).getByText('Hallway motion').tap();
    await page.getByRole('region', { name: 'Lamps', exact: true }).getByText('Kitchen ceiling').tap();
    const preview = page.getByRole('region', { name: 'What it will do' });
    await preview
      .getByText(/Hallway motion/)
      .first()
      .waitFor();
    await preview
      .getByText(/Kitchen ceiling/)
      .first()
      .waitFor();
    expect(await findingsOn(page)).toEqual([]);
    expect(await isNarrow(page)).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Kitchen by motion');
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Kitchen by motion' }).waitFor();
    await page.getByText('Made from the template “Light by motion”.').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    expect((await ask('GET', '/automation/kitchen-by-motion')).json).toMatchObject({
      template: { id: 'motion-light', version: 1 },
      devices_used: expect.arrayContaining([expect.objectContaining({ selector: 'kitchen-ceiling' })]),
    });
  });

  test('what is filled in is changed later, with the difference in sight, and no hand edit is overwritten unseen', async () => {
    await ask('POST', '/automation_template/low-batteries/instantiate', { name: 'Batteries' });
    const page = await openAt('/rule/batteries', 'Batteries', DARK);
    await page.getByRole('link', { name: 'Edit answers' }).click();
    await page.getByLabel('Low means below (%)').fill('30');
    await page.getByText('This would change:').waitFor();
    await page.getByText(/15 became 30/).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Batteries is up to date.').waitFor();
    await page.getByText('Made from the template “Low batteries”.').waitFor();
    expect((await ask('GET', '/automation/batteries')).json).toMatchObject({
      version: 2,
      template: { inputs: { below: 30 } },
    });
  });

  test('what the hub refuses stands at its hole, and nothing is made', async () => {
    const page = await openAt('/rule_template/low-batteries', 'Low batteries', DARK);
    await page.getByLabel('Low means below (%)').fill('300');
    await page.getByText('Must be a number from 1 to 90.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Refused');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect((await ask('GET', '/automation/refused')).status).toBe(404);
    await page.getByRole('link', { name: 'All templates' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  });

  test('an automation is cut loose, and goes on as it is', async () => {
    await ask('POST', '/automation_template/low-batteries/instantiate', { name: 'Loose' });
    const page = await openAt('/rule/loose', 'Loose', SMALL);
    await page.getByRole('button', { name: 'Detach from template' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Detach from template' }).tap();
    await page.getByText('It is an automation of its own now.').waitFor();
    await page.getByText('Made from the template').waitFor({ state: 'detached' });
    expect((await ask('GET', '/automation/loose')).json).toMatchObject({ template: null, version: 1 });
  });

  test.each([
    ['/rule_template/nothing', 'Templates', 'Templates'],
    ['/rule_template/low-batteries?automation=nothing', 'Automation', 'Templates'],
    ['/settings/exporters/nothing', 'Export', 'Exports'],
  ])('%s is not there: a way back, and no other try', async (path, heading, above) => {
    const page = await openAt(path, heading, SMALL);
    const said = page.getByRole('alert');
    await said.getByRole('link', { name: 'Back' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    await said.getByRole('link', { name: 'Back' }).tap();
    await page.getByRole('heading', { level: 1, name: above, exact: true }).waitFor();
  });
});
