import type { JsonObject } from '#base/json.ts';
import type { Template } from '#core/automation-template/template.ts';
import { worded } from './worded.ts';

const WEEK_S = 604_800;
const SENSOR = { device: { input: 'sensor.device' }, key: { input: 'sensor.key' } };
const LAMP = { device: { input: 'lamp' }, key: 'on' };
const IS_NIGHT: JsonObject = {
  or: [
    { mode: { home: 'night' }, if_unknown: false },
    { time: { after: { input: 'night_from' }, before: { input: 'night_to' } }, if_unknown: false },
  ],
};

const LIGHTS = { kind: 'device', capability: 'on', writable: true, light: true, many: true } as const;
const DIMMED = { kind: 'number', min: 1, max: 100, unit: 'percent' } as const;
const YIELD_S = {
  kind: 'number',
  min: 0,
  max: 86_400,
  unit: 's',
} as const;
const ONLY_HOME = { kind: 'boolean', default: true } as const;
const IF_HOME: JsonObject = {
  with: 'only_home',
  use: { presence: { person: 'anyone', is: 'home' }, if_unknown: true },
};

const MOTION_LIGHT = worded('motion-light', {
  version: 1,
  inputs: {
    motion: { kind: 'feature', capabilities: ['motion', 'presence'], many: true },
    lights: LIGHTS,
    lux: { kind: 'feature', capabilities: ['illuminance'], optional: true },
    dark_lx: { kind: 'number', min: 0, max: 10_000, unit: 'lx', default: 40 },
    hold_s: { kind: 'number', min: 5, max: 7200, unit: 's', default: 180 },
    level: { ...DIMMED, optional: true },
    night_level: { ...DIMMED, default: 10 },
    night_from: { kind: 'time', default: '22:00' },
    night_to: { kind: 'time', default: '06:30' },
    yield_s: { ...YIELD_S, default: 1800 },
  },
  definition: {
    mode: { kind: 'restart' },
    yield_to_hand_s: { input: 'yield_s' },
    triggers: [
      {
        each: 'motion',
        as: 'sensor',
        use: { id: { join: ['seen_', { input: 'sensor.number' }] }, type: 'feature', ...SENSOR, to: true },
      },
    ],
    conditions: [
      {
        with: 'lux',
        use: {
          or: [
            {
              feature: { device: { input: 'lux.device' }, key: { input: 'lux.key' }, below: { input: 'dark_lx' } },
              if_unknown: true,
            },
            { each: 'lights', as: 'lamp', use: { feature: { ...LAMP, is: true } } },
          ],
        },
      },
    ],
    steps: [
      {
        command: {
          targets: { devices: { input: 'lights' } },
          set: {
            on: true,
            brightness: { with: 'level', use: { if: [IS_NIGHT, { input: 'night_level' }, { input: 'level' }] } },
          },
          transition_ms: 400,
        },
      },
      {
        repeat: {
          until: {
            and: [{ each: 'motion', as: 'sensor', use: { feature: { ...SENSOR, is_not: true }, if_unknown: true } }],
          },
          max: 200,
          steps: [
            { delay: { s: 1, late_max_s: WEEK_S } },
            {
              wait_for: {
                condition: {
                  and: [
                    {
                      each: 'motion',
                      as: 'sensor',
                      use: { feature: { ...SENSOR, is: false, for_s: { input: 'hold_s' } } },
                    },
                  ],
                },
                timeout_s: 3600,
                late_max_s: WEEK_S,
              },
            },
          ],
        },
      },
      { command: { targets: { devices: { input: 'lights' } }, set: { on: false }, transition_ms: 3000 } },
    ],
  },
});

/** Shares of the last brightness: the eye sees equal steps in squares. */
const RISE = Array.from({ length: 20 }, (_, step) => Math.round(((step + 1) / 20) ** 2 * 10_000) / 10_000);

