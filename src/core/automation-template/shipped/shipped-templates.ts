import type { JsonObject } from '#base/json.ts';
import type { Template } from '#core/automation-template/template.ts';
import { HOUSE_TEMPLATES } from './house-templates.ts';
import { LIGHT_TEMPLATES } from './light-templates.ts';
import { SAFETY_TEMPLATES } from './safety-templates.ts';

const WEEK_S = 604_800;
const WINDOW = { device: { input: 'window.device' }, key: { input: 'window.key' } };

const ALL_OFF: Template = {
  id: 'away-off',
  version: 1,
  name: 'All off when everybody is away',
  description:
    'Turns everything off that may be off, some minutes after the last person left or when somebody sets the home to away. Tells of windows that are open. While it is unknown whether somebody is at home, nothing happens.',
  inputs: {
    after_s: { label: 'After', kind: 'number', min: 0, max: 7200, unit: 's', default: 300 },
    set_mode: { label: 'Set the home to away', kind: 'boolean', default: true },
    windows: {
      label: 'Windows and doors to look at',
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
                      title: 'Everybody is away, and a window or door is open',
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
};

const LAST_WEEK: JsonObject = {
  history: { device: { input: 'lamp' }, key: 'on', over_s: 600, ago_s: WEEK_S, fn: 'seconds_true' },
};
const asLastWeek = (op: 'gt' | 'le', isOn: boolean): JsonObject => ({
  if: { compare: { left: LAST_WEEK, op, right: 300 } },
  then: [{ command: { targets: { devices: [{ input: 'lamp' }] }, set: { on: isOn } } }],
});

const IMITATION: Template = {
  id: 'presence-imitation',
  version: 1,
  name: 'As if somebody were at home',
  description:
    'While the home is set to away or vacation, lamps do what they did a week ago at the same time. What nobody recorded changes nothing.',
  inputs: {
    lights: { label: 'Lamps', kind: 'device', capability: 'on', writable: true, many: true },
    from: { label: 'From', kind: 'time', default: '16:00' },
    to: { label: 'To', kind: 'time', default: '23:30' },
    modes: {
      label: 'While the home is set to',
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
};

/** The templates that come with the hub, in the order in which they are shown. */
export const SHIPPED_TEMPLATES: readonly Template[] = [
  ...LIGHT_TEMPLATES,
  ...SAFETY_TEMPLATES,
  ALL_OFF,
  IMITATION,
  ...HOUSE_TEMPLATES,
];
