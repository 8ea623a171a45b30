import { type Note, TAG_HEADERS } from '#http/note/note.ts';
import { userExample } from '#http/user/notes.ts';

const backupExample = () => ({
  id: '20261121T040622Z-manual',
  kind: 'manual',
  created_at: '2026-11-21T04:06:22.000Z',
  size: 229_376,
});

const auditEntryExample = () => ({
  id: '1042',
  type: 'login.failed',
  at: '2026-11-21T04:06:22.000Z',
  first_at: '2026-11-21T04:06:02.000Z',
  wall_at: '2026-11-21T04:06:22.000Z',
  epoch: '0',
  count: 3,
  peer: '192.168.1.20',
  user_id: userExample().id,
  actor_id: null,
  session: null,
  api_token: null,
  detail: null,
});

export const getHealth: Note = () => ({
  optionalRight: 'system:read',
  description:
    'Without a token the answer has only the status; the rest needs the right `system:read`. `degraded`: the hub works, but something needs a person, for example an integration in safe mode, or one whose list of devices the hub refused.',
  answerExample: { status: 'ok' },
});

export const getSystemInfo: Note = () => ({
  description:
    'Answers even while the storage does not. `synced` shows whether a time service has set the clock of the machine since it started. `null` stands for what the machine does not report.',
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
});

export const getHub: Note = () => ({
  answerHeaders: { 200: ['ETag'] },
  description: 'The id never changes; the name is for people.',
});

export const updateHub: Note = () => ({ ...TAG_HEADERS.change, bodyExample: { name: 'Summer house' } });

export const listAuditEntries: Note = () => ({
  description:
    '`user_id` is the account that the entry is about and, unless `actor_id` names another, the account that acted. `session` is the beginning of the id of its session, `api_token` the id of its API token. `command.given` is a command to a lock, garage, alarm or valve. The hub keeps some thousand entries that strangers can cause and, apart from them, some thousand of accounts. When a part is full, the hub drops the oldest entry of the peer or account with the most entries. Equal events in quick succession are one entry with a `count`: the first at `first_at`, the last at `at`. `wall_at` is null if the clock of the machine was not synchronised.',
  answerHeaders: { 200: ['Link', 'X-Total-Count'] },
  answerExample: [auditEntryExample()],
});

export const listBackups: Note = () => ({ answerExample: [backupExample()] });

const BY_TOKEN =
  'An API token of an owner with the scope `backup:create` may do this six times a day. The hub keeps the last three that API tokens made, apart from those of people. A backup holds secrets: keep it as safe as the hub.';

export const createBackup: Note = () => ({
  description: BY_TOKEN,
  problems: ['TOO_MANY_REQUESTS'],
  answerHeaders: { 201: ['Location'] },
  answerExample: backupExample(),
});

export const getBackup: Note = () => ({
  wordedId: true,
  description: 'The hub reads and checks the whole backup for this, as before a restore.',
  problems: ['INVALID_BACKUP', 'STORAGE_FULL', 'STORAGE_UNAVAILABLE'],
  answerExample: { ...backupExample(), content: { people: 3, rooms: 5, devices: 56, hub_version: '0.1.0' } },
});

export const createBackupContent: Note = () => ({
  description: BY_TOKEN,
  problems: ['TOO_MANY_REQUESTS', 'STORAGE_FULL', 'STORAGE_UNAVAILABLE'],
  answerTypes: ['application/vnd.sqlite3'],
  answerHeaders: { 200: ['Content-Disposition', 'Location'] },
});

export const downloadBackup: Note = () => ({
  wordedId: true,
  description: BY_TOKEN,
  problems: ['TOO_MANY_REQUESTS'],
  answerTypes: ['application/vnd.sqlite3'],
  answerHeaders: { 200: ['Content-Disposition'] },
});

export const restoreBackup: Note = () => ({
  description:
    'The hub checks the whole file before it changes anything, and restores one backup at a time (503 in the meantime). The file may have at most 256 MiB and may take 10 min to arrive, 10 s for each 64 KiB; else the answer is 408. The restore brings back everything, people and roles too, with three exceptions: people who have an account now keep their passwords, API tokens that were revoked since (or whose person was removed since) stay revoked, and the audit log goes on. With the backup of another hub, this hub takes over its id. Access tokens are then no longer valid, but the refresh token of the session that stays gives a new one.',
  upload: ['application/vnd.sqlite3', 'application/octet-stream'],
  problems: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_BACKUP', 'OVERLOADED'],
});

export const restoreKeptBackup: Note = () => ({
  wordedId: true,
  description: 'The call has no body; the rest is as with an uploaded file.',
  problems: ['INVALID_BACKUP', 'OVERLOADED'],
});
