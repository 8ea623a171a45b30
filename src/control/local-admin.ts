import { createReadStream } from 'node:fs';
import type { Accounts } from '#auth/account/accounts.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { checkHistory, type HistoryCheckDeps } from '#core/past/hour/history-check.ts';
import { isEmailAddress, isPersonName, type User } from '#core/person/user.ts';
import { createHistoryArchive, type HistoryArchiveDeps } from './history-archive.ts';
import type { AdminUser, DatabaseStatus, HubAdmin, HubStatus, NewAdminUser } from './hub-admin.ts';

/** The part of the storage's report that the administrator sees. */
export type StorageReport = {
  readonly database: 'ok' | 'full' | 'unavailable' | 'damaged';
  readonly readOnly: boolean;
  readonly recovered: { readonly reason: string; readonly from: string | null; readonly folder: string | null } | null;
  readonly setAside: readonly { readonly noun: string; readonly id: string; readonly reason: string }[];
  readonly lastBackup: { readonly createdAtMs: number } | null;
  readonly backupFailure: { readonly message: string } | null;
};

type LocalAdminDeps = {
  readonly accounts: Pick<
    Accounts,
    'users' | 'findUserByEmail' | 'hasOwner' | 'addUser' | 'setPassword' | 'removeUser'
  >;
  /** `undefined` once the hub is claimed. */
  readonly claimCode: () => string | undefined;
  readonly storageHealth: () => Promise<StorageReport>;
  readonly backups: {
    readonly make: () => Promise<{ readonly id: string }>;
    readonly findPath: (id: string) => Promise<string | undefined>;
  };
  readonly restoreBackup: HubAdmin['restoreBackup'];
  readonly historyCheck: HistoryCheckDeps;
  readonly archive: () => Promise<HistoryArchiveDeps>;
  readonly status: () => HubStatus | null;
};

/** The administrator's calls, carried out by the parts of this process: the daemon or the command line. */
export function createLocalAdmin(deps: LocalAdminDeps): HubAdmin {
  const { accounts, claimCode, storageHealth, backups, restoreBackup, historyCheck, archive, status } = deps;
  const requireUser = (email: string): User => {
    const user = accounts.findUserByEmail(email);
    if (user === undefined) throw new HubError('NOT_FOUND', `There is no account ${email}.`);
    return user;
  };
  const source = { peer: 'console', pointer: '/password' };
  return {
    claim: async () => ({ claimed: accounts.hasOwner(), code: claimCode() ?? null }),
    listUsers: async () =>
      accounts
        .users()
        .map(adminUserFrom)
        .sort((left, right) => (left.email < right.email ? -1 : 1)),
    addUser: async (fresh) => {
      checkNewUser(fresh);
      // Otherwise the hub would have accounts but no owner, and the claim code would be worth more than an account.
      if (fresh.role !== 'owner' && !accounts.hasOwner()) {
        throw new HubError('HUB_UNCLAIMED', 'The hub has no owner yet: the first account must have the role owner.');
      }
      return adminUserFrom(await accounts.addUser(fresh, source));
    },
    setPassword: async ({ email, password }) => accounts.setPassword(requireUser(email).id, { password }, source),
    removeUser: async ({ email }) => accounts.removeUser(requireUser(email).id),
    makeBackup: async () => {
      const { id } = await backups.make();
      const path = await backups.findPath(id);
      if (path === undefined) throw new Error(`the backup ${id} is gone`);
      return { id, path };
    },
    readBackup: async ({ id }) => {
      const path = await backups.findPath(id);
      if (path === undefined) throw new HubError('NOT_FOUND', `There is no backup ${id}.`);
      return createReadStream(path) as AsyncIterable<Uint8Array>;
    },
    restoreBackup,
    checkDatabase: async () => databaseStatusFrom(await storageHealth()),
    exportHistory: async (query) => createHistoryArchive(await archive()).exportHistory(query),
    importHistory: async (content, how) => createHistoryArchive(await archive()).importHistory(content, how),
    checkHistory: async (how) => linesOf(checkHistory(historyCheck, how)),
    status: async () => status(),
  };
}

async function* linesOf(findings: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void> {
  for await (const finding of findings) yield Buffer.from(`${finding === undefined ? '' : JSON.stringify(finding)}\n`);
}

function adminUserFrom({ id, email, name, role }: User): AdminUser {
  return { id, email, name, role };
}

function checkNewUser({ email, name }: NewAdminUser): void {
  const refuse = (field: string, message: string): never => {
    throw validationFailed([fieldError(field, 'INVALID_FORMAT', message)], 'This account cannot be added.');
  };
  if (!isEmailAddress(email)) refuse('/email', 'must be an e-mail address');
  if (!isPersonName(name)) refuse('/name', 'must be 1 to 100 printable characters');
}

const IN_WORDS: Record<StorageReport['database'], string> = {
  ok: 'sound',
  full: 'sound, but the disk is full: nothing can be saved',
  unavailable: 'cannot be written: the disk refuses',
  damaged: 'damaged',
};

function databaseStatusFrom(report: StorageReport): DatabaseStatus {
  const { database, readOnly, recovered, setAside, lastBackup, backupFailure } = report;
  const notes = [IN_WORDS[database]];
  if (readOnly) notes.push('the state folder is read-only, so nothing outlives this run');
  if (recovered !== null) {
    notes.push(`it was damaged (${recovered.reason}) and replaced by ${recovered.from ?? 'an empty one'}`);
    if (recovered.folder !== null) notes.push(`the damaged files are in ${recovered.folder}`);
  }
  for (const { noun, id, reason } of setAside) notes.push(`${noun} ${id} was set aside: ${reason}`);
  if (backupFailure !== null) notes.push(`the last backup failed: ${backupFailure.message}`);
  const isWell = recovered === null && setAside.length === 0 && backupFailure === null;
  return {
    level: database !== 'ok' || readOnly ? 'fail' : isWell ? 'ok' : 'warn',
    detail: notes.join('; '),
    lastBackupAt: lastBackup === null ? null : new Date(lastBackup.createdAtMs).toISOString(),
  };
}
