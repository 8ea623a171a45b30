import type { JsonObject, JsonValue } from '#base/json.ts';

/** The examples of the design, and one document with every word of the language. */
export const HALL_LIGHT: JsonObject = {
  mode: { kind: 'restart' },
  yield_to_hand_s: 1800,
  triggers: [{ id: 'seen', type: 'feature', any_of: { room: 'hall', capability: 'motion' }, to: true }],
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
      command: {
        targets: { devices: ['hall-lamp'] },
        transition_ms: 400,
        set: { on: true, brightness: { if: [{ mode: { home: 'night' } }, 10, 70] } },
      },
    },
    {
      wait_for: {
        triggers: [
          { type: 'feature', any_of: { room: 'hall', capability: 'motion' }, all: true, to: false, for_s: 180 },
        ],
        timeout_s: 14_400,
        then: 'continue',
      },
    },
    { command: { targets: { devices: ['hall-lamp'] }, set: { on: false }, transition_ms: 3000 } },
  ],
};

export const LEAK: JsonObject = {
  durable: 'always',
  allow_sensitive: ['water-valve'],
  triggers: [{ type: 'feature', any_of: { capability: 'water_leak' }, to: true }],
  steps: [
    {
      command: {
        targets: { devices: ['water-valve'] },
        set: { valve_open: false },
        wait: 'finished',
        retry: { times: 3, after_s: 5 },
      },
    },
    {
      notify: {
        severity: 'critical',
        title: 'Water at {device.name}',
        key: 'leak',
        repeat_s: 300,
        to: ['role:resident', 'role:owner'],
      },
    },
  ],
};

export const SHUTTERS: JsonObject = {
  triggers: [
    {
      type: 'sun',
      event: 'sunset',
      offset_s: 900,
      not_before: '17:30',
      not_after: '22:00',
      if_none: '22:00',
      missed: { run_late_s: 7200 },
    },
  ],
  conditions: [{ not: { feature: { device: 'terrace-door', key: 'open', is: true } } }],
  steps: [{ scene: { scene: 'shutters-night' } }],
};

const LUX = { device: 'hall-lux', key: 'illuminance' };
const LAMP = { devices: ['hall-lamp'] };

