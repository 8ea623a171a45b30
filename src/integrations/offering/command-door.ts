import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import type { Device } from '#core/device/device.ts';
import type { AskedElsewhere, HomePort } from '#integrations/ports.ts';

/** Where commands from elsewhere come in. They have the rights of an API token. */
export type CommandDoor = ReturnType<typeof createCommandDoor>;

/** `asked` is undefined for what says nothing that the device knows. */
export type ReadCommand = {
  readonly device: Device;
  readonly asked: AskedElsewhere | undefined;
};

type CommandFault = { readonly code: string; readonly message: string };

type CommandCounts = {
  readonly accepted: number;
  readonly refused: number;
  readonly lastError: CommandFault | null;
};

export type CommandDoorDeps = Pick<Runtime, 'monotonicMs' | 'log'> & {
  readonly home: Pick<HomePort, 'command'>;
  /** `null`: nobody may command anything from there. */
  readonly apiToken: string | null;
  /** From where they come, in words: `over MQTT`. */
  readonly from: string;
};

/** A person drags a slider, a scene switches a floor; more than that is a loop or an attack. */
const RATION = { capacity: 100, refillMs: 50, maxNames: 16 };

export function createCommandDoor(deps: CommandDoorDeps) {
  const { home, apiToken, log, from } = deps;
  const ration = createTokenBuckets({ ...RATION, monotonicMs: deps.monotonicMs });
  let counts: CommandCounts = { accepted: 0, refused: 0, lastError: null };
  /** Faults that the log has, until a command works again: anybody may send thousands. */
  const logged = new Set<string>();

  const carryOut = (read: () => ReadCommand, sender: string): void => {
    if (!ration.take(sender)) throw refusal('TOO_MANY_COMMANDS', 'More commands came than the hub takes at once.');
    const { device, asked } = read();
    if (apiToken === null) throw refusal('NO_API_TOKEN', 'Choose an API token: commands act with its rights.');
    if (asked === undefined) throw refusal('INVALID_VALUE', 'The command says nothing that the device knows.');
    home.command(apiToken, device, asked);
  };

  return {
    /**
     * Carries out what `read` finds in a message, or refuses it. `null` if it was carried out, else why not. Never throws
     * for what a message says. Each sender with a name has a ration of its own.
     */
    take: (read: () => ReadCommand, sender: string = ''): CommandFault | null => {
      try {
        carryOut(read, sender);
        counts = { ...counts, accepted: counts.accepted + 1, lastError: null };
        logged.clear();
        return null;
      } catch (cause) {
        const known = cause instanceof HubError ? cause : cause instanceof Refusal ? cause : undefined;
        if (known === undefined) log.error(`a command ${from} failed`, { cause });
        const { code, message } = known ?? { code: 'INTERNAL_ERROR', message: 'The command failed.' };
        counts = { ...counts, refused: counts.refused + 1, lastError: { code, message } };
        log[logged.has(code) ? 'debug' : 'warn'](`a command ${from} is refused`, { code, reason: message });
        logged.add(code);
        return { code, message };
      }
    },
    counts: (): CommandCounts => counts,
  };
}

/** Codes that no answer of the API has. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** For what `read` throws. */
export function refusal(code: string, message: string): Error {
  return new Refusal(code, message);
}
