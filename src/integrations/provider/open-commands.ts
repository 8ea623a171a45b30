import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { ProviderCommand } from '#core/provider/provider.ts';

type OpenCommand = {
  command: ProviderCommand;
  /** All keys that were asked for, also those that a newer command has taken over. */
  readonly keys: readonly string[];
  readonly size: number;
  readonly deadlineMs: number;
  deliveredMs: number | undefined;
  /** The script has it and said so: it is not delivered again. */
  isSent: boolean;
  /** Until somebody knows, or the deadline. */
  settle:
    | { readonly resolve: (evidence: SendEvidence) => void; readonly reject: (cause: HubError) => void }
    | undefined;
  stopTimer: () => void;
};

export type OpenCommandsDeps = Pick<Runtime, 'clock' | 'startTimer' | 'random'>;

/** The hub waits 10 s for a report: what was not fetched until then shall not happen later. */
const DEADLINE_MS = 8_000;
/** A blind reports its end up to two minutes after the command. */
const ANSWER_WITHIN_MS = 130_000;
export const REDELIVER_MS = 2_000;
const MAX_OPEN = 500;
const MAX_TAKEN = 100;
const MAX_TAKEN_SIZE = 256 * 1024;

/** Each is delivered at least once, never after its deadline, and never after a newer one for the same feature. */
export function createOpenCommands({ clock, startTimer, random }: OpenCommandsDeps) {
  const { monotonicMs } = clock;
  const commands = new Map<string, OpenCommand>();
  // Ids of an earlier run must not mean a command of this one.
  const run = Math.floor(random() * 2 ** 40).toString(36);
  let count = 0;

  const drop = (open: OpenCommand): void => {
    open.stopTimer();
    commands.delete(open.command.id);
  };
  const endWaiting = (open: OpenCommand): void => {
    if (open.deliveredMs === undefined) {
      settle(open, new HubError('COMMAND_FAILED', 'The script did not fetch the command in time.'));
      drop(open);
      return;
    }
    settle(open, 'none');
    open.stopTimer = startTimer(ANSWER_WITHIN_MS - DEADLINE_MS, () => drop(open));
  };
  /** The newer command has these keys now: the older one, delivered again, would undo it. */
  const yieldKeys = (newer: DeviceCommand): void => {
    for (const open of commands.values()) {
      const { externalId, set, action } = open.command;
      if (externalId !== newer.externalId) continue;
      const left = new Map([...set].filter(([key]) => !newer.set.has(key)));
      const leftAction = action === newer.action ? null : action;
      if (left.size === set.size && leftAction === action) continue;
      open.command = { ...open.command, set: left, action: leftAction };
      if (!isEmpty(open.command) || open.deliveredMs !== undefined) continue;
      settle(open, 'none');
      drop(open);
    }
  };
  return {
    /** Resolves with what is known of the command at its deadline at the latest. */
    add: (command: DeviceCommand): Promise<SendEvidence> => {
      yieldKeys(command);
      if (commands.size >= MAX_OPEN)
        return Promise.reject(new HubError('COMMAND_FAILED', 'Too many commands wait for the script.'));
      count += 1;
      const id = `${run}-${count}`;
      const { externalId, set, action, transitionMs } = command;
      const deadlineMs = clock.wallMs() + DEADLINE_MS;
      return new Promise((resolve, reject) => {
        const open: OpenCommand = {
          command: { id, externalId, set, action, transitionMs, deadlineMs },
          keys: [...set.keys(), ...(action === null ? [] : [action])],
          size: sizeOf(set),
          deadlineMs: monotonicMs() + DEADLINE_MS,
          deliveredMs: undefined,
          isSent: false,
          settle: { resolve, reject },
          stopTimer: startTimer(DEADLINE_MS, () => endWaiting(open)),
        };
        commands.set(id, open);
      });
    },
    find: (id: string): OpenCommand | undefined => commands.get(id),
    all: (): Iterable<OpenCommand> => commands.values(),
    /** The commands to deliver now, which count as delivered from then on. */
    takeDue: (): readonly ProviderCommand[] => {
      const nowMs = monotonicMs();
      const due = dueOf(commands.values(), nowMs);
      for (const open of due) open.deliveredMs = nowMs;
      return due.map(({ command }) => command);
    },
    /** False if the hub does not wait for it any more. */
    settle,
    drop,
  };
}

function settle(open: OpenCommand, evidence: SendEvidence | HubError): boolean {
  const { settle: pending } = open;
  open.settle = undefined;
  if (pending === undefined) return false;
  if (typeof evidence === 'string') pending.resolve(evidence);
  else pending.reject(evidence);
  return true;
}

/** As many as fit into one answer, oldest first. */
function dueOf(commands: Iterable<OpenCommand>, nowMs: number): readonly OpenCommand[] {
  const due: OpenCommand[] = [];
  let size = 0;
  for (const open of commands) {
    const isLate = nowMs >= open.deadlineMs;
    const isFresh = nowMs - (open.deliveredMs ?? Number.NEGATIVE_INFINITY) < REDELIVER_MS;
    if (isLate || isFresh || open.isSent || isEmpty(open.command)) continue;
    size += open.size;
    if (due.length === MAX_TAKEN || (size > MAX_TAKEN_SIZE && due.length > 0)) break;
    due.push(open);
  }
  return due;
}

function isEmpty({ set, action }: ProviderCommand): boolean {
  return set.size === 0 && action === null;
}

function sizeOf(set: ReadonlyMap<string, JsonValue>): number {
  return JSON.stringify([...set]).length;
}
