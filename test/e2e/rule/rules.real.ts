import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { findingsOn } from '#test/support/page/axe.ts';
import { DESKTOP, SMALL, usePages } from '#test/support/page/page-tests.ts';
import { PHONE } from '#test/support/page/web-page.ts';

const LIGHT = {
  name: 'Hall light',
  mode: { kind: 'restart' },
  yield_to_hand_s: 1800,
  triggers: [{ type: 'feature', device: 'hallway-motion', key: 'motion', to: true }],
  conditions: [
    {
      or: [
        { feature: { device: 'living-room-lamp', key: 'on', is: true }, if_unknown: true },
        { time: { after: '22:00', before: '06:00' } },
      ],
    },
  ],
  steps: [
    { command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true, brightness: 60 } } },
    {
      wait_for: {
        triggers: [{ type: 'feature', device: 'hallway-motion', key: 'motion', to: false, for_s: 180 }],
        timeout_s: 14_400,
        ['then']: 'continue',
      },
    },
    { command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: false } } },
  ],
};

describe.skipIf(!needs('chromium'))('automations on the page', () => {
  const { ask, openAt } = usePages((asked) => asked('POST', '/automation', LIGHT));
  const ruleOf = async (selector: string) => (await ask('GET', `/automation/${selector}`)).json as typeof LIGHT;
  test('an automation is built by touch alone: what starts it, what it does, saved, and found in the list', async () => {
    const page = await openAt('/rule_new', 'New automation', PHONE);
    await page.getByLabel('Name', { exact: true }).fill('Lamp at night');
    await page.getByRole('button', { name: 'Add a trigger' }).tap();
    await page.getByRole('button', { name: /A device does something/ }).tap();
    await page.getByRole('dialog').getByText('Hallway motion').tap();
    await page.getByRole('dialog').getByRole('radio', { name: 'Motion' }).first().waitFor();
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('button', { name: /^To which value: sees motion$/ }).waitFor();
    await page.getByRole('button', { name: 'Add an action' }).tap();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Control devices/ })
      .tap();
    await page.getByRole('dialog').getByText('Kitchen ceiling').tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByText(/^No errors/).waitFor();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Lamp at night is saved.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Lamp at night' }).waitFor();
    expect(await ruleOf('lamp-at-night')).toMatchObject({
      triggers: [{ type: 'feature', device: { selector: 'hallway-motion' }, key: 'motion', to: true }],
      steps: [{ command: { targets: { devices: [{ selector: 'kitchen-ceiling' }] }, set: { on: true } } }],
    });
    await page.getByRole('link', { name: 'All automations' }).tap();
    await page.getByRole('link', { name: /Lamp at night/ }).waitFor();
    await page.getByRole('switch', { name: 'Lamp at night is on' }).tap();
    await page.getByRole('switch', { name: 'Lamp at night is on', checked: false }).waitFor();
    expect(await ruleOf('lamp-at-night')).toMatchObject({ enabled: false });
  });

  test('sentence and JSON are the same document, and nothing of it is lost on the way', async () => {
    const before = await ruleOf('hall-light');
    const page = await openAt('/rule/hall-light?view=edit', 'Hall light', DESKTOP);
    await page.locator('summary', { hasText: 'As JSON' }).click();
    const json = page.getByRole('textbox', { name: 'As JSON' });
    const text = await json.inputValue();
    expect(text).toContain('"device": "hallway-motion"');
    await json.fill(text.replace('"for_s": 180', '"for_s": 300').replace('"timeout_s": 14400', '"timeout_s": 7200'));
    await page.getByRole('button', { name: /^For how long: 5 minutes/ }).click();
    await page.getByRole('dialog').getByLabel('For how long').fill('7');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => json.inputValue()).toContain('"for_s": 420');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Hall light is saved.').waitFor();
    const after = await ruleOf('hall-light');
    const [, wait] = after.steps;
    expect(wait).toMatchObject({ wait_for: { triggers: [{ for_s: 420 }], timeout_s: 7200 } });
    const { steps: _steps, ...others } = after;
    expect(others).toMatchObject({
      triggers: before.triggers,
      conditions: before.conditions,
      mode: before.mode,
      yield_to_hand_s: 1800,
    });
  });

  test('what the hub finds wrong stands at its line, and a fault in the JSON changes nothing', async () => {
    const page = await openAt('/rule/hall-light?view=edit', 'Hall light', DESKTOP);
    await page.locator('summary', { hasText: 'As JSON' }).click();
    const json = page.getByRole('textbox', { name: 'As JSON' });
    const text = await json.inputValue();
    await json.fill(text.replace('"brightness": 60', '"brightness": 600'));
    const step = page.getByRole('region', { name: 'Then' }).getByRole('listitem').first();
    await step.getByRole('alert').waitFor();
    await page.getByText('1 thing missing or wrong').waitFor();
    await json.fill('{');
    await page.getByText(/This is no JSON/).waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'What to set: brightness 60 %' }).waitFor();
    expect(await ruleOf('hall-light')).toMatchObject({ steps: [{ command: { set: { brightness: 60 } } }, {}, {}] });
  });

  test('what somebody else saved meanwhile is not overwritten, and both ways on are offered', async () => {
    const page = await openAt('/rule/hall-light?view=edit', 'Hall light', DESKTOP);
    await page.getByLabel('Name', { exact: true }).fill('Hall light of mine');
    await ask('PATCH', '/automation/hall-light', { description: 'theirs' });
    await page.getByText('Somebody else changed this automation meanwhile.').waitFor();
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect((await answered).status()).toBe(412);
    expect(await ruleOf('hall-light')).toMatchObject({ name: 'Hall light', description: 'theirs' });
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await page.locator('summary', { hasText: 'Room and notes' }).click();
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('theirs');
  });

  test('leaving with unsaved changes asks', async () => {
    const page = await openAt('/rule', 'Automations', PHONE);
    await page.getByRole('link', { name: /Hall light/ }).tap();
    await page.getByRole('button', { name: 'Edit', exact: true }).tap();
    await page.getByLabel('Name', { exact: true }).fill('Another name');
    await page.getByRole('link', { name: 'All automations' }).tap();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).tap();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another name');
    await page.getByRole('link', { name: 'All automations' }).tap();
    await question.getByRole('button', { name: 'Leave' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Automations' }).waitFor();
  });

  test('leaving by going back asks too, also in the moment of the change, and leads where one came from', async () => {
    const page = await openAt('/rule', 'Automations', PHONE);
    await page.getByRole('link', { name: /Hall light/ }).tap();
    await page.getByRole('button', { name: 'Edit', exact: true }).tap();
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    // No frame between the change and the way out.
    await name.evaluate(async (field: { value: string; dispatchEvent: (event: Event) => void }) => {
      field.value = 'Another name';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await Promise.resolve();
      (globalThis as unknown as { history: { back: () => void } }).history.back();
    });
    await question.getByRole('button', { name: 'Cancel' }).tap();
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Another name');
    await page.goBack();
    await question.getByRole('button', { name: 'Leave' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Automations' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/rule');
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Hall light' }).waitFor();
  });

  test('a link that is followed in the moment of a change asks', async () => {
    const page = await openAt('/rule_new', 'New automation', PHONE);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page
      .getByLabel('Name', { exact: true })
      .evaluate(async (field: { value: string; dispatchEvent: (event: Event) => void }) => {
        field.value = 'A name';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await Promise.resolve();
        const { document } = globalThis as unknown as {
          document: { querySelector: (selector: string) => { click: () => void } };
        };
        document.querySelector('.page-head a').click();
      });
    await question.getByRole('button', { name: 'Leave' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Automations' }).waitFor();
    expect(await question.count()).toBe(0);
  });

  test('the list shows the next time and the last run, and runs one from its row', async () => {
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const daily = { ...LIGHT, name: 'Daily', conditions: [], triggers: [{ type: 'time', at: '07:00' }] };
    await ask('POST', '/automation', daily);
    const page = await openAt('/', 'Ada', PHONE);
    await page.getByRole('link', { name: 'Automations' }).tap();
    await page.getByRole('link', { name: /^Daily.*next (today|tomorrow) 0?7:00/ }).waitFor();
    await page.getByRole('button', { name: 'Run Daily now' }).tap();
    await page.getByRole('heading', { level: 1, name: /^Run at/ }).waitFor();
    await ask('POST', '/automation/daily/stop');
    await page.getByRole('link', { name: 'Automations', exact: true }).tap();
    await page.getByRole('link', { name: /^Daily.*Stopped/ }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('a hole is filled with the keyboard alone, and gives the focus back', async () => {
    const page = await openAt('/rule/hall-light?view=edit', 'Hall light', DESKTOP);
    const hole = page.getByRole('button', { name: /^What to set: brightness/ }).first();
    await hole.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toMatch(/^What to set: brightness/);
  });

  test('versions are compared, and an older one is taken again', async () => {
    const page = await openAt('/rule/hall-light?view=versions', 'Hall light', DESKTOP);
    await page.getByRole('button', { name: /^Version 1,/ }).click();
    await page
      .getByText(/Then 2.*7200/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('Version 1 is restored.').waitFor();
    expect((await ruleOf('hall-light')).steps[1]).toMatchObject({ wait_for: { timeout_s: 14_400 } });
    await page.getByRole('link', { name: 'What it does' }).click();
    await page
      .getByText(/for 3 minutes/)
      .first()
      .waitFor();
  });

  test('what is written outlasts the switch and another view, and is saved after them', async () => {
    await ask('POST', '/automation', { ...LIGHT, name: 'Switched' });
    const page = await openAt('/rule/switched?view=edit', 'Switched', DESKTOP);
    await page.getByLabel('Name', { exact: true }).fill('Switched off');
    await page.getByRole('link', { name: 'What happened' }).click();
    await ask('POST', '/automation/switched/disable');
    await page.getByRole('link', { name: 'What it does' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Switched off is saved.').waitFor();
    await page.getByRole('switch', { name: /^Switched/, checked: false }).waitFor();
    expect(await ruleOf('switched')).toMatchObject({ name: 'Switched off', enabled: false });
  });

  test('a switch takes a second tap while the first is not answered', async () => {
    await ask('POST', '/automation', { ...LIGHT, name: 'Twice' });
    const page = await openAt('/rule', 'Automations', DESKTOP);
    let answer: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/disable', async (route) => {
      const response = await route.fetch();
      await isHeld;
      await route.fulfill({ response });
    });
    await page.getByRole('switch', { name: 'Twice is on' }).click();
    await page.getByRole('switch', { name: 'Twice is on', checked: false }).click();
    await expect.poll(async () => (await ruleOf('twice')) as object).toMatchObject({ enabled: true });
    answer?.();
    await page.getByRole('switch', { name: 'Twice is on', checked: true }).waitFor();
  });

  test('Enter in the sheet of a hole saves nothing, and new times are read after saving', async () => {
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    await ask('POST', '/automation', { ...LIGHT, name: 'At seven', triggers: [{ type: 'time', at: '07:00' }] });
    const page = await openAt('/rule/at-seven', 'At seven', DESKTOP);
    await page.getByText(/^On · next (today|tomorrow) 0?7:00/).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const saves: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') saves.push(request.url());
    });
    await page.getByRole('button', { name: /^For how long: 3 minutes/ }).click();
    await page.getByRole('dialog').getByLabel('For how long').fill('7');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    expect((await ruleOf('at-seven')).steps[1]).toMatchObject({ wait_for: { triggers: [{ for_s: 180 }] } });
    await page.locator('summary', { hasText: 'As JSON' }).click();
    const json = page.getByRole('textbox', { name: 'As JSON' });
    await json.fill((await json.inputValue()).replace('07:00', '08:20'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('At seven is saved.').waitFor();
    expect(saves).toHaveLength(1);
    await page.getByText(/^On · next (today|tomorrow) 0?8:20/).waitFor();
  });

  test('before the sun stays before it while half an hour is typed', async () => {
    const triggers = [{ type: 'sun', event: 'sunset', offset_s: -3_600 }];
    await ask('POST', '/automation', { ...LIGHT, name: 'Dusk', triggers });
    const page = await openAt('/rule/dusk?view=edit', 'Dusk', DESKTOP);
    await page.getByRole('button', { name: /^Earlier or later than that: 1 hour/ }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('textbox').first().clear();
    await sheet.getByRole('textbox').first().pressSequentially('0.5');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dusk is saved.').waitFor();
    expect(await ruleOf('dusk')).toMatchObject({ triggers: [{ offset_s: -1_800 }] });
  });

  test('what is written stays while somebody else removes the automation, and is saved once it is back', async () => {
    await ask('POST', '/automation', { ...LIGHT, name: 'Removed' });
    const page = await openAt('/rule/removed?view=edit', 'Removed', DESKTOP);
    await page.getByLabel('Name', { exact: true }).fill('Written before');
    await ask('DELETE', '/automation/removed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Bring back' }).click();
    await page.getByRole('button', { name: 'Bring back' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Written before');
    await page.getByRole('button', { name: /^Save/ }).first().click();
    await page.getByText('Written before is saved.').waitFor();
    expect(await ruleOf('removed')).toMatchObject({ name: 'Written before' });
  });

  test('what is removed is in the trash, and comes back', async () => {
    await ask('POST', '/automation', { ...LIGHT, name: 'For the trash' });
    const page = await openAt('/rule/for-the-trash', 'For the trash', PHONE);
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog', { name: 'For the trash' }).getByRole('button', { name: 'Remove automation' }).tap();
    await page
      .getByRole('dialog', { name: 'Remove For the trash?' })
      .getByRole('button', { name: 'Remove automation' })
      .tap();
    await page.getByRole('heading', { level: 1, name: 'Automations' }).waitFor();
    await page.getByRole('link', { name: 'Show the trash' }).tap();
    await page.getByRole('listitem').getByText('For the trash').waitFor();
    await page.getByRole('listitem').getByRole('button', { name: 'Bring back' }).tap();
    await page.getByText('The trash is empty.').waitFor();
    expect(await ruleOf('for-the-trash')).toMatchObject({ name: 'For the trash' });
  });

  test('Run now does the steps whatever the conditions say, shows them in the sentence, and can be stopped while it runs', async () => {
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const never = { ['not']: { time: { after: '00:00' } } };
    await ask('POST', '/automation', { ...LIGHT, name: 'Tried', conditions: [never] });
    const page = await openAt('/rule/tried', 'Tried', PHONE);
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Run now' }).tap();
    await page.getByRole('heading', { level: 1, name: /^Run at/ }).waitFor();
    await page.getByText('Running').waitFor();
    await page.getByText(/^started by ada · without its conditions/).waitFor();
    const steps = page.getByRole('region', { name: 'Then' }).getByRole('listitem');
    await steps
      .first()
      .getByText(/Kitchen ceiling: /)
      .waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to the automation' }).tap();
    await page.getByRole('link', { name: 'What it does' }).tap();
    await page.getByText(/^On · running now/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).tap();
    await page.getByText('It has stopped.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'What happened' }).tap();
    await page.getByRole('link', { name: /Stopped/ }).waitFor();
    expect(await findingsOn(page)).toEqual([]);
  });

  test('what it would do now is said in its sentence, also why it would do nothing, and nothing happens', async () => {
    await ask('POST', '/hub/clock', { now: new Date().toISOString() });
    const devices = ['kitchen-ceiling'];
    const steps = [
      { command: { targets: { devices }, set: { on: true, brightness: 42 } } },
      { delay: { s: 180 } },
      { command: { targets: { devices }, set: { on: false } } },
      { notify: { severity: 'info', title: 'Done' } },
    ];
    await ask('POST', '/automation', { ...LIGHT, name: 'Looked at', conditions: [], steps });
    await ask('POST', '/automation/looked-at/disable');
    const page = await openAt('/rule/looked-at', 'Looked at', SMALL);
    const before = (await ask('GET', '/automation/looked-at/run')).json;
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Check' }).tap();
    const dialog = page.getByRole('dialog', { name: 'What it would do now' });
    await dialog.getByText('It would not start at the moment, because it is switched off. If it were on:').waitFor();
    await dialog.getByText('It would do all of it.').waitFor();
    const then = dialog.getByRole('region', { name: 'Then' }).getByRole('listitem');
    await then
      .first()
      .getByText(/^at once · Kitchen ceiling: on, brightness 42/)
      .waitFor();
    await then
      .nth(2)
      .getByText(/^after 3 minutes · Kitchen ceiling: off/)
      .waitFor();
    await then.nth(3).getByText('after 3 minutes · a message would go out').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
    expect((await ask('GET', '/automation/looked-at/run')).json).toEqual(before);
    await ask('PATCH', '/automation/looked-at', {
      conditions: [
        { time: { after: '00:00', before: '00:01' } },
        { not: { time: { after: '00:00', before: '00:01' } } },
      ],
    });
    await ask('POST', '/automation/looked-at/enable');
    await page.reload();
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Check' }).tap();
    await dialog.getByText('It would do nothing: a condition does not hold now.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).tap();
  });

  test('a hook shows its address, and a secret that starts it is made, copied, made anew and taken back', async () => {
    await ask('POST', '/automation', {
      ...LIGHT,
      name: 'Called',
      conditions: [],
      triggers: [{ id: 'bell', type: 'hook' }],
    });
    const page = await openAt('/rule/called', 'Called', SMALL);
    const panel = page.getByRole('region', { name: 'Called by other programs' });
    const address = await panel.getByLabel('Address').inputValue();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/automation\/[0-9a-f-]{36}\/hook\/bell$/);
    const callWith = async (secret: string): Promise<number> =>
      (await fetch(address, { method: 'POST', headers: { 'Hearthd-Hook': secret } })).status;
    await panel.getByText(/^It has no secret yet/).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Make a secret' }).tap();
    await panel.getByText(/^It has a secret, which ada made/).waitFor();
    const first = await panel.getByLabel('Secret', { exact: true }).inputValue();
    expect(await callWith(first)).toBe(202);
    await panel.getByRole('button', { name: 'Copy' }).last().tap();
    await panel.getByText('Copied').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await panel.getByRole('button', { name: 'Make a new secret' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).tap();
    await expect.poll(() => panel.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(first);
    const second = await panel.getByLabel('Secret', { exact: true }).inputValue();
    expect([await callWith(first), await callWith(second)]).toEqual([401, 202]);
    await page.reload();
    await panel.getByText(/^It has a secret, which ada made/).waitFor();
    expect(await panel.getByLabel('Secret', { exact: true }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Take the secret back' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the secret back' }).tap();
    await panel.getByText(/^It has no secret yet/).waitFor();
    expect(await callWith(second)).toBe(401);
    await ask('POST', '/automation/called/stop');
  });

  test('why it did not run at some time is answered in a sentence', async () => {
    const page = await openAt('/rule/hall-light?view=past', 'Hall light', DESKTOP);
    await page.getByLabel('Day and time').fill('2026-11-01T12:00');
    await page.getByRole('button', { name: 'Ask' }).click();
    const answer = page.getByRole('status').locator('strong');
    await answer.waitFor();
    expect(await answer.textContent()).toMatch(/^[A-Z].+\.$/);
  });

  test('the last 14 days are a strip, with words about how far it can be trusted', async () => {
    const page = await openAt('/rule/hall-light?view=edit', 'Hall light', SMALL);
    await page.getByRole('button', { name: 'Show the last 14 days' }).tap();
    await page
      .getByRole('img', { name: /: 0 starts/ })
      .first()
      .waitFor();
    await page
      .getByText(/was not recorded|as exact as/)
      .first()
      .waitFor();
    expect(await page.getByRole('img', { name: /starts/ }).count()).toBeGreaterThanOrEqual(14);
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('an edit is three taps away from the last 14 days with it and without, and the next edit follows by itself', async () => {
    await ask('POST', '/automation', { ...LIGHT, name: 'Compared', mode: { kind: 'single' } });
    const page = await openAt('/rule/compared?view=edit', 'Compared', SMALL);
    await page.getByRole('button', { name: /^For how long: 3 minutes/ }).tap();
    await page.getByRole('dialog').getByLabel('For how long').fill('7');
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('button', { name: 'Last 14 days', exact: true }).tap();
    const strip = page.getByRole('region', { name: 'The last 14 days' });
    await strip.getByText('With your changes (above) and as it is saved (below).').waitFor();
    await expect.poll(() => strip.getByRole('img', { name: /starts, \d+ as saved/ }).count()).toBeGreaterThan(13);
    await expect.poll(() => strip.evaluate((region) => region === region.ownerDocument.activeElement)).toBe(true);
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const again = page.waitForRequest((request) => request.url().endsWith('/automation_simulation'));
    await page.getByRole('button', { name: /^For how long: 7 minutes/ }).tap();
    await page.getByRole('dialog').getByLabel('For how long').fill('9');
    await page.getByRole('button', { name: 'Done' }).tap();
    expect((await again).postData()).toContain('"for_s":540');
    await page.getByRole('button', { name: 'Discard changes' }).tap();
    await strip.getByText('With your changes', { exact: false }).waitFor({ state: 'detached' });
  });
});
