import type { CommandCall } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

export function printVersion({ terminal, version }: CommandCall): ExitCode {
  terminal.print(`hearthd ${version}`);
  return EXIT.ok;
}
