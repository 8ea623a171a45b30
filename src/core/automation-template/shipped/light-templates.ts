import type { JsonObject } from '#base/json.ts';
import type { Template } from '#core/automation-template/template.ts';

const WEEK_S = 604_800;
const SENSOR = { device: { input: 'sensor.device' }, key: { input: 'sensor.key' } };
const LAMP = { device: { input: 'lamp' }, key: 'on' };
const IS_NIGHT: JsonObject = {
  or: [
    { mode: { home: 'night' }, if_unknown: false },
    { time: { after: { input: 'night_from' }, before: { input: 'night_to' } }, if_unknown: false },
  ],
};

const LIGHTS = { label: 'Lamps', kind: 'device', capability: 'on', writable: true, many: true } as const;
const DIMMED = { kind: 'number', min: 1, max: 100, unit: 'percent' } as const;
const YIELD_S = {
  label: 'Leave a lamp alone after a hand moved it',
  kind: 'number',
  min: 0,
  max: 86_400,
  unit: 's',
} as const;
const ONLY_HOME = { label: 'Only while somebody is at home', kind: 'boolean', default: true } as const;
const IF_HOME: JsonObject = {
  with: 'only_home',
  use: { presence: { person: 'anyone', is: 'home' }, if_unknown: true },
};

const MOTION_LIGHT: Template = {
  id: 'motion-light',
  version: 1,
  name: 'Light by motion',
  description:
    'Turns lamps on when somebody moves in the dark, and off some minutes after the last motion. Dim at night. A lamp that a hand moved is left alone for a while. A sensor that is gone keeps the lamps on for an hour at most.',
  inputs: {
    motion: { label: 'Motion sensors', kind: 'feature', capabilities: ['motion', 'presence'], many: true },
    lights: LIGHTS,
    lux: { label: 'Light sensor', kind: 'feature', capabilities: ['illuminance'], optional: true },
    dark_lx: { label: 'Dark means below', kind: 'number', min: 0, max: 10_000, unit: 'lx', default: 40 },
    hold_s: { label: 'Off after so long without motion', kind: 'number', min: 5, max: 7200, unit: 's', default: 180 },
    level: { label: 'Brightness', hint: 'Leave it out for lamps that cannot be dimmed.', ...DIMMED, optional: true },
    night_level: { label: 'Brightness at night', ...DIMMED, default: 10 },
    night_from: { label: 'Night begins', kind: 'time', default: '22:00' },
    night_to: { label: 'Night ends', kind: 'time', default: '06:30' },
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
};

/** Shares of the last brightness: the eye sees equal steps in squares. */
const RISE = Array.from({ length: 20 }, (_, step) => Math.round(((step + 1) / 20) ** 2 * 10_000) / 10_000);

const WAKE_UP: Template = {
  id: 'wake-up-light',
  version: 1,
  name: 'Wake-up light',
  description:
    'Raises lamps slowly before you get up. Lamps that are on already stay as they are, and so do lamps that a hand turns off meanwhile. Nothing happens on days off, while nobody is at home, or after the hub was off for a quarter of an hour.',
  inputs: {
    lights: { ...LIGHTS, capability: 'brightness' },
    at: { label: 'Begin at', kind: 'time', default: '06:30' },
    days: { label: 'Days', kind: 'days', default: ['workday'] },
    minutes: { label: 'Minutes to full brightness', kind: 'number', min: 1, max: 120, default: 20 },
    level: { label: 'Full brightness', ...DIMMED, default: 80 },
    stay_min: { label: 'Off again after so many minutes', kind: 'number', min: 1, max: 600, optional: true },
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
};

const SUNSET: Template = {
  id: 'sunset-lights',
  version: 1,
  name: 'Lights at sunset',
  description:
    'Turns lamps on around sunset and off at a time of night. A lamp that a hand moved is left alone for half an hour. It needs the location of the home.',
  inputs: {
    lights: LIGHTS,
    level: { label: 'Brightness', hint: 'Leave it out for lamps that cannot be dimmed.', ...DIMMED, optional: true },
    offset_s: {
      label: 'So long after sunset',
      hint: 'Less than 0: before.',
      kind: 'number',
      min: -21_600,
      max: 21_600,
      unit: 's',
      default: -900,
    },
    not_before: { label: 'Not before', kind: 'time', optional: true },
    not_after: { label: 'Not after', kind: 'time', optional: true },
    off_at: { label: 'Off at', kind: 'time', default: '23:00' },
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
};

const scene = (name: string): JsonObject => ({ scene: { scene: { input: name }, transition_ms: 500 } });
const whenActive = (name: string, next: JsonObject): JsonObject => ({
  if: { scene: { scene: { input: name }, is: 'active' } },
  then: [next],
});

const BUTTON: Template = {
  id: 'button-scenes',
  version: 1,
  name: 'Button for scenes',
  description:
    'Each press of a button goes to the next of two or three scenes; another press turns lamps off. It goes by what the lamps report, so it begins with the first scene after somebody changed them.',
  inputs: {
    button: { label: 'Button', kind: 'feature', capabilities: ['button'] },
    next_press: { label: 'Press for the next scene', kind: 'text', default: 'single' },
    first: { label: 'First scene', kind: 'scene' },
    second: { label: 'Second scene', kind: 'scene' },
    third: { label: 'Third scene', kind: 'scene', optional: true },
    lights: { ...LIGHTS, label: 'Lamps to turn off', optional: true },
    off_press: { label: 'Press to turn off', kind: 'text', default: 'double' },
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
};

export const LIGHT_TEMPLATES: readonly Template[] = [MOTION_LIGHT, WAKE_UP, SUNSET, BUTTON];
