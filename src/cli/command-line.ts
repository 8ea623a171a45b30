import { parseArgs } from 'node:util';
import { codeOf } from '#base/errno.ts';
import { escapeControls } from '#base/log.ts';
import type { Config } from '#config/config.ts';
import { nearestName } from '#config/nearest-name.ts';
import type { Command, CommandCall, CommandOption } from './command.ts';
import { COMMANDS, GLOBAL_OPTIONS, INNER_COMMAND } from './command-table.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { failureFrom } from './failure.ts';
import type { Place } from './typed-command.ts';

export type CommandLineDeps = {
  /** Whole argument list without the program. */
  readonly argv: readonly string[];
  readonly version: string;
  readonly terminal: CommandCall['terminal'];
  /** One line for stderr. */
  readonly complain: (line: string) => void;
  /** The program itself; the hub's threads start from the same folder. */
  readonly program: URL;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly place: Place;
};

/** Runs the command of the command line; every failure becomes one line and an exit code. */
export async function runCommandLine(deps: CommandLineDeps): Promise<ExitCode> {
  try {
    return await dispatch(deps);
  } catch (error) {
    const { exitCode, message } = failureFrom(error);
    for (const line of message.split('\n')) deps.complain(`hearthd: ${escapeControls(line)}`);
    return exitCode;
  }
}

async function dispatch(deps: CommandLineDeps): Promise<ExitCode> {
  const { argv, version, place, program, environment, terminal } = deps;
  const found = findCommand(argv);
  if (found === undefined) {
    const [asked] = argv;
    if (argv.length === 0) throw usage('which command? See hearthd --help');
    if (argv.includes('--version')) terminal.print(`hearthd ${version}`);
    else if (argv.includes('--help') || argv.includes('-h') || asked === 'help') {
      terminal.print((await import('./help.ts')).describeProgram(version));
    } else throw unknownCommand(argv);
    return EXIT.ok;
  }
  const { command, rest } = found;
  const parsed = parse(command, rest);
  if (parsed.flag('help')) {
    terminal.print((await import('./help.ts')).describeCommand(command));
    return EXIT.ok;
  }
  checkArguments(command, parsed.arguments);
  const run = await command.load();
  return await run({
    ...parsed,
    loadConfig: () => loadConfigFor(parsed, deps),
    terminal,
    version,
    place,
    program,
    environment,
  });
}

type Parsed = Pick<CommandCall, 'arguments' | 'value' | 'flag'>;

async function loadConfigFor({ value }: Parsed, { environment, place }: CommandLineDeps): Promise<Config> {
  const { loadConfig } = await import('#config/load-config.ts');
  const loaded = loadConfig({
    environment,
    installed: place.installed,
    file: value('config'),
    stateDir: value('state-dir'),
  });
  if (loaded.ok) return loaded.config;
  throw new CliError(EXIT.config, loaded.problems.join('\n'));
}

/** The command is the first word or the first two; global options may come before it. */
function findCommand(argv: readonly string[]): { command: Command; rest: string[] } | undefined {
  const { tokens } = parseArgs({ args: [...argv], options: parseTable(GLOBAL_OPTIONS), strict: false, tokens: true });
  const words = tokens.filter((token) => token.kind === 'positional').slice(0, 2);
  for (const count of [2, 1]) {
    const name = words
      .map(({ value }) => value)
      .slice(0, count)
      .join(' ');
    const command = [...COMMANDS, INNER_COMMAND].find((candidate) => candidate.name === name);
    const used = new Set(words.slice(0, count).map(({ index }) => index));
    if (command !== undefined) return { command, rest: argv.filter((_, index) => !used.has(index)) };
  }
  return undefined;
}

function parse(command: Command, args: string[]): Parsed {
  const options = parseTable([...command.options, ...GLOBAL_OPTIONS]);
  try {
    const { values, positionals } = parseArgs({ args: withNegatives(args, options), options, allowPositionals: true });
    return {
      arguments: positionals,
      value: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
      flag: (name) => values[name] === true,
    };
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error)?.startsWith('ERR_PARSE_ARGS_') !== true) throw error;
    const { message } = error;
    const reason = message.split(/[.\n]/)[0] ?? message;
    throw usage(`${reason.charAt(0).toLowerCase()}${reason.slice(1)}, see hearthd ${command.name} --help`, error);
  }
}

/** `--from -30d` is `--from=-30d`: no option begins with a digit. */
function withNegatives(args: readonly string[], options: Readonly<Record<string, ParseOption>>): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const takesValue = before.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesValue && /^-\d/.test(arg)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

type ParseOption = { readonly type: 'string' | 'boolean'; readonly short?: string };

function parseTable(options: readonly CommandOption[]): Record<string, ParseOption> {
  const rows = options.map(({ name, value }): [string, ParseOption] => {
    return [name, { type: value === undefined ? 'boolean' : 'string', ...(name === 'help' ? { short: 'h' } : {}) }];
  });
  return Object.fromEntries(rows);
}

function checkArguments(command: Command, given: readonly string[]): void {
  const missing = command.arguments[given.length];
  if (missing !== undefined && !missing.startsWith('[')) {
    throw usage(`${command.name} needs ${missing}, see hearthd ${command.name} --help`);
  }
  const extra = given[command.arguments.length];
  if (extra !== undefined) throw usage(`what is ${JSON.stringify(extra)}? See hearthd ${command.name} --help`);
}

function unknownCommand(argv: readonly string[]): CliError {
  const words = argv.filter((word) => !word.startsWith('-'));
  const [asked] = words;
  if (asked === undefined) return usage('which command? See hearthd --help');
  const names = COMMANDS.map(({ name }) => name);
  const nearest = nearestName(words.slice(0, 2).join(' '), names) ?? nearestName(asked, names);
  const hint = nearest === undefined ? 'see hearthd --help' : `did you mean hearthd ${nearest}?`;
  return usage(`there is no command ${JSON.stringify(asked)}, ${hint}`);
}

function usage(message: string, cause?: unknown): CliError {
  return new CliError(EXIT.usage, message, cause);
}
