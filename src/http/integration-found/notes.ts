import type * as z from 'zod/mini';
import type { Note } from '#http/note/note.ts';
import type { foundSchema } from './json.ts';

const foundExample = {
  id: '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11',
  kind: 'hue',
  name: 'Hue Bridge - 4B0A12',
  address: '192.168.1.20',
  ignored: false,
  found_at: '2026-11-21T04:06:22.000Z',
} satisfies z.infer<typeof foundSchema>;

export const listFoundIntegrations: Note = () => ({
  description:
    'What announces itself in the network, is of a known kind and is no integration yet: at most 200. `integration.found` events show what comes, changes and goes.',
  answerExample: [foundExample],
});

export const ignoreFoundIntegration: Note = () => ({
  description: 'It stays hidden from the list, also after a restart, until it is restored. It can still be set up.',
  answerExample: { ...foundExample, ignored: true },
});

export const restoreFoundIntegration: Note = () => ({
  isInternal: true,
  description: 'It is in the list again. One that is not ignored stays as it is.',
  answerExample: foundExample,
});
