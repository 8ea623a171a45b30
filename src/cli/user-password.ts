import type { CommandCall } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from './hub-access.ts';
import { readNewPassword } from './password-input.ts';

export async function setPassword(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  const config = await call.loadConfig();
  const password = await readNewPassword(call);
  await withHubAdmin(config, (admin) => admin.setPassword({ email, password }));
  return EXIT.ok;
}
