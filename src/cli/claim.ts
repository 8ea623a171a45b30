import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from './hub-access.ts';

export async function claim({ loadConfig, terminal }: CommandCall): Promise<ExitCode> {
  const { code } = await withHubAdmin(await loadConfig(), (admin) => admin.claim());
  if (code === null) throw new CliError(EXIT.data, 'the hub has an owner already, there is nothing to claim');
  terminal.print(code);
  if (terminal.isInteractive) {
    terminal.print('Who sends this code with POST /api/v1/setup becomes the owner of the hub.');
  }
  return EXIT.ok;
}
