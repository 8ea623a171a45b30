import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { SessionId } from '#auth/session/session.ts';
import { errnoOf } from '#base/errno.ts';
import { HUB_CLOCK_META } from '#base/time/hub-clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { createStopList, type StopList } from '#base/stop-list.ts';
import { waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { Storage } from '#storage/storage.ts';

/**
 * Keeps the session `keep`. Throws what `authorize` throws; it is called after the check of the file, which takes minutes
 * for a large one.
 */
export type Restore = (
  content: AsyncIterable<Uint8Array>,
  keep: SessionId | null,
  change?: Pick<ChangeTerms, 'authorize'>,
) => Promise<void>;

/** Holds the one open hub, and opens a new one after its storage failed or was replaced. */
export type HubKeeper<Hub> = {
  /** Opens the first hub, once, and throws if that fails. Opening later ones is retried until it succeeds. */
  readonly open: (ports: HubPorts<Hub>) => Promise<void>;
  /** `undefined` while no hub is open. */
  readonly find: () => Hub | undefined;
  /** Throws HubError RESTARTING while no hub is open. */
  readonly current: () => Hub;
  /** Checks all of an uploaded or local backup, replaces the state by it and opens the hub again. */
  readonly restore: Restore;
  readonly stop: () => Promise<void>;
};

type HubPorts<Hub> = {
  /** Opens the storage, which calls `onFailure` when only opening it again can repair it. */
  readonly openStorage: (onFailure: () => void) => Promise<Storage>;
  readonly openHub: (storage: Storage, stops: StopList) => Promise<Hub>;
};

type HubKeeperDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly random: Random;
};

type OpenHub<Hub> = {
  readonly hub: Hub;
  readonly storage: Storage;
  readonly stops: StopList;
  readonly ports: HubPorts<Hub>;
};

const REOPEN_DELAYS = { minMs: 500, maxMs: 60_000 };

export function createHubKeeper<Hub>({ log, startTimer, random }: HubKeeperDeps): HubKeeper<Hub> {
  const inTurn = createTurnQueue();
  const ended = new AbortController();
  let current: OpenHub<Hub> | undefined;

  const open = async (ports: HubPorts<Hub>): Promise<void> => {
    let isFailed = false;
    let opened: OpenHub<Hub> | undefined;
    const storage = await ports.openStorage(() => {
      isFailed = true;
      // An earlier restore may have replaced the hub already.
      if (opened !== undefined) void inTurn(async () => (current === opened ? reopen() : undefined));
    });
    const stops = createStopList(log);
    try {
      const hub = await ports.openHub(storage, stops);
      if (isFailed) throw new HubError('STORAGE_UNAVAILABLE', 'The storage failed at once.');
      current = opened = { hub, storage, stops, ports };
    } catch (cause) {
      await stops.stop();
      await closeStorage(storage, log);
      throw cause;
    }
  };
  const openAgain = async (ports: HubPorts<Hub>): Promise<void> => {
    const delays = createRetryDelays(REOPEN_DELAYS, createRandomFractions(random));
    while (!ended.signal.aborted) {
      try {
        await open(ports);
        return;
      } catch (cause) {
        log.error('opening the hub again failed', { cause });
      }
      await waitMs(delays.nextMs(), startTimer, ended.signal);
    }
  };
  /** While no hub is open, `task` has the storage to itself. */
  async function reopen(task?: () => Promise<void>): Promise<void> {
    const old = current;
    if (old === undefined || ended.signal.aborted) return;
    current = undefined;
    await old.stops.stop();
    try {
      await task?.();
    } finally {
      await closeStorage(old.storage, log);
      await openAgain(old.ports);
    }
  }
  const openNow = (): OpenHub<Hub> => {
    if (current === undefined) throw restarting();
    return current;
  };
  return {
    open,
    find: () => current?.hub,
    current: () => openNow().hub,
    restore: async (content, keep, change) => {
      const { storage } = openNow();
      await withUpload(storage, content, (path) =>
        inTurn(async () => {
          // Another restore or the end of the hub came first, and the uploaded file is gone with the old storage.
          if (ended.signal.aborted || current?.storage !== storage) throw restarting();
          change?.authorize?.();
          await reopen(() => storage.backups.restore(path, { session: keep, meta: [HUB_CLOCK_META] }));
        }),
      );
      log.info('a backup was restored');
    },
    stop: async () => {
      ended.abort();
      await inTurn(async () => {
        const last = current;
        current = undefined;
        await last?.stops.stop();
        if (last !== undefined) await closeStorage(last.storage, log);
      });
    },
  };
}

export function restarting(): HubError {
  return new HubError('RESTARTING', 'The hub is restarting.', { retryAfterS: 2 });
}

async function closeStorage(storage: Storage, log: Log): Promise<void> {
  try {
    await storage.close();
  } catch (cause) {
    log.error('closing the storage failed', { cause });
  }
}

/** Checks all of the uploaded file before its use, and deletes it afterwards. */
async function withUpload(
  { backups }: Storage,
  content: AsyncIterable<Uint8Array>,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const path = await backups.newUploadPath();
  try {
    await receive(content, path);
    await backups.check(path);
    await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function receive(content: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const closed = new Promise<void>((resolve) => void file.once('close', resolve));
  try {
    await pipeline(content, file);
  } catch (cause) {
    // A failure at once may come before the file exists: without waiting, it would be created after it was cleared away.
    await closed;
    if (cause instanceof HubError) throw cause;
    const code = errnoOf(cause);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new HubError('STORAGE_FULL', 'There is no room for the uploaded file.', { cause });
    }
    throw new HubError('MALFORMED_REQUEST', 'The file did not arrive whole.', { cause });
  }
}
