import type { Config } from '#config/config.ts';
import type { ExitCode } from './exit-code.ts';
import type { Place } from './typed-command.ts';

/** Where a command reads and writes. */
export type Terminal = {
  /** One line on stdout. */
  readonly print: (line: string) => void;
  /** Writes the text unchanged to stdout. */
  readonly write: (text: string) => void;
  /** Writes the text unchanged to stderr, without a line end: prompts. */
  readonly prompt: (text: string) => void;
  readonly input: () => NodeJS.ReadStream;
  /** Whether a person reads stdout. */
  readonly isInteractive: boolean;
};

/** One call of one command, its command line already checked against the table. */
export type CommandCall = {
  readonly arguments: readonly string[];
  /** Value of `--name VALUE`. */
  readonly value: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
  /** Rejects with CliError 78 with every problem of the configuration. */
  readonly loadConfig: () => Promise<Config>;
  readonly terminal: Terminal;
  readonly version: string;
  /** Where the program is, and where the person who calls it is. */
  readonly place: Place;
  /** The program itself; the hub's threads start from the same folder. */
  readonly program: URL;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type CommandOption = {
  readonly name: string;
  /** Name of its value; absent for a switch. */
  readonly value?: string;
  readonly meaning: string;
};

/** One row of the table of commands: all that help, manual and shell completion need. */
export type Command = {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  /** Positional arguments in order; optional ones in brackets. */
  readonly arguments: readonly string[];
  readonly options: readonly CommandOption[];
  /** Loaded only when it is called: `hearthd version` must not evaluate the whole program. */
  readonly load: () => Promise<(call: CommandCall) => ExitCode | Promise<ExitCode>>;
};
