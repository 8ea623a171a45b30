import { commandExample, commandNote } from '#http/command/notes.ts';
import { commandPlanSchema } from '#http/command/plan.ts';
import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';
import { roomReferenceExample } from '#http/room/notes.ts';

const TIME = '2026-11-21T19:30:00.000Z';

const sceneExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000050',
  selector: 'movie-night',
  name: 'Movie night',
  room: roomReferenceExample(),
  icon: 'film',
  builtin: false,
  revision: 3,
  active: {
    state: 'partly',
    matched: 1,
    of: 2,
    since: TIME,
    differences: [{ device: 'living-room-lamp', key: 'brightness', wanted: 15, value: 40, quality: 'confirmed' }],
  },
  transition_ms: 1500,
  targets: [
    {
      device: { id: '0198f1c2-7d6e-7000-8000-000000000020', selector: 'kitchen-ceiling', name: 'Kitchen ceiling' },
      set: { on: false },
      transition_ms: null,
      state: 'ok',
      match: 'matched',
    },
    {
      device: { id: '0198f1c2-7d6e-7000-8000-000000000021', selector: 'living-room-lamp', name: 'Living room lamp' },
      set: { on: true, brightness: 15 },
      transition_ms: null,
      state: 'ok',
      match: 'differs',
    },
  ],
  sensitive: false,
  created_by: { type: 'session', id: '0198f1c2-7d6e-7000-8000-000000000002' },
  created_at: TIME,
  updated_at: TIME,
});
const capturedExample = () => ({
  ...sceneExample(),
  skipped: [{ device: 'attic-lamp', key: 'on', reason: 'offline' }],
});

export const listScenes: Note = () => ({
  ...LIST_HEADERS,
  description:
    'A caller sees the scenes whose devices it sees, all of them. `all-off` is built in: it turns off each device with `all_off: true` that has a switch, but for what opens or guards the home.',
  answerExample: [sceneExample()],
});

export const getScene: Note = () => ({
  ...READ_HEADERS,
  description:
    'Whether a scene is active is known from the reports of its devices alone. Devices round, so a brightness may differ by 2 %, a position by 3 %, a color temperature by 60 K, a color by 0.02 in x and y or by 3° and 4 %, a target temperature by 0.2 °C.',
  answerExample: sceneExample(),
});

export const createScene: Note = () => ({
  description:
    'With `targets` as written; with `capture`, or with a `room` alone, the present states of the devices. A capture takes what people set every day and what is confirmed, or sent within the last 5 s; `skipped` names what it left out. It never takes locks, valves, sirens and alarm systems: name those in `targets`. A scene with them needs `device:control_sensitive`.',
  answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
  problems: ['LIMIT_REACHED', 'SCENE_EMPTY', 'ROOM_NOT_FOUND'],
  bodyExample: {
    name: 'Movie night',
    room: 'kitchen',
    icon: 'film',
    transition_ms: 1500,
    targets: [
      { device: 'kitchen-ceiling', set: { on: false } },
      { device: 'living-room-lamp', set: { on: true, brightness: 15 } },
    ],
  },
  answerExample: capturedExample(),
});

export const updateScene: Note = () => ({
  ...CHANGE_HEADERS,
  description: '`targets` replaces all targets. A target whose device was removed may stay.',
  problems: ['LIMIT_REACHED', 'SCENE_EMPTY', 'ROOM_NOT_FOUND'],
  bodyExample: { name: 'Film night' },
  answerExample: sceneExample(),
});

export const removeScene: Note = () => ({ requestHeaders: ['If-Match'] });

export const captureScene: Note = () => ({
  ...CHANGE_HEADERS,
  description:
    'Replaces the values of the scene by the present ones: those of its own devices, or of the devices that the body names. What is skipped keeps its old value.',
  problems: ['LIMIT_REACHED', 'SCENE_EMPTY', 'ROOM_NOT_FOUND'],
  bodyExample: { keys: ['on', 'brightness'] },
  answerExample: capturedExample(),
});

export const activateScene: Note = () => ({
  ...commandNote(),
  answerWith: { 'dry_run=true': commandPlanSchema },
  description:
    'One command with a result for each value; `cause.scene` names the scene. A device that cannot be reached is one `failed` result. What the devices show already is not sent again: its result is `confirmed` with the reason `unchanged`. `POST /api/v1/command/{id}/undo` takes it back.',
  keptAt: '/api/v1/command',
  bodyExample: { transition_ms: 3000 },
  answerExample: {
    ...commandExample(),
    device: null,
    results: [{ device: 'living-room-lamp', ...commandExample().results[0] }],
  },
});
