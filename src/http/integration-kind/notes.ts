import type * as z from 'zod/mini';
import type { Note } from '#http/note/note.ts';
import type { integrationKindSchema } from './json.ts';

const hueExample = {
  id: 'hue',
  name: 'Philips Hue',
  about: 'Lights and sensors of a Hue bridge.',
  instances: 'many',
  discovered: true,
  can_set_up: true,
  pairing_hint: 'Switch a new lamp on. The bridge searches for about a minute.',
  removal_hint: null,
  help: [],
  settings: {
    host: {
      type: 'host',
      label: 'Address of the bridge',
      hint: null,
      advanced: false,
      optional: false,
      default: null,
      default_port: 443,
    },
    key: {
      type: 'secret',
      label: 'Key',
      hint: 'The bridge gives it during the set-up.',
      advanced: false,
      optional: false,
      default: null,
      bound_to: 'host',
    },
  },
} satisfies z.infer<typeof integrationKindSchema>;

export const listIntegrationKinds: Note = () => ({
  description:
    'What this version of the hub can speak to. `settings` describes the form of each kind; its labels are English.',
  answerExample: [hueExample],
});
