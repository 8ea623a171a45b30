import { ROLES } from '#core/person/user.ts';
import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { readNewPassword } from '#cli/input/password-input.ts';

export async function addUser(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  const roleText = call.value('role') ?? 'resident';
  const role = ROLES.find((known) => known === roleText);
  if (role === undefined) throw new CliError(EXIT.usage, `--role must be one of ${ROLES.join(', ')}`);
  const name = call.value('name') ?? email.split('@')[0] ?? email;
  // What is wrong with it is told before anybody types.
  await call.loadConfig();
  const password = await readNewPassword(call);
  await withHubAdmin(call, (admin) => admin.addUser({ email, name, role, password }));
  return EXIT.ok;
}
