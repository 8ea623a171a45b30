import { escapeControls } from '#base/log.ts';
import type { CommandCall } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';

/** Aligned for a person, tabs for a program. */
export async function listUsers(call: CommandCall): Promise<ExitCode> {
  const users = await withHubAdmin(call, (admin) => admin.listUsers());
  const { terminal } = call;
  const rows = users.map(({ email, role, name }) => [email, role, name].map(escapeControls));
  const width = Math.max(0, ...rows.map(([email = '']) => email.length));
  for (const [email = '', role = '', name = ''] of rows) {
    terminal.print(
      terminal.isInteractive ? `${email.padEnd(width)}  ${role.padEnd(8)}  ${name}` : [email, role, name].join('\t'),
    );
  }
  return EXIT.ok;
}
