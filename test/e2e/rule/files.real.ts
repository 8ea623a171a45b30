import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { DESKTOP, SMALL, usePages } from '#test/support/page/page-tests.ts';

const DARK_AT_NIGHT = {
  name: 'Dark at night',
  triggers: [{ type: 'time', at: '23:00' }],
  steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: false, brightness: 10 } } }],
};

describe.skipIf(!needs('chromium'))('automations and templates in files', () => {
  const { ask, openAt } = usePages((asked) => asked('POST', '/automation', DARK_AT_NIGHT));
  const choose = (page: Page, text: string): Promise<void> =>
    page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'automations.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
  const saved = async (page: Page, button: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };

  test('an automation is saved as a file, and comes back from it as a new one that is off', async () => {
    const page = await openAt('/rule/dark-at-night', 'Dark at night', DESKTOP);
    await page.getByRole('button', { name: 'More' }).click();
    const { name, text } = await saved(page, 'Export as a file');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(name).toBe('dark-at-night.json');
    expect(JSON.parse(text)).toMatchObject({ format: 'hearthd-automations', automations: [{ name: 'Dark at night' }] });
    await page.getByRole('link', { name: 'All automations' }).click();
    expect((await saved(page, 'Export all')).name).toBe('automations.json');
    await page.getByRole('link', { name: 'Import from a file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import automations' }).waitFor();
    await choose(page, text);
    const found = page.getByRole('region', { name: '1 automation in the file' });
    await found.getByText('Dark at night').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await found.getByRole('button', { name: 'Import' }).click();
    await page.getByText('1 automation imported, off for now.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Dark at night' }).waitFor();
    const rules = (await ask('GET', '/automation')).json as readonly { name: string; enabled: boolean }[];
    expect(rules.filter((rule) => rule.name === 'Dark at night').map(({ enabled }) => enabled)).toEqual([true, false]);
  });

  test('what this home lacks is asked for, and every fault stands with its place in the file', async () => {
    const page = await openAt('/rule_import', 'Import automations', SMALL);
    const bundle = (steps: unknown) =>
      JSON.stringify({ format: 'hearthd-automations', automations: [{ ...DARK_AT_NIGHT, name: 'From afar', steps }] });
    const lamp = { id: 'ffffffff-0000-7000-8000-000000000001', selector: 'old-lamp', name: 'Old lamp' };
    const devices = [{ ...lamp, integration: 'old', external_id: '7' }];
    await choose(page, '{');
    await page.getByText('The file is no JSON.').waitFor();
    await choose(page, '{"a": 1}');
    await page.getByText('The file has neither automations nor a template in it.').waitFor();
    await choose(page, bundle([{ fly: {} }]));
    const faults = page.getByRole('alert');
    await faults.getByText('/automations/0/steps/0/fly').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await choose(page, bundle([{ command: { targets: { devices }, set: { on: true } } }]));
    const instead = page.getByLabel('Not in this home: Old lamp. Take instead');
    await instead.waitFor();
    await page.getByText('/automations/0/steps/0/command/targets/devices/0').waitFor();
    const take = page.getByRole('button', { name: 'Import', exact: true });
    expect(await take.getAttribute('aria-disabled')).toBe('true');
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await instead.selectOption('kitchen-ceiling');
    await page.getByText(/Old lamp → Kitchen ceiling/).waitFor();
    await take.tap();
    await page.getByRole('heading', { level: 1, name: 'From afar' }).waitFor();
    expect((await ask('GET', '/automation/from-afar')).json).toMatchObject({
      enabled: false,
      devices_used: [{ selector: 'kitchen-ceiling' }],
    });
  });

  test('a template is saved without what only this home has to do with, and another is added from a file', async () => {
    const page = await openAt('/rule_template/low-batteries', 'Low batteries', DESKTOP);
    const { name, text } = await saved(page, 'Export as a file');
    expect([name, text.includes('fits'), text.includes('used_by')]).toEqual(['low-batteries.json', false, false]);
    await page.getByRole('link', { name: 'All templates' }).click();
    await page.getByRole('link', { name: 'Import from a file' }).click();
    await choose(page, text.replace('"id": "low-batteries"', '"id": "our batteries"'));
    await page.getByRole('alert').getByText('/id').waitFor();
    await choose(
      page,
      text.replace('"id": "low-batteries"', '"id": "our-batteries"').replace('"Low batteries"', '"Our batteries"'),
    );
    const found = page.getByRole('region', { name: 'Our batteries' });
    await found.getByText(/^What it may do: .*Send a message/).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await found.getByRole('button', { name: 'Add to the templates' }).click();
    await page.getByRole('heading', { level: 1, name: 'Our batteries' }).waitFor();
    expect((await ask('GET', '/automation_template/our-batteries')).json).toMatchObject({ builtin: false });
  });
});
