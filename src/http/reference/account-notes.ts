import type { OperationNote } from './note.ts';

const user = {
  id: '0198f1c2-7d6e-7000-8000-000000000001',
  email: 'ada@example.org',
  name: 'Ada',
  role: 'owner',
};
const account = {
  ...user,
  revision: 1,
  created_at: '2026-11-21T04:06:22.000Z',
  updated_at: '2026-11-21T04:06:22.000Z',
};
const signedIn = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…',
  refresh_token: 'hrt_…',
  token_type: 'Bearer',
  expires_in: 86_400,
  refresh_expires_in: 2_592_000,
  session_id: '0198f1c2-7d6e-7000-8000-000000000002',
  user,
};
const backup = {
  id: '20261121T040622Z-manual',
  kind: 'manual',
  created_at: '2026-11-21T04:06:22.000Z',
  size: 229_376,
};
const auditEntry = {
  id: '1042',
  type: 'login.failed',
  at: '2026-11-21T04:06:22.000Z',
  first_at: '2026-11-21T04:06:02.000Z',
  wall_at: '2026-11-21T04:06:22.000Z',
  epoch: '0',
  count: 3,
  peer: '192.168.1.20',
  user_id: user.id,
  actor_id: null,
  session: null,
  api_token: null,
  detail: null,
};

const RANK = 'Nobody can give a role, or touch an account with one, that has a right which the caller has not.';

const apiToken = {
  id: '0198f1c2-7d6e-7000-8000-000000000003',
  name: 'Evening lights',
  user: { id: user.id },
  scopes: ['device:read', 'event:read', 'device:control'],
  rooms: ['0198f1c2-7d6e-7000-8000-000000000010'],
  devices: null,
  networks: ['192.168.1.0/24'],
  created_at: '2026-11-21T04:06:22.000Z',
  expires_at: null,
  last_used_at: '2026-11-21T05:00:00.000Z',
  last_address: '192.168.1.20',
};

