import type { Note } from '#http/note/note.ts';
import { createAutomation } from '#http/automation/notes.ts';

const summaryExample = () => ({
  id: 'low-batteries',
  version: 1,
  name: 'Low batteries',
  description: 'Tells of each device whose battery runs low.',
  builtin: true,
});

export const listAutomationTemplates: Note = () => ({
  description:
    'Automations with holes, which people fill with their devices and numbers. Those that were imported come last.',
  answerExample: [summaryExample()],
});

export const getAutomationTemplate: Note = () => ({
  wordedId: true,
  description: 'Each input shows which devices of the home can be chosen for it.',
  answerExample: {
    ...summaryExample(),
    inputs: {
      below: { label: 'Low means below', kind: 'number', min: 1, max: 90, unit: 'percent', default: 15, fits: [] },
    },
    definition: {
      triggers: [{ type: 'threshold', any_of: { capability: 'battery' }, below: { input: 'below' } }],
      steps: [{ notify: { severity: 'warning', title: 'Low battery: {device.name}' } }],
    },
    step_kinds: ['notify'],
    used_by: [],
  },
});

const importExample = () => ({
  id: 'evening-lamp',
  version: 1,
  name: 'Evening lamp',
  description: 'Turns a lamp on at a time.',
  inputs: {
    lamp: { label: 'Lamp', kind: 'device', capability: 'on', writable: true },
    at: { label: 'At', kind: 'time', default: '19:00' },
  },
  definition: {
    triggers: [{ type: 'time', at: { input: 'at' } }],
    steps: [{ command: { targets: { devices: [{ input: 'lamp' }] }, set: { on: true } } }],
  },
});

export const importAutomationTemplate: Note = () => {
  const { inputs, ...rest } = importExample();
  return {
    description:
      'Takes a document as `GET /api/v1/automation_template/{id}` shows it. It is checked with examples in its holes. The same id with a higher version takes the place of the one before; automations made of that stay as they are until somebody brings them up to date. Automations made of an imported template are disabled unless `enabled` says otherwise. With `dry_run` nothing is kept.',
    problems: ['NAME_TAKEN', 'LIMIT_REACHED'],
    bodyExample: { inputs, ...rest },
    answerHeaders: { 201: ['Location'] },
    answerExample: {
      ...rest,
      builtin: false,
      inputs: { at: { ...inputs.at, fits: [] } },
      step_kinds: ['command'],
      used_by: [],
    },
  };
};

export const removeAutomationTemplate: Note = () => ({
  wordedId: true,
  description:
    'Automations that were made of it stay as they are and keep their link, so that they can be brought up to date when it is imported again. Those that come with the hub stay.',
  problems: ['NOT_SUPPORTED'],
});

export const instantiateAutomationTemplate: Note = () => {
  const { answerExample, answerHeaders } = createAutomation();
  return {
    wordedId: true,
    keptAt: '/api/v1/automation',
    description:
      'Makes an automation, which stays linked to the template, or brings one up to date (`automation`): that makes a version of it. With `dry_run` nothing is kept, and the answer shows what would be made and where it would differ. Texts of the hub’s own templates are written in the language of the hub.',
    ...(answerHeaders === undefined ? {} : { answerHeaders }),
    problems: ['LIMIT_REACHED', 'RIGHTS_MISSING', 'ROOM_NOT_FOUND', 'SENSITIVE_NOT_NAMED', 'SENSITIVE_NEEDS_CONDITION'],
    bodyExample: { inputs: { below: 20 } },
    answerExample,
  };
};

export const removeAutomationTemplateLink: Note = () => ({
  isInternal: true,
  requestHeaders: ['If-Match'],
  description: 'The automation stays as it is, and is shown as one of its own from then on.',
});
