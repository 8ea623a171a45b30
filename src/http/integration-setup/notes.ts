import type { Note } from '#http/note/note.ts';

const ID = '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11';
const running = { id: ID, kind: 'hue', status: 'running', integration: null, renewed: false, error: null };

export const createIntegrationSetup: Note = () => ({
  answerHeaders: { 201: ['Location'] },
  description:
    'A set-up is a conversation: each answer leads to the next `step`, until it is `done` or `failed`. The answer waits up to 2 s for the first step; `integration_setup.changed` events show each later one. It ends by itself after 15 minutes, and with the hub. A person has one for each kind: a new one ends the one before. At most eight run at the same time: the ninth ends the oldest of its person, and is refused if they have none. The thing at the other end decides whether it leads to a new integration or renews the one that is there.',
  problems: ['LIMIT_REACHED', 'NOT_FOUND', 'NOT_SUPPORTED'],
  bodyExample: { kind: 'hue' },
  answerExample: {
    ...running,
    step: {
      type: 'form',
      fields: {
        host: {
          type: 'host',
          label: 'Address of the bridge',
          hint: null,
          advanced: false,
          optional: false,
          default: null,
          default_port: 443,
        },
      },
      values: {},
      errors: [],
    },
  },
});

export const getIntegrationSetup: Note = () => ({
  description: 'Everybody who may manage the hub can see it. One that has ended can be read for some time.',
  answerExample: { ...running, step: { type: 'busy', text: 'Looking for the bridge.' } },
});

export const answerIntegrationSetup: Note = () => ({
  description:
    'Only the person who began can answer. The answer waits up to 2 s for the next step. Wrong values of a `form` bring the same form again, with `errors`. `SETUP_NOT_WAITING`: the set-up was answered already, works by itself, or is over.',
  problems: ['SETUP_NOT_WAITING'],
  bodyExample: { answer: { host: '192.168.1.20' } },
  answerExample: {
    ...running,
    step: {
      type: 'act',
      text: 'Press the round button on the bridge.',
      until: '2026-11-21T04:07:22.000Z',
      remaining_s: 60,
    },
  },
});

export const endIntegrationSetup: Note = () => ({
  description: 'Only the person who began can end it. One that is `done` is forgotten; its integration stays.',
});
