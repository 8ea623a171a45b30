import { constants, createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandCall } from './command.ts';
import { confirm } from '#cli/input/confirm.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { findFileUser, runOnFileAs } from '#cli/input/named-file.ts';

export async function restore(call: CommandCall): Promise<ExitCode> {
  const [given = ''] = call.arguments;
  const file = resolve(given);
  const question = `Replace the present state of the hub with ${given}? Everyone will be logged out.`;
  const user = await findFileUser(call, file);
  if (user !== undefined) {
    await confirm(call, question);
    return await runOnFileAs(user, call, ['restore', '--yes', file]);
  }
  // Opened here, as only root may be able to read it. Non-blocking, so that a pipe does not hold this up.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new CliError(EXIT.noInput, `the backup ${given} cannot be read`, cause);
  });
  try {
    if (!(await handle.stat()).isFile()) throw new CliError(EXIT.noInput, `${given} is not a file`);
    await confirm(call, question);
    const content = createReadStream(file, { fd: handle, autoClose: false });
    await withHubAdmin(call, (admin) => admin.restoreBackup(content as AsyncIterable<Uint8Array>));
  } finally {
    await handle.close();
  }
  return EXIT.ok;
}
