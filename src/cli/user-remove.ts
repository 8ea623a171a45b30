import type { CommandCall } from './command.ts';
import { confirm } from '#cli/input/confirm.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';

export async function removeUser(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  await confirm(call, `Remove the account ${email}?`);
  await withHubAdmin(call, (admin) => admin.removeUser({ email }));
  return EXIT.ok;
}
