import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { JsonValue } from '#base/json.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { dryRun } from '#core/automation-replay/dry-run.ts';
import { automation } from '#test/support/automation/virtual-home.ts';
import { deviceOf } from '#test/support/automation/virtual-device.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12);

const PART = {
  triggers: [
    { id: 'seen', type: 'feature', device: 'motion', key: 'motion', to: true },
    { id: 'start', type: 'hub', on: 'started' },
  ],
  conditions: [{ feature: { device: 'lux', key: 'illuminance', below: 40 } }],
  steps: [
    { id: 'on', command: { targets: { devices: ['lamp'] }, set: { on: true }, wait: 'finished' } },
    { id: 'd', delay: { s: 3600 } },
    { id: 'tell', notify: { severity: 'info', title: 'Off now' } },
    { id: 'off', command: { targets: { devices: ['lamp'] }, set: { on: false } } },
  ],
} as unknown as Partial<Definition>;

function ask(part: Partial<Definition>, given: Readonly<Record<string, JsonValue>> = {}, lux = 12) {
  const devices = [
    deviceOf('motion', { values: { motion: false } }, NOW_MS),
    deviceOf('lux', { values: { illuminance: lux } }, NOW_MS),
    deviceOf('lamp', { type: 'on_off_light', values: { on: false } }, NOW_MS),
  ];
  const present = {
    home: { devices, scenes: [], people: [] },
    modes: new Map([['home', 'home']]),
    variables: new Map<string, JsonValue>(),
    people: new Map(),
    causes: new Map(),
    history: () => undefined,
    steerRefusal: () => null,
    clock: (timeIn: (variable: string) => string | undefined) =>
      createCivilTime({ zone: () => createTimeZone('UTC'), place: () => undefined, isFree: () => false, timeIn }),
    nowMs: NOW_MS,
    isClockSet: true,
  };
  return dryRun(automation('hall', part), present, {
    trigger: 'seen',
    skipConditions: false,
    inputs: new Map(Object.entries(given)),
  });
}

test('a dry run goes through the steps, skips the waits and sends nothing', () => {
  const found = ask(PART);
  expect([found?.run.outcome, found?.isOver, found?.run.trigger.id]).toEqual(['finished', true, 'seen']);
  expect(found?.commands.map(({ wishes, afterMs }) => [wishes, afterMs])).toEqual([
    [[['lamp', { set: { on: true } }]], 0],
    [[['lamp', { set: { on: false } }]], 3_600_300],
  ]);
  expect(found?.others).toMatchObject([{ kind: 'notify', pointer: '/steps/2/notify', afterMs: 3_600_300 }]);
  expect(found?.run.steps.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done']);
});

test('the present values decide, or those that are given', () => {
  expect(ask(PART, {}, 200)?.run).toMatchObject({ outcome: 'not_met', steps: [] });
  expect(ask(PART, { 'lux/illuminance': 12 }, 200)?.run.outcome).toBe('finished');
});

test('one that waits for what does not happen says that it is not over', () => {
  const triggers = [{ id: 'w', type: 'feature', device: 'motion', key: 'motion', to: true }];
  const steps = [{ id: 'w', wait_for: { triggers, timeout_s: 30 * 86_400 } }];
  expect(ask({ ...PART, steps } as unknown as Partial<Definition>)).toMatchObject({ isOver: false, commands: [] });
});

test('one whose every request ends at once, a million times, shows as many as are of use', () => {
  const request = { id: 'ask', request: { method: 'POST', url: 'http://box.lan/', wait: true } };
  const inner = { id: 'r2', repeat: { times: 1_000, max: 1_000, steps: [request] } };
  const steps = [{ id: 'r1', repeat: { times: 1_000, max: 1_000, steps: [inner] } }];
  const found = ask({ ...PART, steps } as unknown as Partial<Definition>);
  expect([found?.isOver, found?.others.length]).toEqual([false, 500]);
});
