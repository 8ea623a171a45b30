import { describe, expect, test } from 'vitest';
import type { Definition } from '#core/automation/document/definition.ts';
import { automation, createVirtualHome, START_MS } from '#test/support/automation/virtual-home.ts';

const DEVICES = {
  'hall-motion': { room: 'hall', type: 'occupancy_sensor', values: { motion: false } },
  'stairs-motion': { room: 'hall', type: 'occupancy_sensor', values: { motion: false } },
  'hall-lux': { room: 'hall', values: { illuminance: 12 } },
  'hall-lamp': { room: 'hall', type: 'dimmable_light', values: { on: false, brightness: 50 } },
  'bath-leak': { room: 'bath', type: 'water_leak_detector', values: { water_leak: false } },
  'water-valve': { type: 'water_valve', isSensitive: true, values: { valve_open: true } },
  'terrace-door': { type: 'contact_sensor', values: { open: false } },
  shutter: { type: 'window_covering', values: { position: 100 } },
} as const;

/** As people write them, with references as ids. */
const MOTION_IN_HALL = { any_of: { room: 'hall', capability: 'motion' } };
const HALL_LIGHT = {
  mode: { kind: 'restart', max: 1 },
  yield_to_hand_s: 1_800,
  triggers: [{ id: 'seen', type: 'feature', ...MOTION_IN_HALL, to: true }],
  conditions: [
    {
      or: [
        { feature: { device: 'hall-lux', key: 'illuminance', below: 40 }, if_unknown: true },
        { feature: { device: 'hall-lamp', key: 'on', is: true } },
      ],
    },
  ],
  steps: [
    {
      id: 's1',
      command: {
        targets: { devices: ['hall-lamp'] },
        transition_ms: 400,
        set: { on: true, brightness: { if: [{ mode: { home: 'night' } }, 10, 70] } },
      },
    },
    {
      id: 's2',
      wait_for: {
        triggers: [{ id: 't1', type: 'feature', ...MOTION_IN_HALL, all: true, to: false, for_s: 180 }],
        timeout_s: 14_400,
      },
    },
    { id: 's3', command: { targets: { devices: ['hall-lamp'] }, set: { on: false }, transition_ms: 3_000 } },
  ],
} as unknown as Partial<Definition>;

const LEAK = {
  durable: 'always',
  allow_sensitive: ['water-valve'],
  triggers: [{ id: 't1', type: 'feature', any_of: { capability: 'water_leak' }, to: true }],
  steps: [
    {
      id: 's1',
      command: {
        targets: { devices: ['water-valve'] },
        set: { valve_open: false },
        wait: 'finished',
        retry: { times: 3, after_s: 5 },
      },
    },
    { id: 's2', notify: { severity: 'critical', title: 'Water at {device.name}', key: 'leak', repeat_s: 300 } },
  ],
} as unknown as Partial<Definition>;

const SHUTTERS = {
  triggers: [{ id: 't1', type: 'time', at: '17:30', missed: { run_late_s: 7_200 } }],
  conditions: [{ not: { feature: { device: 'terrace-door', key: 'open', is: true } } }],
  steps: [{ id: 's1', scene: { scene: 'shutters-night' } }],
} as unknown as Partial<Definition>;

describe('the light of a hall', () => {
  const hall = () => createVirtualHome({ devices: DEVICES, automations: [automation('hall-light', HALL_LIGHT)] });

  test('goes on at motion, and off three minutes after the last of it', () => {
    const home = hall();
    home.report('hall-motion', 'motion', true);
    home.advance(20_000);
    home.report('stairs-motion', 'motion', true);
    home.advance(40_000);
    home.report('hall-motion', 'motion', false);
    home.advance(60_000);
    home.report('stairs-motion', 'motion', false);
    home.advance(179_000);
    expect(home.value('hall-lamp', 'on')).toBe(true);
    home.advance(2_000);
    expect(home.sent()).toEqual(['0 s: hall-lamp {"on":true,"brightness":70}', '300 s: hall-lamp {"on":false}']);
    expect(home.outcomes()).toEqual([expect.stringMatching(/^superseded: newer_run /), 'finished']);
  });

  test('is dim at night', () => {
    const home = hall();
    home.setMode('home', 'night');
    home.report('hall-motion', 'motion', true);
    expect(home.sent()).toEqual(['0 s: hall-lamp {"on":true,"brightness":10}']);
  });

  test('stays off by daylight, and the trace has the value that decided', () => {
    const home = hall();
    home.report('hall-lux', 'illuminance', 212);
    home.report('hall-motion', 'motion', true);
    expect(home.sent()).toEqual([]);
    expect(home.traces()).toMatchObject([
      {
        outcome: 'not_met',
        trigger: { id: 'seen', device: 'hall-motion', key: 'motion', from: false, value: true, cause: null },
        steps: [],
      },
    ]);
    expect(home.traces()[0]?.conditions).toContainEqual(
      expect.objectContaining({
        pointer: '/conditions/0/or/0',
        result: false,
        operands: [
          expect.objectContaining({ device: 'hall-lux', key: 'illuminance', value: 212, quality: 'confirmed' }),
        ],
      }),
    );
  });

  test('goes on although nobody knows how bright it is', () => {
    const home = hall();
    home.setAvailability('hall-lux', 'offline');
    home.report('hall-motion', 'motion', true);
    expect(home.sent()).toHaveLength(1);
  });

  test('leaves a lamp alone for half an hour that a hand turned off', () => {
    const home = hall();
    home.report('hall-motion', 'motion', true);
    home.advance(10_000);
    home.report('hall-lamp', 'on', false);
    home.report('hall-motion', 'motion', false);
    home.advance(60_000);
    home.report('hall-motion', 'motion', true);
    expect(home.sent()).toHaveLength(1);
    expect(home.traces().at(-1)?.steps[0]).toMatchObject({ outcome: 'skipped', reason: { id: 'hand' } });
    home.advance(1_800_000);
    home.report('hall-motion', 'motion', false);
    home.report('hall-motion', 'motion', true);
    expect(home.sent().at(-1)).toBe('1870 s: hall-lamp {"on":true,"brightness":70}');
  });

  test('goes off in time although the hub was off in between', () => {
    const home = hall();
    home.report('hall-motion', 'motion', true);
    home.advance(20_000);
    home.report('hall-motion', 'motion', false);
    home.advance(60_000);
    home.restart({ offMs: 60_000, isPowerCut: true });
    home.advance(59_000);
    expect(home.sent()).toHaveLength(1);
    home.advance(2_000);
    expect(home.sent()[1]).toBe('200 s: hall-lamp {"on":false}');
  });

  test('goes off at once, where it should have gone off while the hub was off', () => {
    const home = hall();
    home.report('hall-motion', 'motion', true);
    home.advance(20_000);
    home.report('hall-motion', 'motion', false);
    home.advance(60_000);
    home.restart({ offMs: 86_400_000, isPowerCut: true });
    home.advance(1);
    expect(home.sent().at(-1)).toBe('86480 s: hall-lamp {"on":false}');
  });
});

