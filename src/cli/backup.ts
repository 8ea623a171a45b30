import { constants, copyFileSync } from 'node:fs';
import { chmod, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from './hub-access.ts';

export async function backup({ arguments: [file], loadConfig, terminal }: CommandCall): Promise<ExitCode> {
  const made = await withHubAdmin(await loadConfig(), (admin) => admin.makeBackup());
  if (file !== undefined) await copyTo(made.path, resolve(file));
  terminal.print(file === undefined ? made.path : resolve(file));
  return EXIT.ok;
}

/** Never over a file that is there: it may be the only good backup. */
async function copyTo(from: string, to: string): Promise<void> {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') throw new CliError(EXIT.cannotCreate, `${to} is there already, choose another name`, cause);
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO') await rm(to, { force: true });
    throw new CliError(EXIT.cannotCreate, `the backup was made (${from}) but not copied`, cause);
  }
  await chmod(to, 0o600);
  for (const path of [to, dirname(to)]) await syncToDisk(path);
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
