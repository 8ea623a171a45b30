import { readFileSync } from 'node:fs';

/**
 * Tests whether a password in lower case is on the list. The list is read for each asker and then dropped:
 * passwords are set a few times in a hub's life.
 */
export function readCommonPasswords(): (password: string) => boolean {
  const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return (password) => !password.includes('\n') && list.includes(`\n${password}\n`);
}
