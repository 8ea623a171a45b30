import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';
import { roomReferenceExample } from '#http/room/notes.ts';

const TIME = '2026-11-21T19:30:00.000Z';
const MOTION = { id: '0198f1c2-7d6e-7000-8000-000000000022', selector: 'hall-motion', name: 'Hall motion' };
const LAMP = { id: '0198f1c2-7d6e-7000-8000-000000000020', selector: 'kitchen-ceiling', name: 'Kitchen ceiling' };
const SIGNER = {
  user: { id: '0198f1c2-7d6e-7000-8000-000000000001', name: 'Ada' },
  via: { type: 'session', id: '0198f1c2-7d6e-7000-8000-000000000002' },
};

const summaryExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000060',
  selector: 'light-at-night',
  name: 'Light at night',
  description: 'For those who get up.',
  room: roomReferenceExample(),
  labels: ['light'],
  enabled: true,
  state: 'ready',
  state_reason: null,
  acts_as: { ...SIGNER, signed_at: TIME },
  version: 7,
  revision: 12,
  created_at: TIME,
  updated_at: TIME,
  deleted_at: null,
});
const listedExample = () => ({
  ...summaryExample(),
  last_run: { id: '0198f1c2-7d6e-7000-8000-000000000061', at: TIME, outcome: 'finished' },
  next_at: '2026-11-22T21:00:00.000Z',
  running: 0,
  counts: { today: { runs: 4, not_met: 2, skipped: 0, failed: 0 } },
});
const definitionExample = () => ({
  mode: { kind: 'restart', max: 1 },
  yield_to_hand_s: 1800,
  release_on_mode: false,
  durable: 'auto',
  on_broken: 'stop',
  limits: 'usual',
  allow_sensitive: [],
  variables: { level: 30 },
  triggers: [{ id: 't1', type: 'feature', device: MOTION, key: 'motion', to: true }],
  conditions: [{ time: { after: '22:00', before: '06:00' } }],
  steps: [
    { id: 's1', command: { targets: { devices: [LAMP] }, set: { on: true, brightness: { variable: 'level' } } } },
    { id: 's2', delay: { s: 180 } },
    { id: 's3', command: { targets: { devices: [LAMP] }, set: { on: false } } },
  ],
});
const automationExample = () => ({
  ...listedExample(),
  ...definitionExample(),
  template: null,
  created_by: SIGNER.user,
  hooks: [],
  sensitive: false,
  devices_used: [MOTION, LAMP],
});
const savedExample = () => ({ ...automationExample(), warnings: [] });
const bodyExample = () => ({
  mode: { kind: 'restart' },
  triggers: [{ type: 'time', at: '22:00' }],
  conditions: [{ feature: { device: 'kitchen-ceiling', key: 'on', is: true } }],
  steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { brightness: 30 } } }],
});
const lineExample = () => ({
  version: 7,
  at: TIME,
  by: SIGNER.user,
  via: SIGNER.via,
  note: 'Longer',
  reverted_to: null,
  pointers: ['/steps/1/delay/s'],
});
const firingExample = () => ({ at: '2026-11-22T21:00:00.000Z', trigger: 't1', dst: 'none' });

const SAVED = [
  'LIMIT_REACHED',
  'ROOM_NOT_FOUND',
  'RIGHTS_MISSING',
  'SENSITIVE_NOT_NAMED',
  'SENSITIVE_NEEDS_CONDITION',
] as const;
const OWN = 'A resident may change only what residents made themselves.';
const FORM =
  'What it names is an id, a selector, or what an answer showed in its place. Each fault is answered with a JSON pointer to it. What is only odd is saved, with a warning.';

export const listAutomations: Note = () => ({
  ...LIST_HEADERS,
  description: 'By name, without what they do. `deleted=true` lists the trash.',
  answerExample: [listedExample()],
});

export const getAutomation: Note = () => ({ ...READ_HEADERS, answerExample: automationExample() });

export const createAutomation: Note = () => ({
  description: `It acts with the rights of its caller, at each moment in which it does something. ${FORM} Something sensitive moves only if \`allow_sensitive\` names it and the caller has \`device:control_sensitive\`.`,
  answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
  problems: [...SAVED],
  bodyExample: { name: 'Light at night', labels: ['light'], ...bodyExample() },
  answerExample: { ...savedExample(), version: 1, revision: 1 },
});

export const setAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: `A version is made if it then does something else, and the caller becomes the one with whose rights it acts. Name, description, room and labels stay as they are where they are absent. ${FORM} ${OWN}`,
  problems: [...SAVED],
  bodyExample: { note: 'Darker', ...bodyExample() },
  answerExample: savedExample(),
});

export const updateAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: `Each member that is there takes the place of the whole old one. A change of name, description, room, labels or \`enabled\` makes no version. ${OWN}`,
  problems: [...SAVED],
  bodyExample: { name: 'Light by night', labels: ['light', 'night'] },
  answerExample: { ...savedExample(), name: 'Light by night' },
});

export const removeAutomation: Note = () => ({
  requestHeaders: ['If-Match'],
  description: `It stays in the trash for 30 days. ${OWN}`,
});

const OPENS =
  'One that moves sensitive devices, itself or by others that its steps run or enable, needs the right `device:control_sensitive` too.';

export const enableAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: OPENS,
  answerExample: automationExample(),
});

export const disableAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: 'Its runs end.',
  answerExample: { ...automationExample(), enabled: false, state: 'disabled' },
});

export const signAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: `It is suspended no more. \`changed_hands\` says what acts for the caller from now on. Requests stay those of the people who wrote them: only what owners wrote may reach the hub itself. ${OWN}`,
  problems: ['RIGHTS_MISSING'],
  answerExample: automationExample(),
});

