import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { CommandAnswer, ProviderCommand } from '#core/provider/provider.ts';
import { createOpenCommands, type OpenCommandsDeps, REDELIVER_MS } from './open-commands.ts';

type CommandDeskDeps = OpenCommandsDeps & {
  /** Takes what the script says of a command after its deadline. */
  readonly onLateAnswer: (late: LateAnswer) => void;
};

export type LateAnswer = Pick<ProviderCommand, 'externalId'> & {
  readonly keys: readonly string[];
  readonly outcome: Exclude<SendEvidence, 'none'> | { readonly reason: string };
};

/** Two scripts of one name end each other's waits: then this many polls at once, and 4 a second. */
const POLLS = { capacity: 40, refillMs: 250, maxNames: 1 };

/** Where commands wait for the script, and the script for commands. */
export function createCommandDesk(deps: CommandDeskDeps) {
  const commands = createOpenCommands(deps);
  const waiting = createWaiting({ ...deps, takeDue: commands.takeDue });
  const polls = createTokenBuckets({ ...POLLS, monotonicMs: deps.clock.monotonicMs });
  const giveUp = (isMeant: (externalId: string) => boolean, cause: HubError): void => {
    for (const open of commands.all()) {
      if (!isMeant(open.command.externalId)) continue;
      commands.settle(open, cause);
      commands.drop(open);
    }
  };
  return {
    /** Resolves with what the script says of it. Rejects with HubError COMMAND_FAILED, and INTEGRATION_DOWN on `clear`. */
    send: (command: DeviceCommand): Promise<SendEvidence> => {
      const sent = commands.add(command);
      waiting.wake();
      return sent;
    },
    take: async (waitMs: number, signal: AbortSignal): Promise<readonly ProviderCommand[]> => {
      if (!polls.take('')) throw tooManyPolls();
      return waiting.wait(waitMs, signal);
    },
    isAwaited: waiting.isOpen,
    find: (id: string): ProviderCommand | undefined => commands.find(id)?.command,
    answer: (id: string, answer: CommandAnswer): void => {
      const open = commands.find(id);
      if (open === undefined) return;
      const late = { externalId: open.command.externalId, keys: open.keys };
      if (answer.status === 'sent') open.isSent = true;
      else commands.drop(open);
      if (answer.status === 'failed') {
        const { reason } = answer;
        if (!commands.settle(open, new HubError('COMMAND_FAILED', reason)))
          deps.onLateAnswer({ ...late, outcome: { reason } });
        return;
      }
      const outcome = answer.status === 'done' ? 'device_ack' : 'transport_ack';
      if (!commands.settle(open, outcome)) deps.onLateAnswer({ ...late, outcome });
    },
    forgetDevice: (removed: string): void =>
      giveUp((externalId) => externalId === removed, new HubError('COMMAND_FAILED', 'The device was removed.')),
    /** Gives up all commands and ends the wait. Leaves no timer. */
    clear: (reason: string): void => {
      waiting.end();
      giveUp(() => true, new HubError('INTEGRATION_DOWN', reason));
    },
  };
}

type WaitingDeps = Pick<Runtime, 'clock' | 'startTimer'> & {
  readonly takeDue: () => readonly ProviderCommand[];
};
type Wait = { readonly end: () => void; readonly wake: () => void };

/** The one call that waits for commands: a newer one takes its place. */
function createWaiting({ clock: { monotonicMs }, startTimer, takeDue }: WaitingDeps) {
  let wait: Wait | undefined;
  const open = (waitMs: number, signal: AbortSignal): Promise<readonly ProviderCommand[]> =>
    new Promise((resolve) => {
      const untilMs = monotonicMs() + waitMs;
      const end = (commands: readonly ProviderCommand[]): void => {
        stopTimer();
        signal.removeEventListener('abort', own.end);
        if (wait === own) wait = undefined;
        resolve(commands);
      };
      const look = (): void => {
        const due = takeDue();
        if (due.length > 0 || monotonicMs() >= untilMs) end(due);
        else stopTimer = startTimer(Math.min(untilMs - monotonicMs(), REDELIVER_MS), look);
      };
      const own: Wait = {
        end: () => end([]),
        // In the next turn, so that the commands of a whole room go out together.
        wake: () => {
          stopTimer();
          stopTimer = startTimer(0, look);
        },
      };
      let stopTimer = startTimer(Math.min(waitMs, REDELIVER_MS), look);
      signal.addEventListener('abort', own.end, { once: true });
      wait = own;
    });
  return {
    isOpen: (): boolean => wait !== undefined,
    wake: (): void => wait?.wake(),
    end: (): void => wait?.end(),
    wait: async (waitMs: number, signal: AbortSignal): Promise<readonly ProviderCommand[]> => {
      wait?.end();
      if (signal.aborted) return [];
      const due = takeDue();
      return due.length > 0 || waitMs === 0 ? due : open(waitMs, signal);
    },
  };
}

function tooManyPolls(): HubError {
  const message = 'Commands were asked for too often: let one call wait for them, and run one script of this name.';
  return new HubError('TOO_MANY_REQUESTS', message, { retryAfterS: 1 });
}
