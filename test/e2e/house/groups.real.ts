import { describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { DESKTOP, usePages } from '#test/support/page/page-tests.ts';

describe.skipIf(!needs('chromium'))('groups on the page', () => {
  const { ask, openAt } = usePages();
  const isOn = async (device: string) => (await ask('GET', `/device/${device}/feature/on`)).json;

  test('a group is made, is a device that says what its members are, is changed and removed', async () => {
    const page = await openAt('/settings/groups', 'Groups');
    await page.getByRole('button', { name: 'Add group' }).click();
    await expect.poll(() => page.getByText('Required').count()).toBe(2);
    await page.getByLabel('Name').fill('Lamps downstairs');
    await page.getByLabel('Search devices for the group').fill('ceiling');
    await page.getByRole('checkbox', { name: 'Kitchen ceiling' }).check();
    await page.getByLabel('Room', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Hallway ceiling' }).check();
    await page.getByText('A group is in a room only if all of its members').waitFor();
    await page.getByRole('button', { name: 'Add group' }).click();
    await page.getByText('Lamps downstairs is saved.').waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('');
    await page.getByRole('link', { name: 'Lamps downstairs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lamps downstairs' }).waitFor();
    await page.getByRole('heading', { name: 'Members of this group' }).waitFor();
    await page.getByRole('link', { name: 'Hallway ceiling' }).waitFor();
    // What is set there is set on every member.
    for (const device of ['kitchen-ceiling', 'hallway-ceiling']) {
      await ask('POST', `/device/${device}/command`, { set: { on: false } });
    }
    await page.getByRole('switch').first().click();
    await expect.poll(() => isOn('hallway-ceiling')).toBe(true);
    await expect.poll(() => isOn('kitchen-ceiling')).toBe(true);
    await page.getByRole('button', { name: 'Change group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change group' });
    await dialog.getByRole('checkbox', { name: 'Hallway ceiling' }).uncheck();
    await dialog.getByLabel('Room', { exact: true }).selectOption('Kitchen');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Hallway ceiling' }).waitFor({ state: 'detached' });
    expect((await ask('GET', '/group/lamps-downstairs')).json).toMatchObject({
      room: { selector: 'kitchen' },
      members: [{ selector: 'kitchen-ceiling' }],
    });
    await page.getByRole('button', { name: 'Remove group' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove group' }).click();
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
    expect((await ask('GET', '/device/lamps-downstairs')).status).toBe(404);
  });

  test('what somebody else changed meanwhile is not undone by an open form', async () => {
    await ask('POST', '/group', { name: 'Both', members: ['kitchen-ceiling', 'hallway-ceiling'] });
    const page = await openAt('/device/both', 'Both', DESKTOP);
    await page.getByRole('button', { name: 'Change group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change group' });
    await dialog.getByLabel('Name').fill('Both of mine');
    await ask('PATCH', '/group/both', { members: ['kitchen-ceiling'] });
    await page.getByRole('link', { name: 'Hallway ceiling' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await ask('GET', '/group/both')).json).toMatchObject({
      name: 'Both',
      members: [{ selector: 'kitchen-ceiling' }],
    });
    await ask('DELETE', '/group/both');
  });
});
