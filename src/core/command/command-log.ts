import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import {
  type Command,
  commandAcknowledged,
  commandEnded,
  type CommandId,
  commandObserved,
  type CommandResult,
  commandSent,
  commandSuperseded,
  isFinished,
} from './command.ts';

/** Lets a caller that does not know whether its command was accepted send the same command again. */
export type Replay = {
  /** The caller's id and the key that it chose. */
  readonly key: string;
  /** Identifies the request: another request with the same key is refused. */
  readonly fingerprint: string;
};

/** Makes this change to the command with the id. */
type ChangeBy<Change extends (command: Command, details: never, nowMs: number) => Command> = (
  id: CommandId,
  details: Parameters<Change>[1],
) => void;

/**
 * Keeps the last commands in memory and makes every change to them. Each change of a status is an event. A change of an
 * unknown command does nothing.
 */
export type CommandLog = {
  readonly add: (command: Command, replay: Replay | null) => void;
  readonly find: (id: string) => Command | undefined;
  /** How long ago the command was accepted. */
  readonly ageMs: (id: CommandId) => number;
  /** The command that this key already made. Throws HubError IDEMPOTENCY_KEY_REUSED if that was another request. */
  readonly findReplay: (replay: Replay) => Command | undefined;
  /** To call right before the command is sent, so that no report can come first. */
  readonly markSent: ChangeBy<typeof commandSent>;
  readonly acknowledge: ChangeBy<typeof commandAcknowledged>;
  readonly observe: ChangeBy<typeof commandObserved>;
  readonly end: ChangeBy<typeof commandEnded>;
  /** Ends the features of older commands that the newer command takes over. */
  readonly supersede: ChangeBy<typeof commandSuperseded>;
  /** The command when it is finished, or after this time. */
  readonly waitForEnd: (command: Command, forMs: number) => Promise<Command>;
  readonly stop: () => void;
};

type Deps = Pick<Runtime, 'clock' | 'startTimer'> & {
  readonly emit: (event: HomeEvent) => void;
  /** Called with the results that a change has just finished, before the event. */
  readonly onEnded: (command: Command, ended: readonly CommandResult[]) => void;
};

const MAX_COMMANDS = 1000;
/** Limits the results of all commands together, because a command for many devices has many. */
const MAX_RESULTS = 20_000;

export function createCommandLog({ emit, onEnded, clock, startTimer }: Deps): CommandLog {
  const commands = new Map<string, { command: Command; readonly replay: Replay | null; readonly addedAtMs: number }>();
  const replays = new Map<string, { readonly id: string; readonly fingerprint: string }>();
  const waits = createWaits(startTimer);
  let resultCount = 0;

  /** Keeps commands under way: there is at most one of them for each feature of the home. */
  const forgetOldest = (): void => {
    for (const [id, { command, replay }] of commands) {
      if (commands.size <= MAX_COMMANDS && resultCount <= MAX_RESULTS) return;
      if (!isFinished(command)) continue;
      commands.delete(id);
      resultCount -= command.results.length;
      if (replay !== null) replays.delete(replay.key);
    }
  };
  const find = (id: string): Command | undefined => commands.get(id)?.command;

  const changeBy =
    <Details>(change: (command: Command, details: Details, nowMs: number) => Command) =>
    (id: CommandId, details: Details): void => {
      const kept = commands.get(id);
      if (kept === undefined) return;
      const old = kept.command;
      const next = change(old, details, clock.wallMs());
      if (next === old) return;
      kept.command = next;
      const ended = next.results.filter((result, index) => {
        const before = old.results[index];
        return isFinished(result) && before !== undefined && !isFinished(before);
      });
      if (ended.length > 0) onEnded(next, ended);
      if (next.status !== old.status) emit({ type: 'command.changed', command: next });
      if (isFinished(next)) waits.end(id);
    };

  return {
    add: (command, replay) => {
      commands.set(command.id, { command, replay, addedAtMs: clock.monotonicMs() });
      if (replay !== null) replays.set(replay.key, { id: command.id, fingerprint: replay.fingerprint });
      resultCount += command.results.length;
      forgetOldest();
    },
    find,
    ageMs: (id) => clock.monotonicMs() - (commands.get(id)?.addedAtMs ?? -Infinity),
    findReplay: ({ key, fingerprint }) => {
      const known = replays.get(key);
      if (known === undefined) return undefined;
      if (known.fingerprint !== fingerprint) {
        throw new HubError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another command.');
      }
      return find(known.id);
    },
    markSent: changeBy(commandSent),
    acknowledge: changeBy(commandAcknowledged),
    observe: changeBy(commandObserved),
    end: changeBy(commandEnded),
    supersede: changeBy(commandSuperseded),
    waitForEnd: async (command, forMs) => {
      const now = (): Command => find(command.id) ?? command;
      if (isFinished(now()) || forMs === 0) return now();
      await waits.wait(command.id, forMs);
      return now();
    },
    stop: waits.stop,
  };
}

/** Callers that wait for the end of a command. */
function createWaits(startTimer: StartTimer) {
  const waits = new Map<CommandId, Set<AbortController>>();
  return {
    wait: async (id: CommandId, forMs: number): Promise<void> => {
      const wait = new AbortController();
      const others = waits.get(id) ?? new Set();
      waits.set(id, others.add(wait));
      await waitMs(forMs, startTimer, wait.signal);
      others.delete(wait);
      if (others.size === 0) waits.delete(id);
    },
    end: (id: CommandId): void => {
      for (const wait of waits.get(id) ?? []) wait.abort();
    },
    stop: (): void => {
      for (const others of waits.values()) for (const wait of others) wait.abort();
    },
  };
}
