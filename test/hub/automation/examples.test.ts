import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { fillTemplate } from '#core/automation-template/fill.ts';
import { SHIPPED_TEMPLATES } from '#core/automation-template/shipped/shipped-templates.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';
import { createPatientTime } from '#test/support/machine/fast-time.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** Three minutes take a third of a second, or as long as the machine needs. */
const STEP_MS = 600;
/** People walk through the hallway by themselves, and its lamp loses its power; water seldom comes. */
const SENSOR = { device: 'kitchen-sink-leak-sensor', key: 'water_leak' };

describe('automations as people have them, in the simulated home', () => {
  test('a light goes on with a sensor, and off once that has been quiet for three minutes', async () => {
    const hub = await openRunningHub({ time: createPatientTime(STEP_MS) });
    hub.report(SENSOR.device, { [SENSOR.key]: false });
    await hub.home.commands.waitForEnd(
      hub.home.commands.accept(...hub.commandFor('bedroom-bedside-lamp', { on: false }), null),
      60_000,
    );
    await hub.add('Hall light', {
      mode: { kind: 'restart' },
      triggers: [{ id: 'seen', type: 'feature', ...SENSOR, to: true }],
      steps: [
        { command: { targets: { devices: ['bedroom-bedside-lamp'] }, set: { on: true } } },
        {
          wait_for: {
            triggers: [{ type: 'feature', ...SENSOR, to: false, for_s: 180 }],
            timeout_s: 14_400,
          },
        },
        { command: { targets: { devices: ['bedroom-bedside-lamp'] }, set: { on: false }, wait: 'finished' } },
      ],
    });
    hub.report(SENSOR.device, { [SENSOR.key]: true });
    await hub.until(() => hub.value('bedroom-bedside-lamp', 'on') === true);
    hub.report(SENSOR.device, { [SENSOR.key]: false });
    await hub.until(() => hub.runs().at(-1)?.outcome === 'finished');
    expect(hub.sent()).toEqual(['bedroom-bedside-lamp on=true confirmed', 'bedroom-bedside-lamp on=false confirmed']);
    const { steps = [] } = hub.runs().at(-1) ?? {};
    expect(steps.map(({ pointer, outcome }) => `${pointer} ${outcome}`)).toEqual([
      '/steps/0/command done',
      '/steps/1/wait_for done',
      '/steps/2/command done',
    ]);
    expect(steps[1]?.ms).toBeGreaterThanOrEqual(180_000);
  });

  test('water locks what is sensitive, and tells the people at once', async () => {
    const hub = await openRunningHub();
    await hub.add('Leak', {
      durable: 'always',
      allow_sensitive: ['front-door-lock'],
      triggers: [{ type: 'feature', any_of: { capability: 'water_leak' }, to: true }],
      steps: [
        {
          command: {
            targets: { devices: ['front-door-lock'] },
            set: { locked: true },
            skip_if_same: false,
            wait: 'finished',
            retry: { times: 3, after_s: 5 },
          },
        },
        {
          notify: {
            severity: 'critical',
            title: 'Water at {device.name}: {trigger.value}',
            key: 'leak',
            repeat_s: 300,
            to: ['role:resident', 'role:owner'],
          },
        },
      ],
    });
    hub.report('kitchen-sink-leak-sensor', { water_leak: true });
    await hub.until(() => hub.home.notifications.findLasting('leak') !== undefined);
    expect(hub.sent()).toEqual(['front-door-lock locked=true confirmed']);
    expect(hub.home.notifications.findLasting('leak')).toMatchObject({
      severity: 'critical',
      title: 'Water at Kitchen sink leak sensor: true',
      to: ['role:resident', 'role:owner'],
      repeatS: 300,
    });
  });

  test('a blind goes down at its time', async () => {
    const time = createPatientTime(STEP_MS);
    const hub = await openRunningHub({ time });
    const at = new Date(time.clock.wallMs() + 300_000).toLocaleTimeString('en-GB', {
      timeZone: hub.home.identity.timeZone().name,
      hour: '2-digit',
      minute: '2-digit',
    });
    const record = await hub.add('Blind down', {
      triggers: [{ type: 'time', at }],
      steps: [{ command: { targets: { devices: ['living-room-blind'] }, set: { position: 12 }, wait: 'sent' } }],
    });
    await hub.until(() => hub.runs().length > 0 && hub.sent().length > 0);
    expect(hub.runs()[0]?.trigger).toMatchObject({ type: 'time' });
    expect(hub.sent()[0]).toContain('living-room-blind position=12');
    expect(hub.home.automationEngine.statusOf(record.id).nextAtMs).toBeGreaterThan(time.clock.wallMs() + 80_000_000);
  });

  test('on vacation a lamp does what it did a week ago', async () => {
    const hub = await openRunningHub({ time: createPatientTime(STEP_MS) });
    const lamp = hub.device('bedroom-bedside-lamp');
    const series = `${lamp.id}/on`;
    const wasWeekAgo = (value: boolean, sinceMs: number): Promise<number> =>
      hub.home.storage.history.importSamples(
        [{ name: series, kind: 'state', unit: null }],
        [{ series, atMs: hub.hubClock.nowMs() - WEEK_MS + sinceMs, value }],
      );
    await wasWeekAgo(true, -HOUR_MS);
    expect(hub.value('bedroom-bedside-lamp', 'on')).toBe(false);
    await hub.home.modes.setMode('home', {
      value: 'vacation',
      by: { type: 'session', id: hub.owner.sessionId, userId: hub.owner.user.id },
      forMs: null,
      next: undefined,
    });
    const imitation = SHIPPED_TEMPLATES.find(({ id }) => id === 'presence-imitation');
    const inputs = { lights: [lamp.id], from: '00:00', to: '23:59', modes: 'vacation' };
    const document = fillTemplate(imitation?.definition ?? {}, inputs);
    await hub.add('As if somebody were at home', document as JsonObject);
    await hub.until(() => hub.value('bedroom-bedside-lamp', 'on') === true);
    await wasWeekAgo(false, HOUR_MS / 6);
    await hub.until(() => hub.sent().length > 1);
    expect(hub.sent().map((line) => line.replace(/ [a-z]+$/, ''))).toEqual([
      'bedroom-bedside-lamp on=true',
      'bedroom-bedside-lamp on=false',
    ]);
    const first = hub.runs().find(({ steps }) => steps.some(({ pointer }) => pointer.endsWith('command')));
    expect(first?.trigger).toMatchObject({ type: 'time' });
  });
});
