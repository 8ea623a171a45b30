import { createTurnQueue } from '#base/turn-queue.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { KeyedRecord, KeyedStore } from '#core/records/keyed-records.ts';
import type { Mode } from '#core/mode/mode.ts';
import { openModeRegistry } from '#core/mode/mode-registry.ts';
import type { Presence } from '#core/presence/presence.ts';
import { openPresenceRegistry, type PresenceRegistryDeps } from '#core/presence/presence-registry.ts';
import type { Variable } from '#core/variable/variable.ts';
import { openVariableRegistry } from '#core/variable/variable-registry.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** A disk for keyed records; `failWith` makes each write fail. */
export function createKeyedDisk<Item extends KeyedRecord>() {
  const items = new Map<string, Item>();
  const disk: { failWith: Error | undefined } & KeyedStore<Item> = {
    failWith: undefined,
    load: async () => [...items.values()],
    save: async (item) => {
      if (disk.failWith !== undefined) throw disk.failWith;
      items.set(item.key, item);
    },
    remove: async (key) => {
      if (disk.failWith !== undefined) throw disk.failWith;
      items.delete(key);
    },
  };
  return disk;
}

export type ModeDisks = {
  readonly modes: ReturnType<typeof createKeyedDisk<Mode>>;
  readonly variables: ReturnType<typeof createKeyedDisk<Variable>>;
};

export const createModeDisks = (): ModeDisks => ({ modes: createKeyedDisk(), variables: createKeyedDisk() });

/** The real registries of modes and variables. Its clock has one epoch, unless `shiftMs` moves the time of day. */
export async function openModeHome(disks = createModeDisks(), time = createManualTime(), epoch = 'e') {
  const events: HomeEvent[] = [];
  const { log, lines } = createRecordingLog();
  const state = { shiftMs: 0, epoch };
  const nowInEpochMs = (one: string): number | undefined =>
    one === state.epoch ? time.clock.monotonicMs() : undefined;
  const hubClock = {
    nowMs: () => time.clock.wallMs() + state.shiftMs,
    epoch: () => state.epoch,
    nowInEpochMs,
  };
  const shared = { turn: createTurnQueue(), emit: (event: HomeEvent) => void events.push(event) };
  const modes = await openModeRegistry({
    ...shared,
    store: disks.modes,
    hubClock,
    startTimer: time.startTimer,
    log,
  });
  const variables = await openVariableRegistry({ ...shared, store: disks.variables, nowMs: hubClock.nowMs });
  return { modes, variables, events, time, disks, state, lines };
}

/** Who is at home, among these people and devices; nothing is kept. */
export function openTestPresence(home: Pick<PresenceRegistryDeps, 'findUser' | 'findDevice'>) {
  return openPresenceRegistry({
    ...home,
    store: createKeyedDisk<Presence>(),
    turn: createTurnQueue(),
    hubClock: { nowMs: Date.now, epoch: () => 'e', nowInEpochMs: Date.now },
    startTimer: () => () => undefined,
    emit: () => undefined,
    log: createRecordingLog().log,
  });
}
