import type { JsonObject } from '#base/json.ts';
import type { Template } from '#core/automation-template/template.ts';
import { templateMessages as SAYS } from '#words/en/template-messages.ts';
import { worded } from './worded.ts';

const WEEK_S = 604_800;
const WET = { type: 'feature', any_of: { capability: 'water_leak' } } as const;
const KEEPERS = ['role:owner', 'role:admin', 'role:resident'];

const LEAK = worded('leak', {
  version: 1,
  inputs: {
    valve: { kind: 'device', capability: 'valve_open', writable: true, optional: true },
    siren: { kind: 'device', capability: 'siren', writable: true, optional: true },
    siren_s: { kind: 'number', min: 5, max: 1800, unit: 's', default: 120 },
  },
  definition: {
    mode: { kind: 'parallel', max: 10 },
    durable: 'always',
    on_broken: 'run_rest',
    allow_sensitive: [{ input: 'valve' }, { input: 'siren' }],
    triggers: [{ id: 'wet', ...WET, to: true }],
    steps: [
      {
        notify: {
          severity: 'critical',
          title: SAYS.waterAt,
          key: 'leak',
          repeat_s: 300,
          to: KEEPERS,
        },
      },
      {
        parallel: {
          branches: [
            [
              {
                with: 'valve',
                use: [
                  {
                    command: {
                      targets: { devices: [{ input: 'valve' }] },
                      set: { valve_open: false },
                      wait: 'finished',
                      retry: { times: 5, after_s: 10 },
                    },
                  },
                  {
                    choose: {
                      cases: [
                        {
                          if: {
                            not: { feature: { device: { input: 'valve' }, key: 'valve_open', is: false } },
                            if_unknown: true,
                          },
                          then: [
                            {
                              notify: {
                                severity: 'critical',
                                title: SAYS.valveOpen,
                                key: 'leak-valve',
                                repeat_s: 300,
                                to: KEEPERS,
                              },
                            },
                          ],
                        },
                      ],
                    },
                  },
                ],
              },
              {
                wait_for: { triggers: [{ ...WET, all: true, to: false, for_s: 600 }], timeout_s: WEEK_S, then: 'stop' },
              },
              { notify: { severity: 'info', title: SAYS.waterGone, resolve_key: 'leak' } },
            ],
            {
              with: 'siren',
              use: [
                [
                  { command: { targets: { devices: [{ input: 'siren' }] }, set: { siren: true } } },
                  { delay: { s: { input: 'siren_s' } } },
                  { command: { targets: { devices: [{ input: 'siren' }] }, set: { siren: false } } },
                ],
              ],
            },
          ],
        },
      },
    ],
  },
});

const DOOR = { device: { input: 'door.device' }, key: { input: 'door.key' } };
const DOOR_ID = { join: ['open_', { input: 'door.number' }] };
const DOOR_KEY = { join: ['left-open-', { input: 'door.device' }] };
const OUTSIDE: JsonObject = {
  with: 'outside',
  use: {
    feature: { device: { input: 'outside.device' }, key: { input: 'outside.key' }, below: { input: 'below' } },
    if_unknown: true,
  },
};

const DOOR_OPEN = worded('door-left-open', {
  version: 1,
  inputs: {
    doors: { kind: 'feature', capabilities: ['open'], many: true },
    after_s: { kind: 'number', min: 10, max: 86_400, unit: 's', default: 300 },
    repeat_s: { kind: 'number', min: 60, max: 86_400, unit: 's', default: 900 },
    outside: { kind: 'feature', capabilities: ['temperature'], optional: true },
    below: { kind: 'number', min: -40, max: 50, unit: 'celsius', default: 15 },
  },
  definition: {
    mode: { kind: 'parallel', max: 10 },
    triggers: [
      {
        each: 'doors',
        as: 'door',
        use: { id: DOOR_ID, type: 'feature', ...DOOR, to: true, for_s: { input: 'after_s' } },
      },
    ],
    conditions: [OUTSIDE],
    steps: [
      {
        choose: {
          cases: [
            {
              each: 'doors',
              as: 'door',
              use: {
                if: { trigger: { id: DOOR_ID } },
                then: [
                  {
                    notify: {
                      severity: 'warning',
                      title: SAYS.doorOpen,
                      key: DOOR_KEY,
                      repeat_s: { input: 'repeat_s' },
                    },
                  },
                  {
                    wait_for: {
                      condition: { feature: { ...DOOR, is: false } },
                      timeout_s: WEEK_S,
                      then: 'stop',
                    },
                  },
                  { notify: { severity: 'info', title: SAYS.doorClosed, resolve_key: DOOR_KEY } },
                ],
              },
            },
          ],
        },
      },
    ],
  },
});

const BATTERIES = worded('low-batteries', {
  version: 1,
  inputs: {
    below: { kind: 'number', min: 1, max: 90, unit: 'percent', default: 15 },
    except: { kind: 'device', capability: 'battery', many: true, optional: true },
  },
  definition: {
    mode: { kind: 'parallel', max: 10 },
    triggers: [
      {
        id: 'level',
        type: 'threshold',
        any_of: { capability: 'battery', except: { input: 'except' } },
        below: { input: 'below' },
        hysteresis: 5,
        again_after_s: WEEK_S,
      },
      { id: 'flag', type: 'feature', any_of: { capability: 'battery_low', except: { input: 'except' } }, to: true },
    ],
    steps: [
      {
        choose: {
          cases: [
            {
              if: { trigger: { id: 'level' } },
              then: [
                {
                  notify: {
                    severity: 'warning',
                    title: SAYS.batteryLow,
                    text: SAYS.batteryLeft,
                  },
                },
              ],
            },
          ],
          else: [{ notify: { severity: 'warning', title: SAYS.batteryLow } }],
        },
      },
    ],
  },
});

export const SAFETY_TEMPLATES: readonly Template[] = [LEAK, DOOR_OPEN, BATTERIES];
