import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { SecretFiles } from '#base/secret-files.ts';

/** The hub's own secrets, 32 random bytes each, made once per install. Neither the database nor a backup holds them. */
export type Keys = {
  /** Signs access tokens. */
  readonly access: Buffer;
  /** Derives the successors of refresh tokens and marks a refresh token as one of this hub. */
  readonly refresh: Buffer;
};

const KEY_BYTES = 32;

/**
 * Reads the keys, or makes them. A file that cannot be a key is replaced and said so: the tokens made with it die,
 * people log in again. A disk that takes no write leaves a key that lasts until the next start.
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
    if (kept !== undefined) log.error(`${name} is damaged and was replaced: everybody has to log in again`);
  } catch (cause) {
    log.error(`${name} cannot be read and is replaced: everybody has to log in again`, { cause });
  }
  const key = random(KEY_BYTES);
  try {
    await files.write(name, key);
  } catch (cause) {
    log.error(`${name} cannot be written: tokens will not outlive a restart`, { cause });
  }
  return key;
}

/** A block that the disk lost reads as one byte repeated: the right length, but a key that anybody knows. */
function isKey(bytes: Buffer): boolean {
  return bytes.length === KEY_BYTES && bytes.some((byte) => byte !== bytes[0]);
}
