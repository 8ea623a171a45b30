import type { Note } from '#http/note/note.ts';
import { userExample } from '#http/user/notes.ts';

export const apiTokenExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000003',
  name: 'Evening lights',
  kind: 'script',
  user: { id: userExample().id },
  scopes: ['device:read', 'event:read', 'device:control'],
  rooms: ['0198f1c2-7d6e-7000-8000-000000000010'],
  devices: null,
  networks: ['192.168.1.0/24'],
  provider: null,
  created_at: '2026-11-21T04:06:22.000Z',
  expires_at: null,
  last_used_at: '2026-11-21T05:00:00.000Z',
  last_address: '192.168.1.20',
});

export const listApiTokens: Note = () => ({
  answerHeaders: { 200: ['Link', 'X-Total-Count'] },
  description: 'Oldest first. After a crash, `last_used_at` may be an hour too old.',
  answerExample: [apiTokenExample()],
});

export const getApiToken: Note = () => ({
  description: 'One of your tokens or, with the right `user:manage`, any token.',
  answerExample: apiTokenExample(),
});

export const createApiToken: Note = () => ({
  description: [
    'For scripts that run for years. Send its text as `Authorization: Bearer`, like an access token. Only this answer shows the text; the hub keeps its SHA-256.',
    'At each use the hub checks what the token may do: what its scopes name, and never more than its person may do at that moment. It ends with the account, not with a new password.',
    'Either `scopes` or a `preset`: `read_only` is `device:read` and `event:read`, with `history:read`, `notification:read` and `automation:read` as far as you have them and the token is not limited; `control` is `device:read`, `event:read`, `device:control` and `scene:run`; `manage` adds `device:manage`, `room:manage`, `system:read` and `scene:manage` to that; `everything_but_doors` is all that you may do, but for the following three. Locks, garages, alarms and valves need `device:control_sensitive`; a script that is an integration needs `device:provide`; a script that copies backups elsewhere needs `backup:create`. No preset has these.',
    '`rooms` and `devices` (ids or selectors, at most 100 each) limit the scopes `device:…` and `event:read` to these devices and to those that are in these rooms at the moment; the token sees nothing else. Calls about the whole home are then refused with 403.',
    '`networks` are subnets such as `192.168.1.0/24`. The socket address of the client must belong to one of them; from elsewhere the answer is 403 `NETWORK_REFUSED`, not 401, because a new token would not help. `expires_in` is in seconds; without it the token is valid until somebody revokes it.',
    'The scope `device:provide` makes a script an integration of its own, with devices of its own: `provider` is the name for which it may do that. Such a token is refused for any other name.',
    'At most 64 tokens for each person. A right that the caller does not have is refused with 403.',
  ].join('\n\n'),
  answerHeaders: { 201: ['Location'] },
  problems: ['LIMIT_REACHED', 'NOT_FOUND'],
  bodyExample: { name: 'Evening lights', preset: 'control', rooms: ['kitchen'], networks: ['192.168.1.0/24'] },
  answerExample: { ...apiTokenExample(), last_used_at: null, last_address: null, token: 'hat_…' },
});

export const revokeApiToken: Note = () => ({
  description:
    'Its event streams end within 5 s. Its commands that the hub has not sent yet are not sent. A caller cannot revoke the token of a person who may do more.',
});
