import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/page/chromium.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { goAsLink } from '#test/support/page/views.ts';
import { logInOnPage, openWebPage, type WebPage } from '#test/support/page/web-page.ts';

const ADMINS = ['owner', 'admin'];
const HOUSEHOLD = [...ADMINS, 'resident'];
const ALL = ['owner', 'admin', 'resident', 'guest'];
/** Every page, and the roles that may see it. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/': ALL,
  '/device/living-room-lamp': ALL,
  '/device/front-door-lock': ALL,
  '/add': ADMINS,
  '/room': ALL,
  '/settings/rooms': ALL,
  '/room/hallway': ALL,
  '/history': HOUSEHOLD,
  '/history/log': HOUSEHOLD,
  '/history/energy': HOUSEHOLD,
  '/scene': ALL,
  '/scene/all-off': ALL,
  '/rule': HOUSEHOLD,
  '/rule/none': HOUSEHOLD,
  '/rule/none/run/none': HOUSEHOLD,
  '/settings': ALL,
  '/settings/account': ALL,
  '/settings/sessions': ALL,
  '/settings/tokens': ALL,
  '/settings/tokens/add': ALL,
  '/settings/walls': ALL,
  '/wall_allow': ALL,
  '/settings/notifications': ALL,
  '/settings/hub': ADMINS,
  '/settings/groups': ADMINS,
  '/settings/place': ADMINS,
  '/settings/modes': ADMINS,
  '/settings/people': ADMINS,
  '/settings/people/add': ADMINS,
  '/settings/people/anybody': ADMINS,
  '/settings/integrations': ADMINS,
  '/settings/integrations/zigbee2mqtt': ADMINS,
  '/settings/integrations/setup/anything': ADMINS,
  '/settings/energy': ADMINS,
  '/settings/exporters': ADMINS,
  '/settings/exporters/add': ADMINS,
  '/settings/exporters/none': ADMINS,
  '/settings/history': ADMINS,
  '/settings/health': ADMINS,
  '/settings/backup': ['owner'],
  '/settings/audit': ['owner'],
  '/nonsense': ALL,
};

type Visit = WebPage & {
  /** The page's API calls since the last reading, except the event stream. */
  readonly calls: () => readonly string[];
  readonly refused: readonly string[];
  readonly isQuiet: () => boolean;
};

describe.skipIf(!needs('chromium'))('the page offers to each role what the hub allows it', () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  const people: Record<string, { email: string; password: string }> = { owner: OWNER };
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    hub = await hubs.serve();
    const { access_token: token } = await claimHub(hub);
    for (const role of ALL.slice(1)) {
      const who = { email: `${role}@example.org`, password: 'a lamp in the rain' };
      await hub.ask('POST', '/api/v1/user', { token, body: { ...who, name: role, role } });
      people[role] = who;
    }
  });
  afterAll(async () => {
    await browser.close();
    await hubs.close();
  });

  const visit = async (role: string): Promise<Visit> => {
    const web = await openWebPage(browser, hub.address);
    const calls: string[] = [];
    const refused: string[] = [];
    let open = 0;
    web.page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (!path.startsWith('/api/v1/') || path === '/api/v1/event') return;
      calls.push(`${request.method()} ${path}`);
      open += 1;
    });
    const end = (): void => void (open -= 1);
    web.page.on('requestfailed', end);
    web.page.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      if (answer.status() === 403) refused.push(`${answer.request().method()} ${pathname}`);
      if (pathname.startsWith('/api/v1/') && pathname !== '/api/v1/event') end();
    });
    await logInOnPage(web, people[role]);
    const takeCalls = (): readonly string[] => calls.splice(0);
    return { ...web, calls: takeCalls, refused, isQuiet: () => open <= 0 };
  };
  const goTo = async ({ page, isQuiet }: Visit, path: string): Promise<void> => {
    await goAsLink(page, path);
    await expect.poll(isQuiet).toBe(true);
  };
  const lineOf = (page: Page): Promise<string> => page.locator('main').innerText();

  test.each(ALL)('each page is shown to the %s, or one line that says who may see it', async (role) => {
    const web = await visit(role);
    const wrong: string[] = [];
    for (const [path, whose] of Object.entries(PAGES)) {
      await goTo(web, '/nonsense');
      web.calls();
      await goTo(web, path);
      const text = (await lineOf(web.page)).trim();
      const kept = /^(Only an owner( or admin)? can|Guests cannot) see this$/.exec(text);
      if (whose.includes(role)) {
        if (kept !== null || text === '') wrong.push(`${path}: ${text}`);
        continue;
      }
      const only = `Only an owner${whose.includes('admin') ? ' or admin' : ''} can see this`;
      const wanted = whose.includes('resident') ? 'Guests cannot see this' : only;
      if (text !== wanted) wrong.push(`${path}: ${text}`);
      wrong.push(...web.calls().map((call) => `${path}: ${call}`));
      if ((await web.page.locator('main button, main input, main form').count()) > 0) wrong.push(`${path}: controls`);
    }
    expect(wrong).toEqual([]);
    expect([web.refused, web.complaints]).toEqual([[], []]);
    await web.page.context().close();
  });

  test.each([
    ['guest', true],
    ['resident', false],
  ])('nothing that a %s can press is refused', async (role, isLockDisabled) => {
    const web = await visit(role);
    for (const path of ['/', '/room', '/device/front-door-lock', '/device/living-room-lamp', '/room/hallway']) {
      await goTo(web, path);
      await web.page.evaluate(`(async () => {
        const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        for (const button of document.querySelectorAll('main button:not(:disabled):not(.chip):not(.room-fold)')) {
          button.click();
          await drawn();
          document.querySelector('dialog[open] .dialog-buttons button:last-child')?.click();
          await drawn();
        }
      })()`);
      await expect.poll(web.isQuiet).toBe(true);
    }
    expect(web.refused).toEqual([]);
    await goTo(web, '/room');
    const card = web.page.getByRole('article').filter({ hasText: 'Front door lock' });
    await expect.poll(() => card.getByRole('button', { name: /lock$/i }).isDisabled()).toBe(isLockDisabled);
    await expect.poll(() => card.getByText('Guests cannot open locks').count()).toBe(isLockDisabled ? 1 : 0);
    await goTo(web, '/device/front-door-lock');
    const controls = web.page.locator('.device-column').first();
    const usable = controls.locator(':is(button, input, select):not(:disabled)');
    await expect.poll(async () => (await usable.count()) === 0).toBe(isLockDisabled);
    await expect.poll(() => web.page.getByText('Guests cannot open locks').count()).toBe(isLockDisabled ? 1 : 0);
    await web.page.context().close();
  });
});
