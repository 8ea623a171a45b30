import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { DESKTOP, SMALL, usePages } from '#test/support/page/page-tests.ts';

const OPERAND = {
  name: 'Computed',
  triggers: [{ type: 'time', at: '07:00' }],
  steps: [
    {
      command: {
        targets: { devices: ['kitchen-ceiling'] },
        set: { on: true, brightness: { mul: [{ feature: { device: 'living-room-lamp', key: 'brightness' } }, 0.5] } },
      },
    },
    { delay: { s: 180 } },
  ],
};

describe.skipIf(!needs('chromium'))('the editor of automations', () => {
  const { ask, openAt } = usePages((asked) => asked('POST', '/automation', OPERAND));

  test('a device that is picked shows its own card, and what few need is behind More', async () => {
    const page = await openAt('/rule_new', 'New automation', SMALL);
    await page.getByRole('button', { name: 'Control devices' }).tap();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: /^Living room lamp/ }).tap();
    await sheet.getByRole('heading', { name: 'Living room lamp' }).waitFor();
    const brightness = sheet.getByRole('group', { name: 'Brightness' });
    await brightness.getByRole('button', { name: '60 %' }).tap();
    await sheet.getByRole('group', { name: 'Color', exact: true }).getByRole('button', { name: 'Red' }).tap();
    await sheet.getByRole('group', { name: 'Color temperature' }).getByRole('button', { name: 'Warm' }).tap();
    expect(await sheet.getByRole('combobox').count()).toBe(0);
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await sheet.getByRole('button', { name: 'More', exact: true }).tap();
    await sheet.getByRole('combobox', { name: 'Brightness: where the value comes from' }).waitFor();
    await sheet.getByRole('combobox', { name: 'Which way' }).first().waitFor();
    await sheet.getByRole('button', { name: 'More devices' }).tap();
    await sheet.getByText('Hallway ceiling').tap();
    await sheet.getByRole('button', { name: 'These devices' }).tap();
    expect(await sheet.getByRole('group', { name: 'Color temperature' }).count()).toBe(0);
    await sheet.getByRole('button', { name: 'Done' }).tap();
    await page.locator('summary', { hasText: 'As JSON' }).tap();
    expect(JSON.parse(await page.getByRole('textbox', { name: 'As JSON' }).inputValue())).toMatchObject({
      steps: [{ command: { targets: { devices: ['living-room-lamp', 'hallway-ceiling'] }, set: { on: true } } }],
    });
  });

  test('a calculation is edited without More, and a wait has its unit', async () => {
    const page = await openAt('/rule/computed?view=edit', 'Computed', DESKTOP);
    const sheet = page.getByRole('dialog');
    await page.getByRole('button', { name: /^What to set: turn on/ }).click();
    const source = sheet.getByRole('combobox', { name: 'Brightness: where the value comes from' });
    expect(await source.inputValue()).toBe('mul');
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /^How long: 3 minutes/ }).click();
    expect(await sheet.getByRole('textbox', { name: 'How long' }).inputValue()).toBe('3');
    expect(await sheet.getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('minutes');
    await sheet.getByRole('button', { name: 'Until' }).click();
    expect(await sheet.getByLabel('Until').last().inputValue()).toBe('22:00');
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^How long: 3 minutes/ }).waitFor();
  });

  test('a sheet that is cancelled, or left with nothing chosen, takes its new part away', async () => {
    const page = await openAt('/rule_new', 'New automation', DESKTOP);
    const sheet = page.getByRole('dialog');
    const lines = page.getByRole('region', { name: 'Then' }).getByRole('listitem');
    await page.getByRole('button', { name: 'Control devices' }).click();
    await sheet.getByRole('button', { name: /^Hallway ceiling/ }).click();
    await sheet.getByRole('group', { name: 'Turn off again' }).getByRole('button', { name: 'After a while' }).click();
    await expect.poll(() => lines.count()).toBe(3);
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => lines.count()).toBe(0);
    await page.getByRole('button', { name: 'A message' }).click();
    await expect.poll(() => lines.count()).toBe(1);
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => lines.count()).toBe(0);
    await page.getByRole('button', { name: 'Control devices' }).waitFor();
  });

  test('with the keyboard alone, the focus goes on to what can be added next', async () => {
    const page = await openAt('/rule_new', 'New automation', DESKTOP);
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.getByRole('button', { name: 'At sunset' }).press('Enter');
    await expect.poll(focused).toBe('Add another trigger');
    await page.getByRole('button', { name: 'Control devices' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(focused).toMatch(/^Bedroom bedside lamp/);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('More devices');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await expect.poll(focused).toBe('Add another action');
  });

  test('a lock is allowed by name with one tap, and is saved', async () => {
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const page = await openAt('/rule_new', 'New automation', SMALL);
    await page.getByRole('button', { name: 'At a time' }).tap();
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('button', { name: 'Control devices' }).tap();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Front door lock/ })
      .tap();
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('button', { name: 'Let this automation use Front door lock' }).tap();
    await page.getByText(/The hub understands all of it|No errors/).waitFor();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Lock Front door lock when it is 07:00' }).waitFor();
    expect((await ask('GET', '/automation/lock-front-door-lock-when-it-is-07-00')).json).toMatchObject({
      allow_sensitive: [{ selector: 'front-door-lock' }],
      steps: [{ command: { set: { locked: true } } }],
    });
  });

  test('rare kinds stand behind More, below those that people use', async () => {
    const page = await openAt('/rule_new', 'New automation', SMALL);
    await page.getByRole('button', { name: 'Add a condition' }).tap();
    const sheet = page.getByRole('dialog');
    const first = sheet.getByRole('listitem').first();
    expect(await first.textContent()).toContain('A device is …');
    const rare = sheet.getByRole('button', { name: /^Two values compare/ });
    expect(await rare.isVisible()).toBe(false);
    await sheet.getByText('More', { exact: true }).tap();
    await rare.tap();
    await page.getByRole('region', { name: 'If' }).getByRole('listitem').waitFor();
  });
});
