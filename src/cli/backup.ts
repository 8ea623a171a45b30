import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncToDisk } from '#base/durable-file.ts';
import { errnoOf } from '#base/errno.ts';
import { escapeControls } from '#base/log.ts';
import type { HubAdmin } from '#control/hub-admin.ts';
import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { findFileUser, runOnFileAs } from '#cli/input/named-file.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** A house of ten thousand devices takes some 60 MB; a hub under an attacker's control must not fill the disk. */
const MAX_BYTES = 1024 ** 3;

export async function backup(call: CommandCall): Promise<ExitCode> {
  const [given] = call.arguments;
  if (given === undefined) {
    const { path } = await withHubAdmin(call, (admin) => admin.makeBackup());
    call.terminal.print(escapeControls(path));
    return EXIT.ok;
  }
  const file = resolve(given);
  const user = await findFileUser(call, file);
  if (user !== undefined) return await runOnFileAs(user, call, ['backup', file]);
  const target = await createTarget(file);
  try {
    await withHubAdmin(call, (admin) => copyTo(target, file, admin));
    await target.sync();
  } catch (cause) {
    await rm(file, { force: true });
    throw cause;
  } finally {
    await target.close();
  }
  await syncToDisk(dirname(file));
  call.terminal.print(file);
  return EXIT.ok;
}

/** Never overwrites a file: it may be the only good backup. */
async function createTarget(file: string): Promise<FileHandle> {
  try {
    return await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (cause) {
    const isThere = errnoOf(cause) === 'EEXIST';
    const message = isThere ? `${file} exists already, choose another name` : `${file} cannot be created`;
    throw new CliError(EXIT.cannotCreate, message, cause);
  }
}

/** Takes the bytes from the hub; the path that it gives is only shown, never opened. */
async function copyTo(target: FileHandle, file: string, admin: HubAdmin): Promise<void> {
  const { id, path } = await admin.makeBackup();
  try {
    let bytes = 0;
    for await (const chunk of await admin.readBackup({ id })) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error('the hub sends more than any backup can have');
      await target.writeFile(chunk);
    }
  } catch (cause) {
    throw new CliError(EXIT.cannotCreate, `the backup was made (${path}) but not copied to ${file}`, cause);
  }
}