/** Every trigger, condition, operation and step. */
export const EVERYTHING: JsonObject = {
  mode: { kind: 'queued', max: 3 },
  release_on_mode: true,
  on_broken: 'run_rest',
  limits: 'high',
  variables: { level: { clamp: [{ feature: LUX }, 1, 100] } },
  triggers: [
    {
      type: 'feature',
      device: 'hall-lamp',
      key: 'on',
      to: [true, false],
      from: '*',
      by: 'hand',
      for_s: 5,
      grace_s: 60,
    },
    { type: 'threshold', ...LUX, above: 10, below: { variable: 'dark' }, hysteresis: 2, again_after_s: 600 },
    { type: 'threshold', ...LUX, change: { by: -20, within_s: 600 } },
    { type: 'occurrence', device: 'remote', key: 'button', action: ['single', 'double'], count: 1, raw: 'x' },
    { type: 'time', at: ['06:45', '07:30:30'], days: ['workday', 'sat'], dates: ['12-20..01-06', '2026-11-22'] },
    { type: 'time', at: { variable: 'bedtime' }, except_dates: ['12-24'], missed: 'always' },
    { type: 'time', cron: '*/15 6-22 * * 1-5', when_clock_unset: 'go_by_last' },
    { type: 'time', every_s: 900, anchor: '2026-01-01T00:00:00Z', missed: 'skip' },
    { type: 'sun', event: 'elevation', elevation_deg: -6, rising: false },
    { id: 'hook', type: 'hook', accepts: { type: 'object' } },
    { type: 'mode', mode: 'home', to: 'away' },
    { type: 'variable', variable: 'guests', from: 1, for_s: 60 },
    { type: 'presence', person: 'everyone', to: 'away' },
    { type: 'presence', person: 'anna', to: 'home' },
    { type: 'availability', integration: 'zigbee2mqtt', to: 'offline', for_s: 300 },
    { type: 'availability', any_of: { type: 'contact_sensor', except: ['terrace-door'] }, to: 'online' },
    { type: 'hub', on: 'started' },
    { type: 'automation', automation: 'other-rule', outcome: 'failed' },
  ],
  conditions: [
    { and: [{ time: { after: '22:00', before: '06:00', days: ['sun'] } }, { sun: { below: -3 } }] },
    { sun: { after: 'sunset', offset_s: 900, before: 'sunrise', before_offset_s: -900 } },
    { mode: { home: ['home', 'night'] } },
    { presence: { person: 'anyone', is: 'home' }, if_unknown: true },
    { variable: { variable: 'guests', above: 0 } },
    { availability: { device: 'hall-lamp', is: 'online' } },
    { trigger: { id: ['t1', 'hook'] } },
    { scene: { scene: 'shutters-night', is: 'active' } },
    { not: { run: { automation: 'other-rule', is: 'running' } } },
    {
      compare: {
        left: { history: { ...LUX, over_s: 3600, fn: 'mean' } },
        op: 'lt',
        right: { add: [{ feature: LUX }, 5] },
      },
    },
    { changed: { device: 'hall-lamp', key: 'on', within_s: 60, by: 'hand' } },
    { feature: { ...LUX, between: [1, { variable: 'dark' }], accept_restored: false } },
  ],
  steps: [
    {
      id: 'look',
      wait_for: { condition: { feature: { ...LUX, below: 5 } }, timeout_s: 60, then: 'stop', late_max_s: 10 },
    },
    {
      choose: {
        cases: [
          {
            if: { step: { id: 'look', timed_out: false } },
            then: [{ stop: { outcome: 'finished', reason: 'light enough' } }],
          },
        ],
        else: [{ delay: { s: { mul: [2, 3] } } }],
      },
    },
    {
      repeat: {
        for_each: { variable: 'level_now', in: [10, 20, { map: [{ sun: 'elevation' }, -6, 6, 1, 100] }] },
        max: 3,
        steps: [
          {
            command: {
              targets: LAMP,
              set: { brightness: { round: [{ coalesce: [{ variable: 'level_now' }, 5] }, 0] } },
            },
          },
          { delay: { s: 1 } },
        ],
      },
    },
    {
      parallel: {
        branches: [
          [
            {
              command: {
                targets: { room: 'hall', any_of: { capability: 'on' } },
                set: { on: false },
                skip_if_same: false,
              },
            },
          ],
          [{ command: { targets: { trigger: 'device' }, do: 'toggle', on_failure: 'stop', expires_in: 30 } }],
        ],
        end: 'any',
      },
    },
    { scene: { scene: 'shutters-night', transition_ms: 1000, wait: 'sent' } },
    { restore: { since: 'trigger' } },
    { delay: { until: '06:00', late_max_s: 0 } },
    { notify: { severity: 'info', title: 'Light', text: '{operand:lux}', operands: { lux: { feature: LUX } } } },
    { request: { method: 'POST', url: 'http://printer.local/print', json: { value: { max: [1, 2] } }, wait: true } },
    { mode: { mode: 'home', value: 'night', until: '06:00' } },
    { variable: { variable: 'guests', value: { min: [{ sub: [{ variable: 'guests' }, 1] }, 10] } } },
    { presence_note: { person: 'anna', state: 'away' } },
    { automation: { automation: 'other-rule', do: 'stop' } },
  ],
};

export const DOCUMENTS: Readonly<Record<string, JsonObject>> = {
  'hall light': HALL_LIGHT,
  leak: LEAK,
  shutters: SHUTTERS,
  everything: EVERYTHING,
};

/** Finds anything but what is called `gone`; its id is its name with `id-` before it. */
export function findAny(_kind: string, reference: string): JsonValue | undefined {
  if (reference.startsWith('gone')) return undefined;
  return reference.startsWith('id-') ? reference : `id-${reference}`;
}
