import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Effect, SavedEntry } from '#core/automation-run/engine.ts';
import type { EntryStore } from '#core/automation-run/live.ts';

export type PersistEffect = Extract<Effect, { kind: 'persist' }>;

export type SavedEntries = ReturnType<typeof createSavedEntries>;

type SavedEntriesDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly store: EntryStore;
  /** In which the times of entries count. */
  readonly epoch: () => string;
  /** What to add to a time of that epoch. */
  readonly shiftMs: (epoch: string) => number;
};

/** So that what waits is on disk within a second, a slow card included. */
const SOON_MS = 800;
const WITH_NEXT_MS = 30_000;
/** A card that takes longer than this has a fault. */
const PATIENCE_MS = 2_000;

export function createSavedEntries({ store, epoch, shiftMs, startTimer, log }: SavedEntriesDeps) {
  let isFailing = false;
  const entriesOf = (effects: readonly PersistEffect[]) =>
    effects.map(({ key, value }) => ({ key, epoch: epoch(), value }));
  const note = (cause: unknown): void => {
    if (!isFailing) log.error('automations go on although what they wait for cannot be written', { cause });
    isFailing = true;
  };
  return {
    load: async (): Promise<Map<string, SavedEntry>> => {
      const stored = await store.loadEntries();
      return new Map(
        stored.map((one): [string, { readonly value: JsonValue; readonly shiftMs: number }] => [
          one.key,
          { value: one.value, shiftMs: shiftMs(one.epoch) },
        ]),
      );
    },
    /** Keeps those that may wait. */
    keep: (effects: readonly PersistEffect[]): void => {
      const soon = effects.some(({ urgency }) => urgency !== 'with_next');
      store.keepEntries(entriesOf(effects), soon ? SOON_MS : WITH_NEXT_MS);
    },
    /** Resolves once they are on disk, or `false` once it is clear that this may take too long: water must be shut off. */
    writeFirst: (effects: readonly PersistEffect[]): Promise<boolean> =>
      new Promise((resolve) => {
        const stopTimer = startTimer(PATIENCE_MS, () => {
          note(new Error('the disk takes too long'));
          resolve(false);
        });
        const written = store.writeEntries(entriesOf(effects)).then(
          () => {
            if (isFailing) log.info('what automations wait for is written again');
            isFailing = false;
            return true;
          },
          (cause: unknown) => {
            note(cause);
            if (!(cause instanceof HubError)) log.error('writing what automations wait for failed', { cause });
            return false;
          },
        );
        void written.then((isWritten) => {
          stopTimer();
          resolve(isWritten);
        });
      }),
  };
}
