import { type Note, TAG_HEADERS } from '#http/note/note.ts';

export const userExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000001',
  email: 'ada@example.org',
  name: 'Ada',
  role: 'owner',
});

const ownExample = () => ({ ...userExample(), rooms: null, valid_until: null });

const accountExample = () => ({
  ...ownExample(),
  ended: false,
  revision: 1,
  created_at: '2026-11-21T04:06:22.000Z',
  updated_at: '2026-11-21T04:06:22.000Z',
});

const LIMITS =
  'A guest or resident can be limited. For a person with `rooms`, everything outside of them does not exist, in every call, list and event, and for API tokens too; devices without a room are outside. At `valid_until` the account closes: logins are refused like a wrong password, sessions and API tokens end. A later `valid_until`, or `null`, opens it for new logins. Hub time decides, which never goes back; while the hub is off, it ends accounts at its next start, and if its clock is late then, as soon as it is synchronised. A hub that does not know the time takes no `valid_until` (409 `CLOCK_NOT_SET`).';

const RANK = 'A caller can give only roles, and change only accounts, whose rights it has itself.';

export const updateMe: Note = () => ({
  ...TAG_HEADERS.change,
  description:
    'You log in with the e-mail address, so a new one needs `current_password`; wrong passwords slow further attempts down, as at a login. A new name needs no password.',
  problems: ['EMAIL_TAKEN', 'WRONG_PASSWORD', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
  bodyExample: { email: 'ada@home.example', current_password: 'a long and quiet evening' },
});

export const changePassword: Note = () => ({
  problems: ['WRONG_PASSWORD', 'WEAK_PASSWORD', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
  bodyExample: { current_password: 'a long and quiet evening', new_password: 'another long evening' },
});

export const checkPassword: Note = () => ({
  description:
    'Applies the rules for a new password and keeps nothing. `name` and `email` are those of the person who would use the password, by default the caller’s.',
  problems: ['WEAK_PASSWORD'],
  bodyExample: { password: 'another long evening' },
});

export const getMe: Note = () => ({
  answerHeaders: { 200: ['ETag'] },
  description: 'The person of the token. For an API token that is limited to rooms or devices, `email` is empty.',
  answerExample: {
    ...ownExample(),
    rights: ['device:read', 'device:control', 'event:read'],
    quiet_hours: { from: '22:00', to: '07:00' },
    language: 'de',
  },
});

const HOME_VIEW = {
  favorites: ['0198f1c2-7d6e-7000-8000-000000000020'],
  room_order: ['0198f1c2-7d6e-7000-8000-000000000010'],
  device_order: [],
  hidden: [],
};

export const getHomeView: Note = () => ({
  isInternal: true,
  description: 'What is removed, or what you may not see, is left out until it is there again.',
  answerExample: HOME_VIEW,
});

export const setHomeView: Note = () => ({
  isInternal: true,
  description:
    'Replaces all four lists. They are for the clients that you use, and change nothing for anybody else: a hidden device works as before.',
  bodyExample: HOME_VIEW,
  answerExample: HOME_VIEW,
});

export const listUsers: Note = () => ({
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag', 'X-Total-Count'], 304: ['ETag'] },
  answerExample: [accountExample()],
});

export const getUser: Note = () => ({
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
  answerExample: accountExample(),
});

export const createUser: Note = () => ({
  description: `${RANK} At most 1,000 accounts. ${LIMITS}`,
  answerHeaders: { 201: ['ETag', 'Location'] },
  problems: ['EMAIL_TAKEN', 'LIMIT_REACHED', 'WEAK_PASSWORD', 'OVERLOADED', 'CLOCK_NOT_SET'],
  bodyExample: { email: 'bo@example.org', name: 'Bo', role: 'resident', password: 'a long and quiet evening' },
  answerExample: { ...accountExample(), email: 'bo@example.org', name: 'Bo', role: 'resident' },
});

export const updateUser: Note = () => ({
  description: `${RANK} A new password ends all sessions of that person. Change your own password with \`POST /api/v1/me/password\` and your own e-mail address with \`PATCH /api/v1/me\`. The last owner stays an owner (409 \`LAST_OWNER\`). ${LIMITS}`,
  requestHeaders: ['If-Match'],
  answerHeaders: { 200: ['ETag'] },
  problems: ['EMAIL_TAKEN', 'LAST_OWNER', 'WEAK_PASSWORD', 'OVERLOADED', 'CLOCK_NOT_SET'],
  bodyExample: { role: 'admin' },
  answerExample: { ...accountExample(), role: 'admin', revision: 2 },
});

export const removeUser: Note = () => ({
  description: `Ends all sessions and API tokens of that person. ${RANK} The last owner cannot be removed (409 \`LAST_OWNER\`).`,
  requestHeaders: ['If-Match'],
  problems: ['LAST_OWNER'],
});
