import { HubError } from '#base/hub-error.ts';
import { type Command, isFinished } from './command.ts';

/** By which a caller who does not know whether a command was taken may ask again for the same one. */
export type Replay = {
  /** Made from who asks and the key that they chose. */
  readonly key: string;
  /** Says what was asked for: another one with the same key is another request. */
  readonly fingerprint: string;
};

/** The last commands, in memory. */
export type CommandLog = {
  readonly add: (command: Command, replay: Replay | null) => void;
  /** Takes the place of the earlier state of the same command. */
  readonly replace: (command: Command) => void;
  readonly find: (id: string) => Command | undefined;
  /** The command that was already made for this. Throws HubError IDEMPOTENCY_KEY_REUSED where it was for something else. */
  readonly findReplay: (replay: Replay) => Command | undefined;
};

const MAX_COMMANDS = 1000;
/** A command for many devices weighs as many: so many results are kept in all. */
const MAX_RESULTS = 20_000;

export function createCommandLog(): CommandLog {
  const commands = new Map<string, { command: Command; readonly replay: Replay | null }>();
  const replays = new Map<string, { readonly id: string; readonly fingerprint: string }>();
  let resultCount = 0;

  /** Never one that is still under way: of those there is at most one for each feature of the home. */
  const forgetOldest = (): void => {
    for (const [id, { command, replay }] of commands) {
      if (commands.size <= MAX_COMMANDS && resultCount <= MAX_RESULTS) return;
      if (!isFinished(command)) continue;
      commands.delete(id);
      resultCount -= command.results.length;
      if (replay !== null) replays.delete(replay.key);
    }
  };

  return {
    add: (command, replay) => {
      commands.set(command.id, { command, replay });
      if (replay !== null) replays.set(replay.key, { id: command.id, fingerprint: replay.fingerprint });
      resultCount += command.results.length;
      forgetOldest();
    },
    replace: (command) => {
      const kept = commands.get(command.id);
      if (kept !== undefined) kept.command = command;
    },
    find: (id) => commands.get(id)?.command,
    findReplay: ({ key, fingerprint }) => {
      const known = replays.get(key);
      if (known === undefined) return undefined;
      if (known.fingerprint !== fingerprint) {
        throw new HubError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another command.');
      }
      return commands.get(known.id)?.command;
    },
  };
}
