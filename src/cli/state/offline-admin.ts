import { createWriteStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openAccounts } from '#auth/account/accounts.ts';
import { openClaim } from '#auth/sign-in/claim.ts';
import { openKeys } from '#auth/session/keys.ts';
import { createPasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { createRefreshTokens } from '#auth/session/refresh-token.ts';
import { errnoOf } from '#base/errno.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { openSessions } from '#auth/session/sessions.ts';
import { systemClock } from '#base/time/clock.ts';
import { HUB_CLOCK_META, openHubClock, type OpenHubClock } from '#base/time/hub-clock.ts';
import { createLog, type Log } from '#base/log.ts';
import { createMachine } from '#base/time/machine.ts';
import { systemRandom } from '#base/random.ts';
import { createStopList } from '#base/stop-list.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createUuidSource } from '#base/uuid.ts';
import { secretsFolder, type Config } from '#config/config.ts';
import { timeZoneFrom } from '#core/hub-identity.ts';
import type { HubAdmin } from '#control/hub-admin.ts';
import { createImportTurn } from '#core/past/archive/archive-import.ts';
import type { HistoryArchiveDeps } from '#control/history-archive.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { withRecentPresence } from '#core/past/answer/presence-history.ts';
import type { RoomId } from '#core/room/room.ts';
import { createLocalAdmin } from '#control/local-admin.ts';
import { openStorage, restoreUnopened } from '#storage/open/open-storage.ts';
import { storageInProcess, type Storage } from '#storage/storage.ts';
import { StorageRefusal, type StorageRefusalReason } from '#storage/engine/storage-failure.ts';
import { hasTimesyncdMark } from '#systemd/time-sync.ts';
import { CliError, EXIT } from '#cli/exit-code.ts';

type Folders = Pick<Config, 'stateDir' | 'runtimeDir'>;

export type OfflineAdmin = { readonly admin: HubAdmin; readonly close: () => Promise<void> };

/** Opens the state of a hub that is not running. While it is open, the hub cannot start. */
export async function openOfflineAdmin(config: Folders): Promise<OfflineAdmin> {
  requireState(config.stateDir);
  const write = (line: string): void => void process.stderr.write(line);
  const log = createLog({ level: 'warn', write, journal: false, wallMs: systemClock.wallMs });
  const folders = { state: config.stateDir, runtime: config.runtimeDir };
  const onFailure = (cause: unknown): void => log.error('the storage failed', { cause });
  const { wallMs } = systemClock;
  const deps = { folders, log, wallMs, random: systemRandom, startTimer: startSystemTimer, onFailure };
  const undo = createStopList(log);
  try {
    const storage = storageInProcess(await openStorage(deps));
    undo.add('storage', storage.close);
    const hubClock = await openHubClock({
      machine: createMachine({ clock: systemClock, random: systemRandom, isSynced: hasTimesyncdMark }),
      store: storage.meta,
      startTimer: startSystemTimer,
      newId: () => systemRandom(4).toString('hex'),
      log,
    });
    undo.add('hub clock', hubClock.stop);
    return { admin: await openAdmin(config, { storage, hubClock, log }), close: undo.stop };
  } catch (cause) {
    await undo.stop();
    const isRestorable = cause instanceof StorageRefusal && RESTORABLE.has(cause.reason);
    if (isRestorable) return { admin: refusingAdmin(cause, (file) => restoreUnopened(deps, file)), close: undo.stop };
    throw cause;
  }
}

/** The database is of a newer version, or has no owner that can be read. */
const RESTORABLE: ReadonlySet<StorageRefusalReason> = new Set(['too_new', 'no_owner']);

/** With such a database, only a restore is possible. */
function refusingAdmin(refusal: StorageRefusal, restore: (file: string) => Promise<void>): HubAdmin {
  const refuse = (): Promise<never> => Promise.reject(refusal);
  return {
    claim: refuse,
    listUsers: refuse,
    addUser: refuse,
    setPassword: refuse,
    removeUser: refuse,
    makeBackup: refuse,
    readBackup: refuse,
    checkDatabase: refuse,
    checkHistory: refuse,
    exportHistory: refuse,
    importHistory: refuse,
    status: async () => null,
    restoreBackup: async (content) => {
      const folder = await mkdtemp(join(tmpdir(), 'hearthd-restore-'));
      try {
        const file = join(folder, 'backup.db');
        await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
        await restore(file);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

type Opened = { readonly storage: Storage; readonly hubClock: OpenHubClock; readonly log: Log };

async function openAdmin(config: Folders, { storage, hubClock, log }: Opened): Promise<HubAdmin> {
  const files = createSecretFiles(secretsFolder(config));
  const random = systemRandom;
  const keys = await openKeys(files, { random, log });
  const newId = createUuidSource(systemClock.wallMs, random);
  const sessions = await openSessions({
    store: storage.sessions,
    tokens: createRefreshTokens(keys.refresh, random),
    hubClock,
    newId,
    log,
    onRevoked: () => undefined,
  });
  const hasher = createPasswordHasher({ random });
  const hubNames = (): string[] => [];
  const nothing = (): void => undefined;
  const told = { onTokensEnded: nothing, onRightsChanged: nothing, onEnded: nothing };
  const accounts = await openAccounts({
    store: storage.users,
    hubNames,
    sessions,
    hasher,
    hubClock,
    newId,
    log,
    ...told,
  });
  const meta = await storage.meta.loadMeta();
  const { monotonicMs } = systemClock;
  const isClaimed = accounts.hasOwner;
  const claim = await openClaim({ files, random, log, monotonicMs, isClaimed, announce: () => undefined });
  return createLocalAdmin({
    accounts,
    claimCode: claim.code,
    storageHealth: storage.health,
    backups: storage.backups,
    restoreBackup: async (content) => {
      const path = await storage.backups.newUploadPath();
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      // Before the restore: afterwards nothing can be saved.
      await hubClock.stop();
      await storage.backups.restore(path, { session: null, meta: [HUB_CLOCK_META] });
    },
    historyCheck: { ...storage, timeZone: () => timeZoneFrom(meta), shownAs: (series) => series },
    archive: () => openArchive(storage, hubClock),
    status: () => null,
  });
}

/** Reads the series that the hub knows, once a command needs them. */
async function openArchive(storage: Storage, hubClock: OpenHubClock): Promise<HistoryArchiveDeps> {
  const [records, rooms, modes, variables, presences] = await Promise.all([
    storage.devices.loadDevices(),
    storage.rooms.loadRooms(),
    storage.modes.load(),
    storage.variables.load(),
    storage.presences.load(),
  ]);
  const devices = records.filter(({ removedAtMs }) => removedAtMs === null);
  const byName = new Map(
    devices.flatMap(
      (device) =>
        [
          [device.selector, device],
          [device.id, device],
        ] as const,
    ),
  );
  const roomById = new Map(rooms.map((room) => [room.id, room]));
  // The built-in mode is written with its first change.
  const allModes = modes.some(({ key }) => key === HOME_MODE.key) ? modes : [HOME_MODE, ...modes];
  return {
    history: withRecentPresence(storage, hubClock.nowMs).history,
    registry: { findDevice: (name) => byName.get(name) },
    house: { modes: () => allModes, variables: () => variables, presences: () => presences },
    findRoom: (id) => roomById.get(id as RoomId),
    nowMs: hubClock.nowMs,
    monotonicMs: systemClock.monotonicMs,
    importTurn: createImportTurn(),
  };
}

/** Refuses a missing folder instead of creating a new hub in it. */
function requireState(stateDir: string): void {
  try {
    statSync(stateDir);
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause;
    throw new CliError(
      EXIT.noInput,
      `there is no hub in ${stateDir}: start it first, or name its folder with --state-dir`,
    );
  }
}
