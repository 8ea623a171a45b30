import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createHubFolder, type HubFolder, type HubProcess, logIn, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { type FakeZigbee2mqtt, startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { launchChromium } from '#test/support/page/chromium.ts';
import { claimCodeOf, openWebPage, PHONE, type WebPage } from '#test/support/page/web-page.ts';

/** The finger of a person: what it touches is counted. */
type Finger = {
  readonly tap: (what: Locator) => Promise<void>;
  /** Once to reach the field; what is typed is no touch. */
  readonly type: (field: Locator, text: string) => Promise<void>;
  /** Once to open the list, once for what is chosen. */
  readonly choose: (list: Locator, option: string) => Promise<void>;
  readonly drag: (slider: Locator, value: string) => Promise<void>;
  readonly count: () => number;
};

function createFinger(): Finger {
  let touches = 0;
  return {
    tap: async (what) => {
      await what.tap();
      touches += 1;
    },
    type: async (field, text) => {
      await field.tap();
      await field.fill(text);
      touches += 1;
    },
    choose: async (list, option) => {
      await list.selectOption({ label: option });
      touches += 2;
    },
    drag: async (slider, value) => {
      await slider.fill(value);
      touches += 1;
    },
    count: () => touches,
  };
}

describe.skipIf(!needs('chromium'))('what a household does on a telephone', { timeout: 60_000 }, () => {
  let browser: Browser;
  let hubs: HubFolder;
  let hub: HubProcess;
  let broker: Awaited<ReturnType<typeof startBroker>>;
  let zigbee: FakeZigbee2mqtt;
  let web: WebPage;
  let page: Page;
  const counts: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    hubs = createHubFolder();
    // Zigbee2MQTT is there to be set up, with no broker yet.
    hub = await hubs.serve({ HEARTHD_MQTT_URL: '' });
    broker = await startBroker();
    zigbee = await startFakeZigbee2mqtt(broker, [{ ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Porch lamp' }]);
    web = await openWebPage(browser, hub.address, PHONE);
    page = web.page;
  });
  afterEach(() => {
    if (web.complaints.length > 0) throw new Error(`the browser complained: ${web.complaints.join('; ')}`);
  });
  afterAll(async () => {
    process.stdout.write(`taps of a household, fields included: ${counts.join(', ')}\n`);
    await browser.close();
    await hubs.close();
    await broker.close();
  });
  const link = (name: string | RegExp): Locator => page.getByRole('link', { name });
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
  const field = (name: string): Locator => page.getByLabel(name, { exact: true });
  const heading = (name: string | RegExp): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
  const touchesFor = async (task: string, act: (finger: Finger) => Promise<void>): Promise<number> => {
    const finger = createFinger();
    await act(finger);
    counts.push(`${task} ${finger.count()}`);
    return finger.count();
  };
  const atHome = async (): Promise<void> => {
    await page.goto(hub.address);
    await page.getByRole('heading', { level: 3 }).first().waitFor();
  };

  test('claims the hub and turns on a lamp', async () => {
    await expect(
      touchesFor('claim and lamp on', async ({ tap, type }) => {
        await type(field('Claim code'), claimCodeOf(hub));
        await type(field('E-mail address'), OWNER.email);
        await type(field('Password'), OWNER.password);
        await tap(button('Create account'));
        await tap(button('Continue'));
        await tap(link('Go to the home'));
        const lamp = page.getByRole('switch', { name: 'Living room: lights' });
        const before = await lamp.getAttribute('aria-checked');
        await tap(lamp);
        await expect.poll(() => lamp.getAttribute('aria-checked')).not.toBe(before);
      }),
    ).resolves.toBe(7);
  });

  test('dims all lamps of a room', async () => {
    const { access_token: token } = await logIn(hub);
    const moved = await hub.ask('PATCH', '/api/v1/device/kitchen-ceiling', { token, body: { room: 'living-room' } });
    expect(moved.status).toBe(200);
    for (const lamp of ['kitchen-ceiling', 'living-room-lamp']) {
      await hub.ask('POST', `/api/v1/device/${lamp}/command`, { token, body: { set: { on: true, brightness: 80 } } });
    }
    await atHome();
    await expect(
      touchesFor('dim a room', async ({ drag }) => {
        await drag(page.getByRole('slider', { name: 'Living room: brightness of all lights' }), '30');
        await page.getByText(/^Lights 30 %: Living room · 2 of 2 confirmed/).waitFor();
      }),
    ).resolves.toBe(1);
  });

  test('renames a lamp and moves it to a new room', async () => {
    await atHome();
    await expect(
      touchesFor('rename and move', async ({ tap, type, choose }) => {
        await tap(link('Bedroom'));
        await tap(link(/Bedside lamp|Bedroom bedside lamp/));
        await tap(button('Rename or move'));
        await type(field('Name'), 'Reading light');
        await choose(page.getByLabel('Room', { exact: true }), 'New room…');
        // The choice of a new room has put the focus into its field.
        const name = field('Name of the new room');
        await expect
          .poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent'))
          .toBe('Name of the new room');
        await name.fill('Library');
        await tap(button('Save'));
        await heading('Reading light');
      }),
    ).resolves.toBe(7);
  });

  test('adds a guest', async () => {
    await atHome();
    await expect(
      touchesFor('add a guest', async ({ tap, type }) => {
        await tap(link('Settings').last());
        await tap(link(/^People/));
        await tap(link('Add a person'));
        await type(field('Name'), 'Bo');
        await type(field('E-mail address'), 'bo@example.org');
        await type(field('Password'), 'a lamp in the snow');
        await tap(page.getByRole('radio', { name: /^Guest/ }));
        await tap(button('Add a person'));
        await link(/bo@example\.org/).waitFor();
      }),
    ).resolves.toBe(8);
  });

  test('makes an API token for a script', async () => {
    await atHome();
    await expect(
      touchesFor('API token', async ({ tap, type }) => {
        await tap(link('Settings').last());
        await tap(link(/^API tokens/));
        await tap(link('New token'));
        await type(page.getByRole('textbox', { name: 'Name', exact: true }), 'Script');
        await tap(button('Create token'));
        await tap(button('Copy'));
        await page.getByText('Copied.').waitFor();
      }),
    ).resolves.toBe(6);
  });

  test('connects to the broker of Zigbee2MQTT', async () => {
    await atHome();
    await expect(
      touchesFor('connect the broker', async ({ tap, type }) => {
        await tap(link('Add devices').first());
        await tap(link(/^Zigbee2MQTT/));
        await tap(link('Its settings'));
        await heading('MQTT broker');
        await type(page.getByLabel('Address of the broker'), broker.url);
        await tap(page.locator('form', { hasText: 'Settings' }).getByRole('button', { name: 'Save' }));
        await page.getByText('Connected ·').waitFor();
      }),
    ).resolves.toBe(5);
  });

  test('makes a backup, and restores it', async () => {
    await atHome();
    await expect(
      touchesFor('backup', async ({ tap }) => {
        await tap(link('Settings').last());
        await tap(link(/^Backup/));
        await tap(button('Back up now'));
        await button(/^Restore…/)
          .first()
          .waitFor();
      }),
    ).resolves.toBe(3);
    await atHome();
    await expect(
      touchesFor('restore', async ({ tap }) => {
        await tap(link('Settings').last());
        await tap(link(/^Backup/));
        await tap(button(/^Restore…/).first());
        await page.getByRole('dialog').getByRole('button', { name: 'Restore this backup' }).waitFor();
        await tap(page.getByRole('dialog').getByRole('button', { name: 'Restore this backup' }));
        await link('Go to the home').waitFor({ timeout: 30_000 });
      }),
    ).resolves.toBe(4);
  });

  test('turns off everything', async () => {
    await atHome();
    await expect(
      touchesFor('all off', async ({ tap }) => {
        await tap(button('All off'));
        await page.getByText(/^All off · \d+ of \d+ confirmed$/).waitFor();
      }),
    ).resolves.toBe(1);
  });

  test('finds out why a device is offline', async () => {
    await zigbee.publish('Porch lamp/availability', { state: 'offline' }, true);
    await atHome();
    await expect(
      touchesFor('why offline', async ({ tap }) => {
        await tap(button(/offline$/));
        await tap(link(/^Porch lamp/));
        await page
          .getByText(/^Not available right now: /)
          .first()
          .waitFor();
      }),
    ).resolves.toBe(2);
  });

  test('sees the temperature of last night', async () => {
    await atHome();
    await expect(
      touchesFor('temperature last night', async ({ tap }) => {
        await tap(link('History'));
        await tap(button(/^Temperature \(/));
        await tap(button('Night'));
        await page.getByRole('button', { name: 'Night', pressed: true }).waitFor();
      }),
    ).resolves.toBe(3);
  });

  test('turns on the porch light at sunset', async () => {
    await atHome();
    await expect(
      touchesFor('porch light at sunset', async ({ tap }) => {
        await tap(link('Automations'));
        await tap(link(/^Lights at sunset/));
        await tap(page.getByRole('region', { name: 'Lamps', exact: true }).getByText('Porch lamp'));
        await tap(button('Save'));
        await page.getByText(/is saved\./).waitFor();
      }),
    ).resolves.toBe(4);
  });

  test('makes a scene for movie night, and uses it', async () => {
    await atHome();
    await expect(
      touchesFor('make a scene', async ({ tap, type }) => {
        await tap(link(/^Living room/).first());
        await tap(button('Save as scene'));
        const dialog = page.getByRole('dialog');
        await type(dialog.getByLabel('Name'), 'Movie night');
        await tap(dialog.getByRole('button', { name: 'Save' }));
        await page.getByText('Movie night is saved.').waitFor();
      }),
    ).resolves.toBe(4);
    await atHome();
    await expect(
      touchesFor('use the scene', async ({ tap }) => {
        await tap(button(/^Movie night/));
        await page.getByText(/^Movie night · /).waitFor();
      }),
    ).resolves.toBe(1);
  });
});
