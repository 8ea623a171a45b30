import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { HistoryStore, SeriesSummary } from './history-store.ts';
import { timelineOf, RUN_SERIES } from './sample.ts';
import { markOf } from './thinning.ts';
import type { Device, DeviceId } from '#core/device/device.ts';

export type HistoryDeletion = ReturnType<typeof createHistoryDeletion>;

type WantedDeletion = {
  readonly isWanted: (series: string) => boolean;
  /** `null`: from the very first sample on. */
  readonly fromMs: number | null;
  readonly toMs: number;
  readonly isSecure: boolean;
  readonly isTrial: boolean;
  readonly authorize: () => void;
};

/** A sample is filed by tenths of a second, and later than it was noted if its tenth is closed. */
const SETTLE_MS = 1_000;

type HistoryDeletionDeps = {
  /** Sends what was noted and waits: a series of which nothing was sent yet is in no list. */
  readonly sendWaiting: () => void;
  readonly history: Pick<HistoryStore, 'listSeries' | 'deleteSamples' | 'eraseDeleted' | 'scrub'>;
  readonly nowMs: () => number;
  readonly log: Log;
};

export function createHistoryDeletion({ sendWaiting, history, nowMs, log }: HistoryDeletionDeps) {
  const turn = createTurnQueue();
  const erase = (): Promise<void> =>
    turn(async () => {
      while (await history.eraseDeleted());
    });
  const eraseSoon = (): void => {
    erase().catch((cause: unknown) => {
      if (!(cause instanceof HubError)) throw cause;
      log.warn('deleted history is hidden, and its bytes are overwritten later', { cause });
    });
  };
  return {
    /** Goes on with overwriting what a restart or a full disk left. */
    erase,
    /** Deletes everything of a device that was removed. */
    forgetDevice: async ({ id }: Pick<Device, 'id'>): Promise<void> => {
      sendWaiting();
      const found = await findSeries(history, ({ name }) => belongsTo(name, id));
      await history.deleteSamples(
        found.map(({ name, lastMs }) => ({
          series: name,
          fromMs: -Infinity,
          toMs: Math.max(nowMs(), lastMs) + SETTLE_MS,
          isEnd: true as const,
        })),
      );
      eraseSoon();
    },
    /**
     * Deletes the series that `isWanted` names between two moments, and resolves with how many there were: nobody reads them any
     * more. The bytes are overwritten soon, or with `isSecure` before it resolves. Runs `authorize` right before it writes.
     */
    deleteHistory: async ({
      isWanted,
      fromMs,
      toMs,
      isSecure,
      isTrial,
      authorize,
    }: WantedDeletion): Promise<number> => {
      sendWaiting();
      const found = await findSeries(history, ({ name }) => isWanted(name));
      authorize();
      if (isTrial || found.length === 0) return found.length;
      await history.deleteSamples(found.map(({ name }) => ({ series: name, fromMs: fromMs ?? -Infinity, toMs })));
      if (!isSecure) eraseSoon();
      else {
        await erase();
        await history.scrub();
      }
      return found.length;
    },
  };
}

/** Whether a series, the marks of it, or the logbook is about this device. */
export function belongsTo(series: string, id: DeviceId): boolean {
  return series.startsWith(`${id}/`) || series.startsWith(markOf(`${id}/`)) || series === timelineOf(id);
}

/** All but the series that tells when the hub itself ran. */
async function findSeries(
  history: Pick<HistoryStore, 'listSeries'>,
  isWanted: (series: SeriesSummary) => boolean,
): Promise<readonly SeriesSummary[]> {
  const found: SeriesSummary[] = [];
  let after: string | null = null;
  do {
    const page = await history.listSeries(after);
    found.push(...page.series.filter((series) => series.name !== RUN_SERIES && isWanted(series)));
    after = page.next;
  } while (after !== null);
  return found;
}
