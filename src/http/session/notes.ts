import type { Note } from '#http/note/note.ts';
import { userExample } from '#http/user/notes.ts';

const signedInExample = () => ({
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…',
  refresh_token: 'hrt_…',
  token_type: 'Bearer',
  expires_in: 86_400,
  refresh_expires_in: 2_592_000,
  session_id: '0198f1c2-7d6e-7000-8000-000000000002',
  user: userExample(),
});

export const setUpHub: Note = () => ({
  description:
    'Only while the hub has no owner. The console, the journal and `hearthd claim` show the claim code; case and hyphens do not matter. `client_name` and `rotate` are as in a login.',
  problems: ['ALREADY_CLAIMED', 'INVALID_CLAIM_CODE', 'WEAK_PASSWORD', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
  bodyExample: {
    claim_code: '7KQ2-M4XD',
    email: userExample().email,
    password: 'a long and quiet evening',
    name: 'Ada',
  },
  answerExample: signedInExample(),
});

export const login: Note = () => ({
  description:
    'The hub ignores unknown fields. With `rotate`, every refresh gives a new refresh token and ends the old one; without it, the refresh token stays the same for its 30 days. `client_token`, an earlier refresh token of this user, marks a known client, which wrong passwords from others do not slow down.',
  problems: ['INVALID_CREDENTIALS', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
  bodyExample: { email: userExample().email, password: 'a long and quiet evening' },
  answerExample: signedInExample(),
});

export const refreshAccessToken: Note = () => ({
  description:
    'Also as the form of OAuth (`grant_type=refresh_token&refresh_token=…`), or without a body and with the refresh token as the bearer. The hub ignores unknown fields. A rotating session also gets its next `refresh_token`; a client that repeats the call with the previous one gets the same answer.',
  problems: ['INVALID_REFRESH_TOKEN', 'TOO_MANY_REQUESTS'],
  bodyExample: { refresh_token: 'hrt_…' },
  answerExample: {
    access_token: signedInExample().access_token,
    token_type: 'Bearer',
    expires_in: 86_400,
    refresh_expires_in: 2_591_000,
  },
});

export const listSessions: Note = () => ({ answerHeaders: { 200: ['Link', 'X-Total-Count'] } });
