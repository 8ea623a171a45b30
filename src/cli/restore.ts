import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CommandCall } from './command.ts';
import { confirm } from './confirm.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from './hub-access.ts';

export async function restore(call: CommandCall): Promise<ExitCode> {
  const [file = ''] = call.arguments;
  // Opened before the hub is: it may have to be read as root, while the hub's state is opened as its owner.
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw new CliError(EXIT.noInput, `the backup ${file} cannot be read`, cause);
  });
  try {
    if (!(await handle.stat()).isFile()) throw new CliError(EXIT.noInput, `${file} is not a file`);
    await confirm(call, `Replace the present state of the hub by ${file}? Everybody is logged out.`);
    const content = createReadStream(file, { fd: handle, autoClose: false });
    await withHubAdmin(await call.loadConfig(), (admin) => admin.restoreBackup(content as AsyncIterable<Uint8Array>));
  } finally {
    await handle.close();
  }
  return EXIT.ok;
}
