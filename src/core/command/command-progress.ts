import type { Clock } from '#base/time/clock.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { type Command, type CommandId, type CommandResult, isFinished } from './command.ts';
import type { Errands } from './command-errand.ts';
import type { CommandLog } from './command-log.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { HomeEvent } from '#core/event/event.ts';

/** Takes a command a step further, with all that follows from it. Unknown ones are left alone. */
export type CommandUpdate = (id: CommandId, change: (command: Command, nowMs: number) => Command) => void;

/** The one place where commands change. */
export type CommandProgress = {
  readonly update: CommandUpdate;
  /** The command as it is once finished, or after this long. */
  readonly waitForEnd: (command: Command, forMs: number) => Promise<Command>;
  /** Ends every wait. */
  readonly stop: () => void;
};

type Deps = {
  readonly log: CommandLog;
  readonly errands: Errands;
  readonly registry: Pick<DeviceRegistry, 'dropAssumed'>;
  readonly emit: (event: HomeEvent) => void;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
};

export function createCommandProgress({ log, errands, registry, emit, clock, startTimer }: Deps): CommandProgress {
  const waits = new Map<CommandId, Set<AbortController>>();

  const finish = (id: CommandId, ended: readonly CommandResult[], next: Command): void => {
    for (const [deviceId, keys] of givenUpKeys(ended)) registry.dropAssumed(deviceId, keys);
    const open = new Set(next.results.filter((result) => !isFinished(result)).map(({ deviceId }) => deviceId));
    for (const deviceId of new Set(ended.map((result) => result.deviceId))) {
      if (open.has(deviceId)) continue;
      for (const errand of errands.at(deviceId)) if (errand.commandId === id) errands.remove(errand);
    }
  };

  return {
    update: (id, change) => {
      const old = log.find(id);
      if (old === undefined) return;
      const next = change(old, clock.wallMs());
      if (next === old) return;
      log.replace(next);
      const ended = next.results.filter((result, index) => {
        const before = old.results[index];
        return isFinished(result) && before !== undefined && !isFinished(before);
      });
      if (ended.length > 0) finish(id, ended, next);
      if (next.status !== old.status) emit({ type: 'command.changed', command: next });
      if (!isFinished(next)) return;
      for (const wait of waits.get(id) ?? []) wait.abort();
    },
    waitForEnd: async (command, forMs) => {
      const { id } = command;
      const now = (): Command => log.find(id) ?? command;
      if (isFinished(now()) || forMs === 0) return now();
      const wait = new AbortController();
      const others = waits.get(id) ?? new Set();
      waits.set(id, others.add(wait));
      await waitMs(forMs, startTimer, wait.signal);
      others.delete(wait);
      if (others.size === 0) waits.delete(id);
      return now();
    },
    stop: () => {
      for (const others of waits.values()) for (const wait of others) wait.abort();
    },
  };
}

/** By device what will not be confirmed any more. What was superseded is up to the newer command. */
function givenUpKeys(ended: readonly CommandResult[]): ReadonlyMap<DeviceId, readonly string[]> {
  const keys = new Map<DeviceId, string[]>();
  for (const { deviceId, feature, status } of ended) {
    if (status === 'confirmed' || status === 'superseded') continue;
    keys.set(deviceId, [...(keys.get(deviceId) ?? []), feature.key]);
  }
  return keys;
}
