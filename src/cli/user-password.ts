import type { CommandCall } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { readNewPassword } from '#cli/input/password-input.ts';

export async function setPassword(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  // What is wrong with it is told before anybody types.
  await call.loadConfig();
  const password = await readNewPassword(call);
  await withHubAdmin(call, (admin) => admin.setPassword({ email, password }));
  return EXIT.ok;
}
