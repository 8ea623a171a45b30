import { expect, test } from 'vitest';
import { isJournal } from '#systemd/journal.ts';

test('stderr is the journal only if its device and inode are those that systemd named', () => {
  expect(isJournal('8:1234', { dev: 8, ino: 1234 })).toBe(true);
  expect(isJournal('8:1234', { dev: 8, ino: 1235 })).toBe(false);
  expect(isJournal(undefined, { dev: 8, ino: 1234 })).toBe(false);
});
