import { escapeControls } from '#base/log.ts';
import { confirm } from '#cli/input/confirm.ts';
import { readNewPassword } from '#cli/input/password-input.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { ROLES } from '#core/person/user.ts';
import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';

export async function claim(call: CommandCall): Promise<ExitCode> {
  const { code } = await withHubAdmin(call, (admin) => admin.claim());
  if (code === null) throw new CliError(EXIT.data, 'the hub has an owner already, there is nothing to claim');
  call.terminal.print(escapeControls(code));
  if (call.terminal.isInteractive) {
    call.terminal.print('The person who sends this code with POST /api/v1/setup becomes the owner of the hub.');
  }
  return EXIT.ok;
}

export async function addUser(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  const roleText = call.value('role') ?? 'resident';
  const role = ROLES.find((known) => known === roleText);
  if (role === undefined) throw new CliError(EXIT.usage, `--role must be one of ${ROLES.join(', ')}`);
  const name = call.value('name') ?? email.split('@')[0] ?? email;
  // Reports a bad configuration before the person types a password.
  await call.loadConfig();
  const password = await readNewPassword(call);
  await withHubAdmin(call, (admin) => admin.addUser({ email, name, role, password }));
  return EXIT.ok;
}

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

export async function setPassword(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  // Reports a bad configuration before the person types a password.
  await call.loadConfig();
  const password = await readNewPassword(call);
  await withHubAdmin(call, (admin) => admin.setPassword({ email, password }));
  return EXIT.ok;
}

export async function removeUser(call: CommandCall): Promise<ExitCode> {
  const [email = ''] = call.arguments;
  await confirm(call, `Remove the account ${email}?`);
  await withHubAdmin(call, (admin) => admin.removeUser({ email }));
  return EXIT.ok;
}
