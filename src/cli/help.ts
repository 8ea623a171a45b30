import { OPTION_KEYS, optionOf } from '#config/option-table.ts';
import { COMMANDS, GLOBAL_OPTIONS } from './command-table.ts';
import type { Command, CommandOption } from './command.ts';

/** The whole program at a glance. */
export function describeProgram(version: string): string {
  return [
    `hearthd ${version}: the hub of a home, one HTTP API on the local network`,
    '',
    'Usage: hearthd COMMAND [OPTIONS]',
    '',
    'Commands:',
    ...columns(COMMANDS.map((command) => [usageOf(command), command.summary])),
    '',
    'Options of every command:',
    ...columns(GLOBAL_OPTIONS.map(optionLine)),
    '',
    'hearthd serve --help lists what can be configured.',
  ].join('\n');
}

export function describeCommand(command: Command): string {
  const lines = [`Usage: hearthd ${usageOf(command)} [OPTIONS]`, '', command.summary, '', 'Options:'];
  lines.push(...columns([...command.options, ...GLOBAL_OPTIONS].map(optionLine)));
  if (command.name === 'serve') lines.push('', ...describeConfiguration());
  return lines.join('\n');
}

/** Every option of the configuration. */
export function describeConfiguration(): string[] {
  const options = OPTION_KEYS.map((key) => ({ key, ...optionOf(key) }));
  return [
    'Configuration, by key in the file and by environment variable, which wins:',
    ...options.flatMap(({ key, variable, meaning, kind, default: value, defaultText }) => [
      '',
      `  ${key}  ${variable}`,
      `      ${meaning}`,
      `      ${sentence(kind.allowed)}. Default: ${defaultText ?? describeDefault(value)}.`,
    ]),
  ];
}

function describeDefault(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function usageOf(command: Command): string {
  return [command.name, ...command.arguments].join(' ');
}

function optionLine({ name, value, meaning }: CommandOption): [string, string] {
  return [value === undefined ? `--${name}` : `--${name} ${value}`, meaning];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
