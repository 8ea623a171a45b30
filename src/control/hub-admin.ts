import type { ExportQuery } from '#core/past/archive/archive-export.ts';
import type { ImportOptions, ImportResult } from '#core/past/archive/archive-import.ts';
import type { Role } from '#core/person/user.ts';

/** A person with an account, as the administrator of the machine sees them. */
export type AdminUser = { readonly id: string; readonly email: string; readonly name: string; readonly role: Role };
export type NewAdminUser = {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
};

/** A running hub says this about itself; `null` if it is not running. */
export type HubStatus = {
  readonly version: string;
  readonly pid: number;
  readonly addresses: readonly string[];
  /** Its name in the network, and another host that claims the same name. */
  readonly host: string | null;
  readonly conflict: { readonly name: string; readonly holder: string } | null;
  /** `null` if no packet of another machine has come since the start; without it, the hub does not use mDNS now. */
  readonly mdns?: { readonly lastMs: number | null };
  readonly integrations: readonly {
    readonly id: string;
    readonly state: string;
    /** Code and words of what is wrong. */
    readonly code: string | null;
    readonly error: string | null;
    /** On which a bridge is reached; absent with other kinds. */
    readonly udpPort?: number;
  }[];
  /** Absent in an earlier version. */
  readonly areAutomationsPutOff?: boolean;
};

export type DatabaseStatus = {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was found, in words. */
  readonly detail: string;
  /** RFC 3339, or `null` when there is none yet. */
  readonly lastBackupAt: string | null;
};

export type HistoryImport = Pick<ImportOptions, 'format' | 'isDryRun' | 'skipUnknown'>;
export type HistoryImported = Pick<ImportResult, 'lines' | 'added' | 'duplicates' | 'skipped' | 'series'>;

/**
 * Only the person at the machine may do these. The daemon implements them with its own parts, the command line reaches
 * them through the control socket or, while no daemon runs, opens the same parts itself. Failures are `HubError`.
 */
export type HubAdmin = {
  /** `code` is `null` once the hub has an owner. */
  readonly claim: () => Promise<{ readonly claimed: boolean; readonly code: string | null }>;
  /** By e-mail address. */
  readonly listUsers: () => Promise<readonly AdminUser[]>;
  readonly addUser: (user: NewAdminUser) => Promise<AdminUser>;
  /** Ends all sessions of that person. */
  readonly setPassword: (change: { readonly email: string; readonly password: string }) => Promise<void>;
  readonly removeUser: (user: { readonly email: string }) => Promise<void>;
  readonly makeBackup: () => Promise<{ readonly id: string; readonly path: string }>;
  /** The content of a backup, so that a copy needs no file of the hub to be opened. NOT_FOUND. */
  readonly readBackup: (backup: { readonly id: string }) => Promise<AsyncIterable<Uint8Array>>;
  /** Takes the content of a backup file; checks it whole before anything changes; ends all sessions. */
  readonly restoreBackup: (content: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly checkDatabase: () => Promise<DatabaseStatus>;
  /** Reads all of the history, which takes long. A `Finding` in each line; an empty line says that it goes on. */
  readonly checkHistory: (how: { readonly repairs: boolean }) => Promise<AsyncIterable<Uint8Array>>;
  /** Samples as text. HISTORY_RANGE, NOT_FOUND, INVALID_QUERY. */
  readonly exportHistory: (query: Omit<ExportQuery, 'cursor'>) => Promise<AsyncIterable<Uint8Array>>;
  /** All of the text or nothing. INVALID_IMPORT with an error for each bad line. */
  readonly importHistory: (content: AsyncIterable<Uint8Array>, how: HistoryImport) => Promise<HistoryImported>;
  readonly status: () => Promise<HubStatus | null>;
};
