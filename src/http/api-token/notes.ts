import type { Note } from '#http/reference/note.ts';
import { userExample } from '#http/user/notes.ts';

const apiTokenExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000003',
  name: 'Evening lights',
  user: { id: userExample().id },
  scopes: ['device:read', 'event:read', 'device:control'],
  rooms: ['0198f1c2-7d6e-7000-8000-000000000010'],
  devices: null,
  networks: ['192.168.1.0/24'],
  created_at: '2026-11-21T04:06:22.000Z',
  expires_at: null,
  last_used_at: '2026-11-21T05:00:00.000Z',
  last_address: '192.168.1.20',
});

export const listApiTokens: Note = () => ({
  description: 'In the order in which they were made. `last_used_at` may be an hour older after a crash.',
  queryDescriptions: { all: 'Those of all people; needs the right `user:manage`.' },
  answerExample: [apiTokenExample()],
});

export const getApiToken: Note = () => ({
  description: 'An own one, or with the right `user:manage` any.',
  answerExample: apiTokenExample(),
});

export const createApiToken: Note = () => ({
  description: [
    'For scripts that run for years. Its text is sent as `Authorization: Bearer`, as an access token is; it is in this answer and nowhere else, the hub keeps its SHA-256.',
    'What it may do is judged at each use: what its scopes name, and never more than its person may at that moment; it ends with the account. A new password does not end it.',
    'Either `scopes` or a `preset`: `read_only` is `device:read` and `event:read`; `control` adds `device:control`; `manage` adds `device:manage`, `room:manage` and `system:read`. Locks, garages, alarms and valves need `device:control_sensitive`, which is in no preset.',
    '`rooms` and `devices` (ids or selectors, at most 100 each) limit the scopes `device:…` and `event:read` to what is in these rooms at the moment, and to these devices; all else is as if it were not there. Calls about the whole home are refused then, 403.',
    '`networks` are subnets like `192.168.1.0/24` to which the socket address of the client must belong: from elsewhere 403 `NETWORK_REFUSED`, for a new token would not help (RFC 6750 has 401 for those). `expires_in` is in seconds; without it the token is good until it is revoked.',
    'At most 64 for each person. A right that the caller has not is refused, 403.',
  ].join('\n\n'),
  answerHeaders: { 201: ['Location'] },
  problems: ['LIMIT_REACHED', 'NOT_FOUND'],
  bodyExample: { name: 'Evening lights', preset: 'control', rooms: ['kitchen'], networks: ['192.168.1.0/24'] },
  answerExample: { ...apiTokenExample(), last_used_at: null, last_address: null, token: 'hat_…' },
});

export const revokeApiToken: Note = () => ({
  description:
    'Its event streams end within 5 s, and what it asked for and was not sent yet will not be. One of somebody who may do more than the caller is refused.',
});
