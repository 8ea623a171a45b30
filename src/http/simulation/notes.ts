import type { Note } from '#http/note/note.ts';

const firing = { at: '2026-11-21T17:04:11.200Z', trigger: 'seen', outcome: 'finished', run: null };

const example = {
  id: '0199a1b2-0000-7000-8000-0000000000d1',
  status: 'done',
  error: null,
  result: {
    from: '2026-11-20T23:00:00.000Z',
    to: '2026-11-21T23:00:00.000Z',
    time_zone: 'Europe/Berlin',
    world: 'recorded',
    fidelity: {
      complete: false,
      missing: [
        {
          series: 'living-room-lamp/on',
          from: '2026-11-20T23:00:00.000Z',
          to: '2026-11-21T06:00:00.000Z',
          reason: 'not_recorded',
        },
      ],
    },
    runs: [],
    old_runs: [],
    runs_left_out: 2,
    counts: { finished: 1, not_met: 3 },
    per_day: [
      {
        date: '2026-11-21',
        new: [firing],
        old: [firing],
        new_counts: { finished: 1, not_met: 3 },
        old_counts: { finished: 1 },
      },
    ],
    commands: { 'living-room-lamp': { sent: 1, on_s: 3600 } },
    compare: { only_new: [], only_old: [], both: 1 },
    against_reality: { since: '2026-11-20T23:00:00.000Z', agrees: 1, would_have: [], did_instead: [] },
  },
};

export const createAutomationSimulation: Note = () => ({
  description: [
    'Replays the recorded past with the automation as it is, as it was or as it would become, and answers what it would have done and when. Nothing is sent to any device, person or machine. It needs the right `history:read` too, and sight of all that the automation looks at; `hub:manage` for a document that is not saved and looks at the sun, which would tell where the home is.',
    'It is an estimate: `fidelity` names each piece that is missing, and why. Devices, rooms, scenes and people are those of now. The replay begins a day earlier than it shows, so that what was under way then is under way here.',
    'At most 31 days, 20 features, modes, variables and people, and five seconds of work. What is over soon is answered at once (200); else 202, and `GET /api/v1/automation_simulation/{id}` has the outcome for five minutes.',
  ].join('\n\n'),
  problems: [
    'HISTORY_RANGE',
    'HISTORY_NOT_KEPT',
    'SIMULATION_TOO_LARGE',
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'OVERLOADED',
  ],
  answerHeaders: { 202: ['Location'] },
  bodyExample: {
    definition: {
      triggers: [{ id: 'seen', type: 'feature', device: 'hallway-motion', key: 'motion', to: true }],
      steps: [{ command: { targets: { devices: ['living-room-lamp'] }, set: { on: true } } }],
    },
    from: '-14d',
    world: 'recorded',
  },
  answerExample: example,
});

export const getAutomationSimulation: Note = () => ({
  description: 'Only the person who asked for it can read it.',
  answerExample: example,
});

export const endAutomationSimulation: Note = () => ({
  description: 'Ends its work, or forgets what came of it.',
});
