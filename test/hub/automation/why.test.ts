import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';

type Running = Awaited<ReturnType<typeof openRunningHub>>;

const QUARTER_MS = 900_000;
const SENSOR = 'kitchen-sink-leak-sensor';
const LAMP = 'living-room-lamp';
const ON_LEAK = [{ type: 'feature', device: SENSOR, key: 'water_leak', to: true }];
const LIGHT = [{ command: { targets: { devices: [LAMP] }, set: { on: true }, wait: 'finished' } }];
const RULE: JsonObject = { triggers: ON_LEAK, steps: LIGHT };

const leak = (hub: Running): void => {
  hub.report(SENSOR, { water_leak: false });
  hub.report(SENSOR, { water_leak: true });
};
const quiet = (hub: Running): Promise<void> =>
  hub.until(() => hub.runs().every(({ outcome }) => outcome !== 'running'));

type Case = {
  readonly document?: JsonObject;
  readonly happens: (hub: Running, id: AutomationId) => Promise<void> | void;
  readonly answer: JsonObject;
  /** A code in the timeline. */
  readonly tells?: string;
};

/** Each makes the hub itself come to its verdict. */
const CASES: Readonly<Record<string, Case>> = {
  'it ran': {
    happens: async (hub) => {
      leak(hub);
      await hub.until(() => hub.runs().some(({ outcome }) => outcome === 'finished'));
    },
    answer: { verdict: 'ran', code: 'ran', sentence: 'It ran.' },
  },
  'a condition did not hold': {
    document: { ...RULE, conditions: [{ feature: { device: LAMP, key: 'on', is: true } }] },
    happens: (hub) => {
      hub.report(LAMP, { on: false });
      leak(hub);
    },
    answer: {
      verdict: 'conditions',
      code: 'not_met',
      sentence: 'Its trigger happened, but its conditions did not hold: Living room lamp (On) was false.',
      fields: { conditions: [{ result: 'false', operands: [{ device: LAMP, key: 'on', value: false }] }] },
    },
  },
  'the device of a condition was away': {
    document: { ...RULE, conditions: [{ feature: { device: LAMP, key: 'on', is: true } }] },
    happens: (hub) => {
      const { integration, externalId } = hub.device(LAMP);
      hub.home.devices.reportsOf(integration).reportAvailability(externalId, 'offline', 'no_report');
      leak(hub);
    },
    answer: { verdict: 'device_unknown', code: 'condition_unknown' },
  },
  'an earlier run went on': {
    document: { ...RULE, mode: { kind: 'single' }, steps: [{ delay: { s: 86_000 } }] },
    happens: (hub) => {
      leak(hub);
      leak(hub);
    },
    // The engine's time cannot be moved here: the first start is as near as the second.
    answer: { verdict: 'ran', code: 'running' },
    tells: 'busy',
  },
  'it was disabled': {
    happens: async (hub, id) => {
      await hub.home.automations.change(id, { enabled: false });
      leak(hub);
    },
    answer: { verdict: 'disabled', sentence: 'It was switched off.', fields: { device: SENSOR, key: 'water_leak' } },
  },
  'it was suspended': {
    happens: async (hub, id) => {
      await hub.home.automations.suspend(id, 'SIGNER_GONE');
      leak(hub);
    },
    answer: { verdict: 'suspended' },
  },
  'what it names was gone': {
    document: { ...RULE, conditions: [{ feature: { device: 'kitchen-ceiling', key: 'on', is: true } }] },
    happens: async (hub) => {
      await hub.home.devices.removeDevice(hub.device('kitchen-ceiling').id);
      leak(hub);
    },
    answer: { verdict: 'broken' },
  },
  'somebody had moved everything by hand': {
    document: { ...RULE, yield_to_hand_s: 1_800 },
    happens: async (hub) => {
      hub.report(LAMP, { on: true });
      hub.report(LAMP, { on: false });
      leak(hub);
      await quiet(hub);
    },
    answer: { verdict: 'yielded_to_hand' },
  },
  'it had tripped': {
    happens: async (hub, id) => {
      // As often as it takes: the bucket is filled again while a slow machine starts them.
      while (hub.home.automationEngine.statusOf(id).tripped === null) {
        leak(hub);
        await new Promise((resolve) => void setImmediate(resolve));
      }
      await quiet(hub);
    },
    answer: { verdict: 'ran' },
    tells: 'tripped',
  },
  'a value came near the limit': {
    document: { ...RULE, triggers: [{ type: 'threshold', device: 'bedroom-climate', key: 'temperature', above: 26 }] },
    happens: (hub) => {
      hub.report('bedroom-climate', { temperature: 20 });
      hub.report('bedroom-climate', { temperature: 25.75 });
    },
    answer: {
      verdict: 'trigger_never_happened',
      code: 'not_crossed',
      fields: { device: 'bedroom-climate', key: 'temperature', value: 25.75, limit: 26 },
    },
  },
  'nothing happened': {
    happens: (hub) => hub.hubClock.advance(QUARTER_MS),
    // What the sensor was is said too once its sample is kept.
    answer: { verdict: 'trigger_never_happened' },
  },
};

async function why(hub: Running, name: string): Promise<Record<string, unknown>> {
  const { status, json } = await hub.call(`GET /automation/${name}/why`, { token: hub.owner.token });
  expect(status).toBe(200);
  return json;
}

describe('in a running hub, "why did it not run?" tells that', () => {
  test.each(Object.entries(CASES))('%s', async (_name, { document = RULE, happens, answer, tells }) => {
    const hub = await openRunningHub();
    hub.report(SENSOR, { water_leak: false });
    const { id, selector } = await hub.add('Leak', document);
    await happens(hub, id);
    const told = await why(hub, selector);
    expect(told).toMatchObject({ automation: selector, version: 1, source: 'kept', ...answer });
    const codes = (told['timeline'] as readonly { readonly code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(tells === undefined ? [] : [tells]));
  });
});

test('the logbook has a line for each run that ended, for those who may see automations', async () => {
  const hub = await openRunningHub();
  const { id } = await hub.add('Leak', RULE);
  leak(hub);
  await hub.until(() => hub.runs().some(({ outcome }) => outcome === 'finished'));
  const lines = async (token: string): Promise<unknown> => {
    const { json } = await hub.call('GET /history/timeline?types=automation.run', { token });
    return json['lines'];
  };
  const [run] = hub.runs();
  const line = {
    type: 'automation.run',
    device: null,
    automation: { id, selector: 'leak', name: 'Leak' },
    run: { id: run?.id, outcome: 'finished' },
  };
  hub.hubClock.advance(1_000);
  // The recorder gives the store within a second what it noted.
  await expect.poll(() => lines(hub.owner.token)).toEqual([expect.objectContaining(line)]);
  const script = await hub.addToken(hub.owner.user, { scopes: ['history:read', 'device:read'] });
  expect(await lines(script)).toEqual([]);
});
