import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { SecretFiles } from '#base/secret-files.ts';

/**
 * The hub's own secrets, 32 random bytes each, created once per install. They are neither in the database nor in
 * backups.
 */
export type Keys = {
  readonly access: Buffer;
  /** Derives the successors of refresh tokens and the tag that shows a refresh token to be one of this hub. */
  readonly refresh: Buffer;
};

const KEY_BYTES = 32;

/**
 * Reads the keys, or creates them. A damaged file is replaced and the log says so: its tokens become invalid and people
 * log in again. If the disk takes no write, the new key lasts until the next start.
 */
export async function openKeys(files: SecretFiles, deps: { random: Random; log: Log }): Promise<Keys> {
  return {
    access: await openKey('access-token.key', files, deps),
    refresh: await openKey('refresh-token.key', files, deps),
  };
}

async function openKey(name: string, files: SecretFiles, deps: { random: Random; log: Log }): Promise<Buffer> {
  const { random, log } = deps;
  try {
    const kept = await files.read(name);
    if (kept !== undefined && isKey(kept)) return kept;
    if (kept !== undefined) log.error(`${name} is damaged and was replaced: all users have to log in again`);
  } catch (cause) {
    log.error(`${name} cannot be read and is replaced: all users have to log in again`, { cause });
  }
  const key = random(KEY_BYTES);
  try {
    await files.write(name, key);
  } catch (cause) {
    log.error(`${name} cannot be written: tokens will not outlive a restart`, { cause });
  }
  return key;
}

/** A block that the disk lost reads as one byte repeated: it has the right length, but anyone could guess it. */
function isKey(bytes: Buffer): boolean {
  return bytes.length === KEY_BYTES && bytes.some((byte) => byte !== bytes[0]);
}