const WAKE_UP = worded('wake-up-light', {
  version: 1,
  inputs: {
    lights: { ...LIGHTS, capability: 'brightness' },
    at: { kind: 'time', default: '06:30' },
    days: { kind: 'days', default: ['workday'] },
    minutes: { kind: 'number', min: 1, max: 120, default: 20 },
    level: { ...DIMMED, default: 80 },
    stay_min: { kind: 'number', min: 1, max: 600, optional: true },
    only_home: ONLY_HOME,
  },
  definition: {
    yield_to_hand_s: 7200,
    triggers: [{ id: 'time', type: 'time', at: { input: 'at' }, days: { input: 'days' }, missed: { run_late_s: 900 } }],
    conditions: [
      { mode: { home: ['home', 'night'] }, if_unknown: true },
      IF_HOME,
      { each: 'lights', as: 'lamp', use: { feature: { ...LAMP, is_not: true }, if_unknown: true } },
    ],
    steps: [
      {
        repeat: {
          for_each: { variable: 'share', in: RISE },
          max: RISE.length,
          steps: [
            {
              command: {
                targets: { devices: { input: 'lights' } },
                set: {
                  on: true,
                  brightness: {
                    clamp: [
                      { round: [{ mul: [{ input: 'level' }, { variable: 'share' }] }, 0] },
                      1,
                      { input: 'level' },
                    ],
                  },
                },
                transition_ms: 2000,
              },
            },
            {
              delay: { s: { max: [1, { div: [{ mul: [{ input: 'minutes' }, 60] }, RISE.length] }] }, late_max_s: 300 },
            },
          ],
        },
      },
      {
        with: 'stay_min',
        use: [
          { delay: { s: { mul: [{ input: 'stay_min' }, 60] } } },
          { command: { targets: { devices: { input: 'lights' } }, set: { on: false }, transition_ms: 3000 } },
        ],
      },
    ],
  },
});

const SUNSET = worded('sunset-lights', {
  version: 1,
  inputs: {
    lights: LIGHTS,
    level: { ...DIMMED, optional: true },
    offset_s: {
      kind: 'number',
      min: -21_600,
      max: 21_600,
      unit: 's',
      default: -900,
    },
    not_before: { kind: 'time', optional: true },
    not_after: { kind: 'time', optional: true },
    off_at: { kind: 'time', default: '23:00' },
    only_home: ONLY_HOME,
  },
  definition: {
    yield_to_hand_s: 1800,
    triggers: [
      {
        id: 'sunset',
        type: 'sun',
        event: 'sunset',
        offset_s: { input: 'offset_s' },
        not_before: { input: 'not_before' },
        not_after: { input: 'not_after' },
        missed: { run_late_s: 7200 },
      },
    ],
    conditions: [
      // Late, it would not turn off before the next night.
      { time: { after: '12:00', before: { input: 'off_at' } } },
      { mode: { home: ['home', 'night'] }, if_unknown: true },
      IF_HOME,
    ],
    steps: [
      {
        command: {
          targets: { devices: { input: 'lights' } },
          set: { on: true, brightness: { input: 'level' } },
          transition_ms: 2000,
        },
      },
      { delay: { until: { input: 'off_at' }, late_max_s: WEEK_S } },
      { command: { targets: { devices: { input: 'lights' } }, set: { on: false }, transition_ms: 3000 } },
    ],
  },
});

const scene = (name: string): JsonObject => ({ scene: { scene: { input: name }, transition_ms: 500 } });
const whenActive = (name: string, next: JsonObject): JsonObject => ({
  if: { scene: { scene: { input: name }, is: 'active' } },
  then: [next],
});

const BUTTON = worded('button-scenes', {
  version: 1,
  inputs: {
    button: { kind: 'feature', capabilities: ['button'] },
    next_press: { kind: 'text', default: 'single' },
    first: { kind: 'scene' },
    second: { kind: 'scene' },
    third: { kind: 'scene', optional: true },
    lights: { ...LIGHTS, optional: true },
    off_press: { kind: 'text', default: 'double' },
  },
  definition: {
    mode: { kind: 'queued', max: 5 },
    triggers: [
      {
        id: 'next',
        type: 'occurrence',
        device: { input: 'button.device' },
        key: { input: 'button.key' },
        action: { input: 'next_press' },
      },
      {
        with: 'lights',
        use: {
          id: 'off',
          type: 'occurrence',
          device: { input: 'button.device' },
          key: { input: 'button.key' },
          action: { input: 'off_press' },
        },
      },
    ],
    steps: [
      {
        choose: {
          cases: [
            {
              with: 'lights',
              use: {
                if: { trigger: { id: 'off' } },
                then: [
                  { command: { targets: { devices: { input: 'lights' } }, set: { on: false }, transition_ms: 500 } },
                ],
              },
            },
            whenActive('first', scene('second')),
            { with: 'third', use: whenActive('second', scene('third')) },
          ],
          else: [scene('first')],
        },
      },
    ],
  },
});

export const LIGHT_TEMPLATES: readonly Template[] = [MOTION_LIGHT, WAKE_UP, SUNSET, BUTTON];
