import type { JsonObject } from '#base/json.ts';
import type { Template } from '#core/automation-template/template.ts';
import { templateMessages as SAYS } from '#words/en/template-messages.ts';
import { worded } from './worded.ts';

const WEEK_S = 604_800;
const WINDOW = { device: { input: 'window.device' }, key: { input: 'window.key' } };

const WINDOW_HEATING = worded('window-heating', {
  version: 1,
  inputs: {
    windows: { kind: 'feature', capabilities: ['open'], many: true },
    thermostats: {
      kind: 'device',
      capability: 'target_temperature',
      writable: true,
      many: true,
    },
    low: { kind: 'number', min: 5, max: 25, unit: 'celsius', default: 12 },
    open_s: { kind: 'number', min: 0, max: 3600, unit: 's', default: 60 },
    closed_s: { kind: 'number', min: 0, max: 3600, unit: 's', default: 60 },
  },
  definition: {
    triggers: [
      {
        each: 'windows',
        as: 'window',
        use: {
          id: { join: ['open_', { input: 'window.number' }] },
          type: 'feature',
          ...WINDOW,
          to: true,
          for_s: { input: 'open_s' },
        },
      },
    ],
    steps: [
      {
        each: 'thermostats',
        as: 'thermostat',
        use: {
          command: {
            targets: { devices: [{ input: 'thermostat' }] },
            set: {
              target_temperature: {
                coalesce: [
                  {
                    min: [
                      { feature: { device: { input: 'thermostat' }, key: 'target_temperature' } },
                      { input: 'low' },
                    ],
                  },
                  { input: 'low' },
                ],
              },
            },
            retry: { times: 2, after_s: 60 },
          },
        },
      },
      {
        repeat: {
          until: {
            and: [{ each: 'windows', as: 'window', use: { feature: { ...WINDOW, is_not: true }, if_unknown: true } }],
          },
          max: 500,
          steps: [
            { delay: { s: 1, late_max_s: WEEK_S } },
            {
              wait_for: {
                condition: {
                  and: [
                    {
                      each: 'windows',
                      as: 'window',
                      use: { feature: { ...WINDOW, is: false, for_s: { input: 'closed_s' } } },
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
      { restore: {} },
    ],
  },
});

const METER = { device: { input: 'meter.device' }, key: { input: 'meter.key' } };
const DONE_KEY = { join: ['done-', { input: 'meter.device' }] };

const APPLIANCE = worded('appliance-finished', {
  version: 1,
  inputs: {
    meter: { kind: 'feature', capabilities: ['power'] },
    name: { kind: 'text' },
    start_w: { kind: 'number', min: 1, max: 3000, unit: 'W', default: 10 },
    end_w: { kind: 'number', min: 0.1, max: 3000, unit: 'W', default: 5 },
    end_s: { kind: 'number', min: 5, max: 3600, unit: 's', default: 180 },
    door: {
      kind: 'feature',
      capabilities: ['open'],
      optional: true,
    },
  },
  definition: {
    triggers: [{ id: 'runs', type: 'threshold', ...METER, above: { input: 'start_w' }, for_s: 60 }],
    steps: [
      {
        wait_for: {
          triggers: [{ type: 'threshold', ...METER, below: { input: 'end_w' }, for_s: { input: 'end_s' } }],
          timeout_s: 43_200,
          then: 'stop',
          late_max_s: 43_200,
        },
      },
      { notify: { severity: 'info', title: { join: [{ input: 'name' }, SAYS.isDone] }, key: DONE_KEY } },
      {
        with: 'door',
        use: [
          {
            wait_for: {
              triggers: [
                { type: 'feature', device: { input: 'door.device' }, key: { input: 'door.key' }, to: true },
                { type: 'threshold', ...METER, above: { input: 'start_w' }, for_s: 60 },
              ],
              timeout_s: 86_400,
            },
          },
          { notify: { severity: 'info', title: { join: [{ input: 'name' }, SAYS.isEmpty] }, resolve_key: DONE_KEY } },
        ],
      },
    ],
  },
});

const HUMIDITY = { device: { input: 'humidity.device' }, key: { input: 'humidity.key' } };
const FAN: JsonObject = { device: { input: 'fan' }, key: 'on' };

const HUMIDITY_FAN = worded('humidity-fan', {
  version: 1,
  inputs: {
    humidity: { kind: 'feature', capabilities: ['humidity'] },
    fan: { kind: 'device', capability: 'on', writable: true },
    above: { kind: 'number', min: 20, max: 99, unit: 'percent', default: 68 },
    rise: { kind: 'number', min: 2, max: 50, unit: 'percent', default: 8 },
    dry: { kind: 'number', min: 10, max: 98, unit: 'percent', default: 60 },
    longest_s: { kind: 'number', min: 600, max: 21_600, unit: 's', default: 3600 },
    quiet_from: { kind: 'time', optional: true },
    quiet_to: { kind: 'time', default: '06:00' },
  },
  definition: {
    yield_to_hand_s: 3600,
    triggers: [
      { id: 'damp', type: 'threshold', ...HUMIDITY, above: { input: 'above' }, hysteresis: 4, for_s: 30 },
      { id: 'steam', type: 'threshold', ...HUMIDITY, change: { by: { input: 'rise' }, within_s: 300 } },
    ],
    conditions: [
      { feature: { ...FAN, is_not: true }, if_unknown: true },
      {
        with: 'quiet_from',
        use: { not: { time: { after: { input: 'quiet_from' }, before: { input: 'quiet_to' } }, if_unknown: false } },
      },
    ],
    steps: [
      { command: { targets: { devices: [{ input: 'fan' }] }, set: { on: true } } },
      { delay: { s: 600, late_max_s: WEEK_S } },
      {
        wait_for: {
          condition: { feature: { ...HUMIDITY, below: { input: 'dry' } } },
          timeout_s: { input: 'longest_s' },
          late_max_s: WEEK_S,
        },
      },
      { command: { targets: { devices: [{ input: 'fan' }] }, set: { on: false }, retry: { times: 3, after_s: 30 } } },
    ],
  },
});

export const HOUSE_TEMPLATES: readonly Template[] = [WINDOW_HEATING, APPLIANCE, HUMIDITY_FAN];