/** Notes on people, their sessions and the hub itself. */
export const ACCOUNT_NOTES: Readonly<Record<string, OperationNote>> = {
  'GET /api': {
    description: 'Tells a client before it has a token what answers here, whether it has an owner, and what it speaks.',
    answerExample: {
      product: 'hearthd',
      version: '0.1.0',
      hub_id: '0198f1c2-7d6e-7000-8000-000000000000',
      name: 'Home',
      claimed: true,
      api: [{ version: 'v1', status: 'current', sunset: null }],
    },
  },
  'GET /api/v1/health': {
    description:
      'The status alone without a token; all else needs the right `system:read`. `degraded`: it answers, but something of it needs a person; of an integration that is one in safe mode, or one whose list of devices was refused.',
    answerExample: { status: 'ok' },
  },
  'GET /api/v1/system/info': {
    description:
      'Answers also while the storage does not. `synced` is whether the clock of the machine was set by a time service since it started; `null` is what the machine does not tell.',
    answerExample: {
      version: '0.1.0',
      uptime_seconds: 864_000,
      memory_bytes: 92_000_000,
      machine: {
        hostname: 'hub',
        model: 'Raspberry Pi 4 Model B Rev 1.5',
        architecture: 'arm64',
        operating_system: 'Debian GNU/Linux 13 (trixie)',
        kernel: '6.12.48+deb13-arm64',
        node: 'v20.19.2',
        processors: 4,
        memory_bytes: 4_047_093_760,
        uptime_seconds: 864_020,
      },
      addresses: ['http://192.168.1.20:80'],
      clock: { now: '2026-11-21T04:06:22.000Z', synced: true },
      disk: { free_bytes: 25_000_000_000, total_bytes: 31_000_000_000 },
    },
  },
  'POST /api/v1/setup': {
    description:
      'Only while the hub has no owner. The claim code is shown on the console, in the journal and by `hearthd claim`; case and hyphens do not matter. `client_name` and `rotate` are those of a login.',
    problems: ['ALREADY_CLAIMED', 'INVALID_CLAIM_CODE', 'WEAK_PASSWORD', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
    bodyExample: { claim_code: '7KQ2-M4XD', email: user.email, password: 'a long and quiet evening', name: 'Ada' },
    answerExample: signedIn,
  },
  'POST /api/v1/login': {
    description:
      'Fields that it does not know are ignored. With `rotate` every refresh gives a new refresh token and ends the old one; without it the refresh token stays the same for its 30 days. `client_token`, an earlier refresh token of this user, only marks a known client when many wrong passwords arrive.',
    problems: ['INVALID_CREDENTIALS', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
    bodyExample: { email: user.email, password: 'a long and quiet evening' },
    answerExample: signedIn,
  },
  'POST /api/v1/access_token': {
    description:
      'Fields that it does not know are ignored. A rotating session gets its next `refresh_token` too; asking again with the last one gives the same.',
    problems: ['INVALID_REFRESH_TOKEN', 'TOO_MANY_REQUESTS'],
    bodyExample: { refresh_token: 'hrt_…' },
    answerExample: {
      access_token: signedIn.access_token,
      token_type: 'Bearer',
      expires_in: 86_400,
      refresh_expires_in: 2_591_000,
    },
  },
  'GET /api/v1/openapi.json': {
    description: 'OpenAPI 3.1. Answers before the hub has an owner, too.',
    requestHeaders: ['If-None-Match'],
    answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
  },
  'PATCH /api/v1/me': {
    description:
      'The e-mail address is what one logs in with: another one needs `current_password`, whose tries are slowed down as those of a login are. The name alone needs none.',
    problems: ['EMAIL_TAKEN', 'WRONG_PASSWORD', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
    bodyExample: { email: 'ada@home.example', current_password: 'a long and quiet evening' },
  },
  'POST /api/v1/me/password': {
    problems: ['WRONG_PASSWORD', 'WEAK_PASSWORD', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
    bodyExample: { current_password: 'a long and quiet evening', new_password: 'another long evening' },
  },
  'POST /api/v1/me/password/check': {
    description:
      'Judged as it would be where it is set, and nothing is kept of it. `name` and `email` are those of the person whose password it is to be; without them, the caller’s.',
    problems: ['WEAK_PASSWORD'],
    bodyExample: { password: 'another long evening' },
  },
  'GET /api/v1/me': {
    description: 'Who the token belongs to. An API token that is limited to rooms or devices gets an empty `email`.',
    answerExample: user,
  },
  'GET /api/v1/user': {
    requestHeaders: ['If-None-Match'],
    answerHeaders: { 200: ['ETag', 'X-Total-Count'], 304: ['ETag'] },
    answerExample: [account],
  },
  'GET /api/v1/user/:id': {
    requestHeaders: ['If-None-Match'],
    answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
    answerExample: account,
  },
  'POST /api/v1/user': {
    description: `${RANK} At most 1,000 accounts.`,
    answerHeaders: { 201: ['ETag', 'Location'] },
    problems: ['EMAIL_TAKEN', 'LIMIT_REACHED', 'WEAK_PASSWORD', 'OVERLOADED'],
    bodyExample: { email: 'bo@example.org', name: 'Bo', role: 'resident', password: 'a long and quiet evening' },
    answerExample: { ...account, email: 'bo@example.org', name: 'Bo', role: 'resident' },
  },
  'PATCH /api/v1/user/:id': {
    description: `${RANK} A new password ends all sessions of that person; the own one is changed with \`POST /api/v1/me/password\`, and the own e-mail address with \`PATCH /api/v1/me\`. The last owner stays one (409 \`LAST_OWNER\`).`,
    requestHeaders: ['If-Match'],
    answerHeaders: { 200: ['ETag'] },
    problems: ['EMAIL_TAKEN', 'LAST_OWNER', 'WEAK_PASSWORD', 'OVERLOADED'],
    bodyExample: { role: 'admin' },
    answerExample: { ...account, role: 'admin', revision: 2 },
  },
  'DELETE /api/v1/user/:id': {
    description: `Ends all sessions and API tokens of that person. ${RANK} The last owner stays (409 \`LAST_OWNER\`).`,
    requestHeaders: ['If-Match'],
    problems: ['LAST_OWNER'],
  },
  'GET /api/v1/api_token': {
    description: 'In the order in which they were made. `last_used_at` may be an hour older after a crash.',
    queryDescriptions: { all: 'Those of all people; needs the right `user:manage`.' },
    answerExample: [apiToken],
  },
  'GET /api/v1/api_token/:id': {
    description: 'An own one, or with the right `user:manage` any.',
    answerExample: apiToken,
  },
  'POST /api/v1/api_token': {
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
    answerExample: { ...apiToken, last_used_at: null, last_address: null, token: 'hat_…' },
  },
  'DELETE /api/v1/api_token/:id': {
    description:
      'Its event streams end within 5 s, and what it asked for and was not sent yet will not be. One of somebody who may do more than the caller is refused.',
  },
  'GET /api/v1/hub': { description: 'The id stays; the name is for people.' },
  'PATCH /api/v1/hub': { bodyExample: { name: 'Summer house' } },
  'GET /problems': { description: 'The `code` and `type` of every problem that the hub answers with.' },
  'GET /problems/:code': {
    description: 'What the `type` of a problem leads to.',
  },
  'GET /api/v1/audit': {
    description:
      '`user_id` is whose account it was about and, unless `actor_id` names another, who did it; `session` is the beginning of the id of their session, `api_token` the id of their API token. `command.given` is what was told to a lock, garage, alarm or valve. What strangers can cause and what accounts do are kept apart, some thousand entries each, and of a crowded part the oldest of whoever has the most goes first. Equal events that come fast are one entry with a `count`, the last at `at`, the first at `first_at`. `wall_at` is null where the clock of the machine was not synchronised.',
    queryDescriptions: { types: 'Only these types.', cursor: 'From the `Link` of the page before.' },
    answerHeaders: { 200: ['Link', 'X-Total-Count'] },
    answerExample: [auditEntry],
  },
  'GET /api/v1/backup': { answerExample: [backup] },
  'POST /api/v1/backup': { answerHeaders: { 201: ['Location'] }, answerExample: backup },
  'GET /api/v1/backup/:id': {
    description: 'The backup is read and checked whole for this, as it is before a restore.',
    problems: ['INVALID_BACKUP', 'STORAGE_FULL', 'STORAGE_UNAVAILABLE'],
    answerExample: { ...backup, content: { people: 3, rooms: 5, devices: 56, hub_version: '0.1.0' } },
  },
  'GET /api/v1/backup/:id/content': {
    answerTypes: ['application/vnd.sqlite3'],
    answerHeaders: { 200: ['Content-Disposition'] },
  },
  'POST /api/v1/backup/restore': {
    description:
      'The file is checked whole before anything changes. One is taken at a time (503 meanwhile). At most 256 MiB, which may take 10 min to arrive, 10 s for each 64 KiB; else 408. Everything is as it was then, people and roles too, but for three things: passwords of people who are there now stay as they are, API tokens that were revoked since (or whose person was removed since) do not come back, and the audit log goes on. With the backup of another hub this one takes over its id: access tokens are not valid any more then, but the refresh token of the session that stays gives a new one.',
    upload: ['application/vnd.sqlite3', 'application/octet-stream'],
    problems: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_BACKUP', 'OVERLOADED'],
  },
  'POST /api/v1/backup/:id/restore': {
    description: 'One that the hub keeps, without a body. All else is as with an uploaded file.',
    problems: ['INVALID_BACKUP', 'OVERLOADED'],
  },
};
