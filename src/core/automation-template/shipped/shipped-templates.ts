import type { JsonObject } from '#base/json.ts';
import type { Template } from '#core/automation-template/template.ts';
import { templateMessages as SAYS } from '#words/en/template-messages.ts';
import { worded } from './worded.ts';
import { HOUSE_TEMPLATES } from './house-templates.ts';
import { LIGHT_TEMPLATES } from './light-templates.ts';
import { SAFETY_TEMPLATES } from './safety-templates.ts';

const WEEK_S = 604_800;
const WINDOW = { device: { input: 'window.device' }, key: { input: 'window.key' } };

const ALL_OFF = worded('away-off', {
  version: 1,
  inputs: {
    after_s: { kind: 'number', min: 0, max: 7200, unit: 's', default: 300 },
    set_mode: { kind: 'boolean', default: true },
    windows: {
      kind: 'feature',
      capabilities: ['open'],
      many: true,
      optional: true,
    },
  },
  definition: {
    triggers: [
      { id: 'left', type: 'presence', person: 'everyone', to: 'away', for_s: { input: 'after_s' } },
      { id: 'said', type: 'mode', mode: 'home', to: 'away' },
    ],
    conditions: [
      // The first trigger sets the mode, which is no word of a person.
      {
        or: [{ trigger: { id: 'left' } }, { not: { presence: { person: 'everyone', is: 'away' }, if_unknown: false } }],
      },
    ],
    steps: [
      { scene: { scene: 'all-off', transition_ms: 2000 } },
      {
        with: 'windows',
        use: {
          choose: {
            cases: [
              {
                if: { or: [{ each: 'windows', as: 'window', use: { feature: { ...WINDOW, is: true } } }] },
                then: [
                  {
                    notify: {
                      severity: 'warning',
                      title: SAYS.awayOpen,
                      key: 'away-open',
                    },
                  },
                ],
              },
            ],
          },
        },
      },
      {
        with: 'set_mode',
        use: {
          choose: {
            cases: [{ if: { mode: { home: ['home', 'night'] } }, then: [{ mode: { mode: 'home', value: 'away' } }] }],
          },
        },
      },
    ],
  },
});

const LAST_WEEK: JsonObject = {
  history: { device: { input: 'lamp' }, key: 'on', over_s: 600, ago_s: WEEK_S, fn: 'seconds_true' },
};
const asLastWeek = (op: 'gt' | 'le', isOn: boolean): JsonObject => ({
  if: { compare: { left: LAST_WEEK, op, right: 300 } },
  then: [{ command: { targets: { devices: [{ input: 'lamp' }] }, set: { on: isOn } } }],
});

const IMITATION = worded('presence-imitation', {
  version: 1,
  inputs: {
    lights: { kind: 'device', capability: 'on', writable: true, light: true, many: true },
    from: { kind: 'time', default: '16:00' },
    to: { kind: 'time', default: '23:30' },
    modes: {
      kind: 'choice',
      options: ['vacation', 'away'],
      default: 'vacation',
    },
  },
  definition: {
    yield_to_hand_s: 1800,
    triggers: [{ id: 'look', type: 'time', every_s: 300, missed: 'skip' }],
    conditions: [
      { mode: { home: { input: 'modes' } } },
      { time: { after: { input: 'from' }, before: { input: 'to' } } },
    ],
    steps: [
      {
        each: 'lights',
        as: 'lamp',
        use: { choose: { cases: [asLastWeek('gt', true), asLastWeek('le', false)] } },
      },
    ],
  },
});

/** The templates that come with the hub, in the order in which they are shown. */
export const SHIPPED_TEMPLATES: readonly Template[] = [
  ...LIGHT_TEMPLATES,
  ...SAFETY_TEMPLATES,
  ALL_OFF,
  IMITATION,
  ...HOUSE_TEMPLATES,
];
