import type { Note } from '#http/reference/note.ts';
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
    'The status alone without a token; all else needs the right `system:read`. `degraded`: it answers, but something of it needs a person; of an integration that is one in safe mode, or one whose list of devices was refused.',
  answerExample: { status: 'ok' },
});

export const getSystemInfo: Note = () => ({
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
});

export const getHub: Note = () => ({ description: 'The id stays; the name is for people.' });

export const updateHub: Note = () => ({ bodyExample: { name: 'Summer house' } });

export const listAuditEntries: Note = () => ({
  description:
    '`user_id` is whose account it was about and, unless `actor_id` names another, who did it; `session` is the beginning of the id of their session, `api_token` the id of their API token. `command.given` is what was told to a lock, garage, alarm or valve. What strangers can cause and what accounts do are kept apart, some thousand entries each, and of a crowded part the oldest of whoever has the most goes first. Equal events that come fast are one entry with a `count`, the last at `at`, the first at `first_at`. `wall_at` is null where the clock of the machine was not synchronised.',
  queryDescriptions: { types: 'Only these types.', cursor: 'From the `Link` of the page before.' },
  answerHeaders: { 200: ['Link', 'X-Total-Count'] },
  answerExample: [auditEntryExample()],
});

export const listBackups: Note = () => ({ answerExample: [backupExample()] });

export const createBackup: Note = () => ({ answerHeaders: { 201: ['Location'] }, answerExample: backupExample() });

export const getBackup: Note = () => ({
  wordedId: true,
  description: 'The backup is read and checked whole for this, as it is before a restore.',
  problems: ['INVALID_BACKUP', 'STORAGE_FULL', 'STORAGE_UNAVAILABLE'],
  answerExample: { ...backupExample(), content: { people: 3, rooms: 5, devices: 56, hub_version: '0.1.0' } },
});

export const downloadBackup: Note = () => ({
  wordedId: true,
  answerTypes: ['application/vnd.sqlite3'],
  answerHeaders: { 200: ['Content-Disposition'] },
});

export const restoreBackup: Note = () => ({
  description:
    'The file is checked whole before anything changes. One is taken at a time (503 meanwhile). At most 256 MiB, which may take 10 min to arrive, 10 s for each 64 KiB; else 408. Everything is as it was then, people and roles too, but for three things: passwords of people who are there now stay as they are, API tokens that were revoked since (or whose person was removed since) do not come back, and the audit log goes on. With the backup of another hub this one takes over its id: access tokens are not valid any more then, but the refresh token of the session that stays gives a new one.',
  upload: ['application/vnd.sqlite3', 'application/octet-stream'],
  problems: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_BACKUP', 'OVERLOADED'],
});

export const restoreKeptBackup: Note = () => ({
  wordedId: true,
  description: 'One that the hub keeps, without a body. All else is as with an uploaded file.',
  problems: ['INVALID_BACKUP', 'OVERLOADED'],
});
