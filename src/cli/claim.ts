import { escapeControls } from '#base/log.ts';
import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';

export async function claim(call: CommandCall): Promise<ExitCode> {
  const { code } = await withHubAdmin(call, (admin) => admin.claim());
  if (code === null) throw new CliError(EXIT.data, 'the hub has an owner already, there is nothing to claim');
  call.terminal.print(escapeControls(code));
  if (call.terminal.isInteractive) {
    call.terminal.print('Who sends this code with POST /api/v1/setup becomes the owner of the hub.');
  }
  return EXIT.ok;
}