describe('a leak', () => {
  const bath = (answer: 'report' | 'silence') =>
    createVirtualHome({ devices: DEVICES, answer, automations: [automation('leak', LEAK)] });

  test('closes the water and tells people, with the run on disk before the command', () => {
    const home = bath('report');
    home.report('bath-leak', 'water_leak', true);
    home.advance(10_000);
    const kinds = home.effects().map(({ kind }) => kind);
    expect(kinds.indexOf('persist')).toBeLessThan(kinds.indexOf('command'));
    expect(home.effects().find(({ kind }) => kind === 'persist')).toMatchObject({ urgency: 'before_effects' });
    expect(home.commands()[0]?.command).toMatchObject({ isSensitive: true });
    expect(kinds).toContain('notify');
    expect(home.outcomes()).toEqual(['finished']);
  });

  test('is closed although the sensor is gone a moment later', () => {
    const home = bath('report');
    home.report('bath-leak', 'water_leak', true);
    home.remove('bath-leak');
    home.advance(10_000);
    expect(home.value('water-valve', 'valve_open')).toBe(false);
    expect(home.outcomes()).toEqual(['finished']);
  });

  test('is tried three more times, five seconds apart, and people hear of it all the same', () => {
    const home = bath('silence');
    home.report('bath-leak', 'water_leak', true);
    home.advance(120_000);
    expect(home.sent()).toEqual([0, 15, 30, 45].map((s) => `${s} s: water-valve {"valve_open":false}`));
    expect(home.effects().filter(({ kind }) => kind === 'notify')).toHaveLength(1);
  });

  test('moves no sensitive device that the document does not name', () => {
    const unnamed = automation('leak', { ...LEAK, allow_sensitive: [] });
    const home = createVirtualHome({ devices: DEVICES, automations: [unnamed] });
    home.report('bath-leak', 'water_leak', true);
    expect(home.sent()).toEqual([]);
    expect(home.traces()[0]?.steps[0]).toMatchObject({ outcome: 'failed', reason: { id: 'SENSITIVE_NOT_NAMED' } });
  });
});

describe('shutters in the evening', () => {
  const evening = () =>
    createVirtualHome({
      devices: DEVICES,
      scenes: { 'shutters-night': { shutter: { position: 0 } } },
      startMs: START_MS,
      automations: [automation('shutters', SHUTTERS)],
    });

  test('go down once a day', () => {
    const home = evening();
    home.advance(86_400_000);
    home.report('shutter', 'position', 100);
    home.advance(86_400_000);
    expect(home.sent()).toEqual([`19800 s: shutter {"position":0}`, `106200 s: shutter {"position":0}`]);
    expect(home.commands()[0]?.command.scene).toBe('shutters-night');
  });

  test.each([
    ['go down late, if that is within two hours', 7_000_000, 1],
    ['stay up after that', 7_300_000, 0],
  ])('%s', (_name, lateMs, count) => {
    const home = evening();
    home.advance(1_000);
    home.restart({ offMs: 19_799_000 + lateMs });
    home.advance(1_000);
    expect(home.sent()).toHaveLength(count);
    expect(home.misses()).toHaveLength(1 - count);
  });

  test('stay up while nobody knows whether the door is open', () => {
    const home = evening();
    home.setAvailability('terrace-door', 'offline');
    home.advance(86_400_000);
    expect(home.sent()).toEqual([]);
    expect(home.outcomes()).toEqual(['not_met: unknown']);
  });

  test.each([-1, 3_600_000, -3_600_000, -2 * 86_400_000])(
    'go down once, though the clock jumps by %i ms then',
    (byMs) => {
      const home = evening();
      home.advance(19_800_500);
      home.setClock(byMs);
      home.advance(20 * 3_600_000);
      expect(home.outcomes()).toHaveLength(1);
    },
  );
});
