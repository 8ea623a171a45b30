import type { Note, OperationNote } from '#http/note/note.ts';
import { commandPlanSchema } from './plan.ts';

const TIME = '2026-11-21T04:06:22.000Z';

export const commandExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000030',
  device: 'kitchen-ceiling',
  status: 'confirmed',
  evidence: 'state_report',
  results: [{ key: 'brightness', requested: 60, observed: 60, status: 'confirmed' }],
  created_at: TIME,
  finished_at: TIME,
  cause: { command: null, scene: null, automation: null, run: null, depth: 0 },
  created_by: { type: 'session', id: '0198f1c2-7d6e-7000-8000-000000000002' },
});

/** Holds for every call that gives a command. */
export const commandNote = () =>
  ({
    description:
      'The hub checks the whole command before it sends anything. The answer is 200 if the command ends within the wait, else 202: ask `GET /api/v1/command/{id}` or follow `command.changed`. `unconfirmed` is no success: no report came in time. If a command waits for its device and its sender loses the right to give it, it becomes `expired` and is not sent.',
    requestHeaders: ['Prefer', 'Idempotency-Key'],
    answerHeaders: { 200: ['Preference-Applied'], 202: ['Preference-Applied', 'Location'] },
    problems: ['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'IDEMPOTENCY_KEY_REUSED'],
  }) satisfies OperationNote;

/** Calls that can be tried have this. */
const DRY_RUN = { answerWith: { 'dry_run=true': commandPlanSchema } };

export const commandDevice: Note = () => ({
  ...commandNote(),
  ...DRY_RUN,
  keptAt: '/api/v1/command',
  bodyExample: { set: { on: true, brightness: 60 }, transition_ms: 400 },
  answerExample: commandExample(),
});

export const commandDevices: Note = () => ({
  ...commandNote(),
  ...DRY_RUN,
  problems: [...commandNote().problems, 'ROOM_NOT_FOUND'],
  bodyExample: { targets: { room: 'kitchen' }, set: { on: false } },
});

export const undoCommand: Note = () => ({
  ...commandNote(),
  description:
    'Sends the last values that the devices reported before the command, to those features that still have what it set. A feature that the device reports as it was is `confirmed` with the reason `unchanged`; the other results are `superseded`, each with its reason. What the command has not sent yet is not sent any more. The undo is a command itself, whose `cause` names the other one, and can be undone. The hub keeps the last 1,000 commands until it restarts, and undoes those of the last 24 hours.',
  problems: [...commandNote().problems, 'NOTHING_TO_UNDO'],
  keptAt: '/api/v1/command',
  answerExample: commandExample(),
});

export const getCommand: Note = () => ({
  description: 'The hub keeps the last 1,000 commands. Commands of other people need the right `device:manage`.',
  answerExample: commandExample(),
});
