import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKeys } from '#auth/session/keys.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { systemRandom } from '#base/random.ts';
import { createSecretFolder } from '#test/support/hub/auth-harness.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const NAME = 'access-token.key';

function createHarness() {
  const folder = createSecretFolder();
  const files = createSecretFiles(folder);
  const { log, lines } = createRecordingLog();
  return { folder, files, lines, path: join(folder, NAME), open: () => openKeys(files, { random: systemRandom, log }) };
}

test('only the owner can read a secret and its folder, and no draft is left', async () => {
  const { folder, files } = createHarness();
  await files.write('code', Buffer.from('old'));
  await files.write('code', Buffer.from('new'));
  expect(readFileSync(join(folder, 'code'), 'utf8')).toBe('new');
  expect(statSync(join(folder, 'code')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual(['code']);
});

test('a draft left by a power cut does not prevent the next write', async () => {
  const { folder, files } = createHarness();
  await files.write('code', Buffer.from('old'));
  writeFileSync(join(folder, 'code.new'), 'half', { mode: 0o644 });
  await files.write('code', Buffer.from('new'));
  expect(readdirSync(folder)).toEqual(['code']);
  expect(statSync(join(folder, 'code')).mode & 0o777).toBe(0o600);
});

test('a secret that others could read is closed to them when it is read', async () => {
  const { folder, files } = createHarness();
  await files.write('code', Buffer.from('x'));
  chmodSync(join(folder, 'code'), 0o644);
  expect((await files.read('code'))?.toString()).toBe('x');
  expect(statSync(join(folder, 'code')).mode & 0o777).toBe(0o600);
});

test('a missing secret reads as undefined, and may be removed', async () => {
  const { folder, files } = createHarness();
  expect(await files.read('code')).toBeUndefined();
  await files.remove('code');
  await files.write('code', Buffer.from('x'));
  await files.remove('code');
  expect(existsSync(join(folder, 'code'))).toBe(false);
});

test('A6: keys are 32 bytes each, differ, and stay the same', async () => {
  const { open, path } = createHarness();
  const keys = await open();
  expect([keys.access.length, keys.refresh.length]).toEqual([32, 32]);
  expect(keys.access.equals(keys.refresh)).toBe(false);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await open()).toEqual(keys);
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['short', Buffer.alloc(31, 'key')],
  ['long', Buffer.alloc(33, 'key')],
  ['all zeros, as a lost block reads', Buffer.alloc(32)],
  ['all ones, as an erased block reads', Buffer.alloc(32, 0xff)],
])('A6: a key file that is %s is replaced and said so', async (_name, bytes) => {
  const { open, path, lines } = createHarness();
  await open();
  writeFileSync(path, bytes);
  const { access } = await open();
  expect(access.equals(bytes)).toBe(false);
  expect(readFileSync(path).equals(access)).toBe(true);
  expect(lines.join()).toContain('all users have to log in again');
});

test('A6: where a key can be neither read nor written there is one until the next start', async () => {
  const { open, path, lines } = createHarness();
  mkdirSync(path, { recursive: true });
  const { access } = await open();
  expect(access).toHaveLength(32);
  expect(lines.join()).toContain('will not outlive a restart');
});

test.each([
  ['a pipe without a writer', (path: string) => void execFileSync('mkfifo', [path])],
  ['a link to what never ends', (path: string) => symlinkSync('/dev/zero', path)],
  ['more than any secret', (path: string) => writeFileSync(path, 'x'.repeat(65_537))],
])('%s is no secret, and reading it does not wait', async (_, put) => {
  const { folder, files } = createHarness();
  mkdirSync(folder, { recursive: true });
  put(join(folder, 'code'));
  await expect(files.read('code')).rejects.toThrow('is not what the hub has put there');
});