export const restoreAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: `${OWN} ${OPENS}`,
  problems: ['LIMIT_REACHED'],
  answerExample: automationExample(),
});

export const listAutomationVersions: Note = () => ({
  description: 'Newest first: the last hundred, the first, and those that were taken again.',
  answerExample: [lineExample()],
});

export const getAutomationVersion: Note = () => ({
  answerExample: { ...lineExample(), definition: definitionExample() },
});

export const getAutomationDiff: Note = () => ({
  isInternal: true,
  description:
    'From this version to another one; without `to`, to the present one. Values have the ids of what they name.',
  answerExample: { from: 6, to: 7, changes: [{ pointer: '/steps/1/delay/s', from: 120, to: 180 }] },
});

export const revertAutomation: Note = () => ({
  ...CHANGE_HEADERS,
  description: `Makes a new version with what the old one did, which acts with the rights of the caller. ${OWN}`,
  problems: ['RIGHTS_MISSING', 'SENSITIVE_NOT_NAMED', 'SENSITIVE_NEEDS_CONDITION'],
  bodyExample: { version: 1, note: 'It was better' },
  answerExample: { ...savedExample(), version: 8 },
});

export const getAutomationSchema: Note = () => ({
  description: 'For editors: JSON Schema 2020-12 of `triggers`, `conditions`, `steps` and what stands beside them.',
  answerExample: { type: 'object', required: ['triggers', 'steps'] },
});

export const validateAutomation: Note = () => ({
  description: `Answers what \`POST /api/v1/automation\` would refuse, warn of, and when it would start next. \`automation\` names one that the document is to take the place of. ${FORM}`,
  problems: ['NOT_FOUND', 'SENSITIVE_NOT_NAMED', 'SENSITIVE_NEEDS_CONDITION'],
  bodyExample: bodyExample(),
  answerExample: { next: [firingExample()], warnings: [], rights_lost: [] },
});

export const getAutomationNext: Note = () => ({
  description:
    'Of its times of the clock and of the sun, whether it is enabled or not. Coming times of the sun tell where the home is: callers without `hub:manage` get none, here and as `next_at`. When it ran, everybody sees who may see the runs.',
  answerExample: { next: [firingExample()], waits_for: 'none' },
});

export const replaceDevice: Note = () => ({
  description:
    'Puts another device into all scenes, groups and automations that name the first one, which may be gone: all of them or none. 422 names what the second device cannot do, by a pointer such as `/automations/hall-light/steps/0/command/set/brightness`. Each needs the rights that saving it needs, and 403 changes nothing; automations act with the rights of the caller from then on. 412 if one of them was changed meanwhile. Rooms and selections choose devices by themselves and stay as they are.',
  bodyExample: { from: 'kitchen-ceiling', to: 'living-room-lamp', dry_run: true },
  problems: ['VALIDATION_FAILED', 'FORBIDDEN', 'RIGHTS_MISSING', 'PRECONDITION_FAILED', 'LIMIT_REACHED'],
  answerExample: {
    automations: [{ id: listedExample().id, selector: 'hall-light', name: 'Hall light' }],
    scenes: [],
    groups: [],
    keys: { missing: ['color_temperature'], changed: [], added: ['power'] },
  },
});

export const startAutomation: Note = () => ({
  description:
    'It acts with the rights of the person who signed it. One that moves sensitive devices, itself or by others that its steps run or enable, can be started only by callers with the right `device:control_sensitive`.\n\nWith `dry_run` nothing happens, and the answer says what would: the way that it goes with the present values, and each command, checked against the device and the rights of that person as they are now. Waits are skipped, and devices are taken to answer. It works whatever the state of the automation, and needs the right `automation:read` for the whole home, and sight of all that the automation looks at.',
  problems: ['AUTOMATION_NOT_READY', 'VALIDATION_FAILED'],
  bodyExample: { skip_conditions: true },
  answerExample: { run: '0198f1c27d6e-7000-8000-000000000001' },
});

export const resumeAutomations: Note = () => ({
  description:
    'Where the hub ended three times within an hour while it dealt with automations, it starts without running any: `put_off` of its health has `automations`. Find out which one it is, disable or remove it, then make this call. It does nothing where they run.',
});

export const stopAutomation: Note = () => ({
  answerHeaders: CHANGE_HEADERS.answerHeaders,
  description: 'What their commands did stays. It starts again with its next trigger.',
  answerExample: automationExample(),
});

export const resetAutomation: Note = () => ({
  answerHeaders: CHANGE_HEADERS.answerHeaders,
  description: 'Without this call it runs again after a time that grows with each trip. See `state_reason`.',
  answerExample: automationExample(),
});

export const startAutomationByHook: Note = () => ({
  description:
    'Programs without an account send the secret of the hook in the header `Hearthd-Hook`, and no token. A wrong secret and an unknown hook have the same answer. A hook takes 5 calls a second. The body, an object of at most 16 KiB, must fit the JSON Schema `accepts` of the trigger.',
  bodyExample: { visitor: 'post' },
  answerExample: { run: '0198f1c2-7d6e-7000-8000-000000000061', reason: null },
});

export const setAutomationHookSecret: Note = () => ({
  isInternal: true,
  description: `The one before is valid no longer. The hub keeps only a hash. A secret ends with its hook, with its automation, and when the person who made it may no longer change the automation. ${OWN}`,
  problems: ['LIMIT_REACHED'],
  answerExample: { secret: 'hhk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
});

export const removeAutomationHookSecret: Note = () => ({
  isInternal: true,
  description: `With an account the hook can still be called. ${OWN}`,
});
