import type { Audit } from '#auth/audit/audit.ts';
import type { AuditType } from '#auth/audit/audit-entry.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { HubAdmin } from './hub-admin.ts';

/** The administrator's calls; the audit log names `console` as their peer. */
export function createAuditedAdmin(
  admin: HubAdmin,
  { audit, accounts }: { readonly audit: Audit; readonly accounts: Pick<Accounts, 'findUserByEmail'> },
): HubAdmin {
  const note = (type: AuditType, email?: string, detail?: string): Promise<void> => {
    const userId = email === undefined ? undefined : accounts.findUserByEmail(email)?.id;
    return audit.record({ type, peer: 'console', userId, detail });
  };
  return {
    ...admin,
    addUser: async (fresh) => {
      const added = await admin.addUser(fresh);
      await note('user.added', fresh.email, fresh.role);
      return added;
    },
    setPassword: async (change) => {
      await admin.setPassword(change);
      await note('password.changed', change.email);
    },
    removeUser: async (user) => {
      const userId = accounts.findUserByEmail(user.email)?.id;
      await admin.removeUser(user);
      await audit.record({ type: 'user.removed', peer: 'console', userId });
    },
    importHistory: async (content, how) => {
      const imported = await admin.importHistory(content, how);
      if (!how.isDryRun) await note('history.imported');
      return imported;
    },
    makeBackup: async () => {
      const made = await admin.makeBackup();
      await note('backup.made');
      return made;
    },
  };
}
