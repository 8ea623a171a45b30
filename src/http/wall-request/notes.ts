import { apiTokenExample } from '#http/api-token/notes.ts';
import type { Note } from '#http/note/note.ts';

export const createWallRequest: Note = () => ({
  description: [
    'For a screen on the wall that should show the home without anybody typing on it, as in RFC 8628. It shows the six digits, and a QR code that leads a telephone to `/wall_allow?code=…` of the page. A person who is logged in allows it there; the screen asks `GET /api/v1/wall_request/{id}` every few seconds, and gets an API token.',
    'It ends after 300 s. An address asks once a minute and has one open at a time: a newer one takes the place of its older one. Three may be open in all; then an address that asked more often gives way, where those of one IPv6 network (/64) count together. Beyond that the answer is 429 with `Retry-After`.',
  ].join('\n\n'),
  problems: ['TOO_MANY_REQUESTS'],
  answerHeaders: { 201: ['Location'] },
  bodyExample: { name: 'Kitchen tablet' },
  answerExample: { id: '0198f1c2-7d6e-7000-8000-000000000009', secret: '…', code: '493027', expires_in: 300 },
});

export const getWallRequest: Note = () => ({
  requestHeaders: ['Hearthd-Wall'],
  description:
    'The header `Hearthd-Wall` has the secret. An unknown id, one that has ended and a wrong secret have the same answer, 404: ask anew. `HEAD` hands nothing over.',
  answerExample: { state: 'allowed', token: 'hat_…' },
});

const COUNTED =
  'Digits that no screen shows count as a wrong password of the caller, and slow further tries of this login down.';

export const getWallQuestion: Note = () => ({
  description: `Look at it before you allow it. ${COUNTED}`,
  problems: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  answerExample: { name: 'Kitchen tablet', address: '192.168.1.30', expires_in: 212 },
});

export const allowWallRequest: Note = () => ({
  keptAt: '/api/v1/api_token',
  answerHeaders: { 201: ['Location'] },
  description: [
    'Makes an API token of the kind `wall`, which belongs to the caller and does never more than they may do; the screen gets its text, this answer does not have it. It does without the past, notifications, automations and modes where the caller has no right to them, and without the last two where `rooms` are named.',
    COUNTED,
  ].join('\n\n'),
  problems: ['LIMIT_REACHED'],
  bodyExample: { rooms: null, rights: 'control' },
  answerExample: { ...apiTokenExample(), name: 'Kitchen tablet', kind: 'wall', last_used_at: null, last_address: null },
});

export const refuseWallRequest: Note = () => ({
  description: `The screen learns that it was refused. ${COUNTED}`,
});
