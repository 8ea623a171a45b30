import type { Note } from '#http/note/note.ts';

const RUN = '019ab58f-5a11-7000-8000-0a1b2c3d4e5f';

const operand = () => ({
  device: 'living-room-climate',
  key: 'temperature',
  value: 21.5,
  quality: 'confirmed',
  changed_at: '2026-11-21T17:01:00.000Z',
  unknown: null,
});

const runExample = () => ({
  id: RUN,
  automation: 'evening-light',
  version: 7,
  outcome: 'not_met',
  reason: { id: 'not_met', with: {} },
  message: 'a condition did not hold',
  trigger: {
    id: 'seen',
    type: 'feature',
    device: 'hallway-motion',
    key: 'motion',
    from: false,
    value: true,
    quality: 'confirmed',
    action: null,
    at: '2026-11-21T17:04:11.200Z',
    late_s: 0,
    cause: null,
    body: null,
  },
  conditions: [{ pointer: '/conditions/0', result: 'false', operands: [operand()] }],
  steps: [],
  steps_left_out: 0,
  variables: {},
  started_at: '2026-11-21T17:04:11.201Z',
  finished_at: '2026-11-21T17:04:11.201Z',
  cause: null,
  merged: 14,
});

const KEPT =
  'Of each automation the last 50 that did something are kept, and the last 50 that came to nothing, where equal ones are one with a count; none for more than 30 days.';

export const listRunsOfAutomation: Note = () => ({
  description: KEPT,
  problems: ['INVALID_QUERY'],
  answerExample: { runs: [runExample()], next: null },
});

export const listAutomationRuns: Note = () => ({
  description: KEPT,
  problems: ['INVALID_QUERY', 'NOT_FOUND'],
  answerExample: { runs: [runExample()], next: `1795280651201-${RUN}` },
});

export const getAutomationRun: Note = () => ({
  answerExample: {
    ...runExample(),
    outcome: 'finished',
    reason: null,
    message: null,
    merged: 0,
    steps: [
      {
        pointer: '/steps/0',
        at: '2026-11-21T17:04:11.201Z',
        ms: 340,
        outcome: 'done',
        reason: null,
        message: null,
        command: {
          id: '0198f1c2-7d6e-7000-8000-000000000030',
          status: 'confirmed',
          evidence: 'state_report',
          results: { 'kitchen-ceiling': 'confirmed' },
        },
        conditions: [],
        values: [],
      },
    ],
  },
});

const told = () => ({
  code: 'not_crossed',
  sentence: 'Living room climate (Temperature) was 25.8 celsius at the nearest; the limit is 26 celsius.',
  fields: { trigger: 'warm', device: 'living-room-climate', key: 'temperature', value: 25.8, limit: 26 },
});

export const listNearMisses: Note = () => ({
  isInternal: true,
  description:
    'A trigger that looked and did not fire, or fired while the automation might not run. The last 64 are kept.',
  answerExample: [{ at: '2026-11-21T17:04:11.200Z', last_at: '2026-11-21T17:05:02.000Z', count: 3, ...told() }],
});

export const getAutomationWhy: Note = () => ({
  description:
    'Looks at the runs and near misses that are kept, at the samples of what the triggers watch, and at when the hub was off. The sentence is made of `code` and `fields`.',
  problems: ['INVALID_QUERY'],
  answerExample: {
    automation: 'evening-light',
    version: 7,
    at: '2026-11-21T17:05:00.000Z',
    from: '2026-11-21T17:00:00.000Z',
    to: '2026-11-21T17:10:00.000Z',
    verdict: 'trigger_never_happened',
    ...told(),
    source: 'kept',
    timeline: [{ at: '2026-11-21T17:04:11.200Z', ...told() }],
  },
});

const causesExample = () => ({
  origin: 'report',
  sentence: 'A device reported it.',
  reason: { id: 'report', with: {} },
  chain: [
    {
      type: 'command',
      at: '2026-11-21T17:04:11.201Z',
      command: { id: '0198f1c2-7d6e-7000-8000-000000000030', status: 'confirmed' },
      sentence: 'An automation gave the command.',
      reason: { id: 'automation_commanded', with: {} },
    },
    {
      type: 'run',
      at: '2026-11-21T17:04:11.201Z',
      automation: 'evening-light',
      run: { id: RUN, outcome: 'finished' },
      sentence: 'Evening light ran.',
      reason: { id: 'ran', with: { automation: 'Evening light' } },
    },
    {
      type: 'trigger',
      at: '2026-11-21T17:04:11.200Z',
      trigger: { id: 'seen', type: 'feature' },
      device: 'hallway-motion',
      key: 'motion',
      value: true,
      sentence: 'Hallway motion (Motion) became true.',
      reason: { id: 'became', with: { feature: 'Hallway motion (Motion)', value: 'true' } },
    },
  ],
});

export const getCommandWhy: Note = () => ({
  description:
    'The hub keeps the last 1,000 commands until it restarts. Commands of other people need the right `device:manage`, and automations `automation:read`.',
  answerExample: causesExample(),
});

export const getFeatureWhy: Note = () => ({
  description:
    'From the last recorded change of the feature to where it began. The hub learns what a device did, and not who: where no command of it explains a change, that is evidence of a hand and no proof.',
  problems: ['INVALID_QUERY', 'OVERLOADED'],
  answerExample: {
    ...causesExample(),
    chain: [
      {
        type: 'change',
        at: '2026-11-21T17:04:11.541Z',
        device: 'kitchen-ceiling',
        key: 'on',
        value: true,
        sentence: 'Kitchen ceiling (On) became true.',
        reason: { id: 'became', with: { feature: 'Kitchen ceiling (On)', value: 'true' } },
      },
      ...causesExample().chain,
    ],
  },
});
