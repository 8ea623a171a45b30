import type { Note } from '#http/note/note.ts';
import { CHANGE_HEADERS, READ_HEADERS } from '#http/note/note.ts';

const personExample = () => ({
  user: { id: '0198f1c2-7d6e-7000-8000-000000000030', name: 'Ada' },
  state: 'away',
  evidence: 'told',
  since: '2026-11-21T04:06:22.000Z',
  away_after_s: 900,
  sources: [{ device: '0198f1c2-7d6e-7000-8000-000000000001', key: 'presence' }],
  revision: 7,
});

export const getPresence: Note = () => ({
  ...READ_HEADERS,
  description:
    'Somebody is `home` as soon as one source says so, and `away` after a time in which none said the opposite. A guest sees `anyone` alone.',
  answerExample: { anyone: 'away', people: [personExample()] },
});

export const getPersonPresence: Note = () => ({ ...READ_HEADERS, answerExample: personExample() });

export const reportPresence: Note = () => ({
  description:
    'For a button, a page, or a phone with an API token that has `presence:tell`. `home` counts at once; `away` after the person’s `away_after_s`, unless a device says the opposite.',
  bodyExample: { state: 'home' },
  answerExample: { ...personExample(), state: 'home' },
});

export const updatePresence: Note = () => ({
  ...CHANGE_HEADERS,
  bodyExample: { away_after_s: 600, sources: [{ device: 'hall-tag', key: 'presence' }] },
  answerExample: { ...personExample(), away_after_s: 600 },
});
