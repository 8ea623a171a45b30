import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemRandom } from '#base/random.ts';
import { acquireStateLock } from '#storage/engine/state-lock.ts';
import { bundleChild, startChild } from '#test/storage/children.ts';
import { createBench, makeFolder } from '#test/storage/storage-harness.ts';

describe('the state lock', () => {
  test('S2: refuses a second opener with a reason, until the first has closed', async () => {
    const bench = createBench();
    const first = await bench.openOwned();
    await expect(bench.openOwned()).rejects.toMatchObject({
      name: 'StorageRefusal',
      reason: 'in_use',
      message: `another hearthd is using ${bench.folders.state}`,
    });
    first.operations.meta.putMeta(new Map([['still', 'works']]));
    await first.close();
    const second = await bench.openOwned();
    expect(second.operations.meta.loadMeta()).toEqual(new Map([['still', 'works']]));
  });

  test('S2: another process is refused, and the lock dies with its holder', async () => {
    const bench = createBench();
    const child = startChild(await bundleChild('commit-child', makeFolder()), [bench.folders.state]);
    await child.until(3);
    await expect(bench.openOwned()).rejects.toMatchObject({ reason: 'in_use' });
    await child.kill();
    const engine = await bench.openOwned();
    expect(engine.operations.users.loadUsers().length).toBeGreaterThanOrEqual(2);
  });

  test('S2: goes to only one of two that start at once on a new folder', async () => {
    const folder = makeFolder();
    const tries = await Promise.allSettled([1, 2, 3].map(() => acquireStateLock(folder, systemRandom)));
    const held = tries.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(held).toHaveLength(1);
    for (const lock of held) await lock.release();
    expect(readdirSync(folder)).toEqual(['lock-secret']);
  });

  test('S2: has a name that other users cannot know, because it comes from a secret that only the owner may read', async () => {
    const folder = makeFolder();
    await (await acquireStateLock(folder, systemRandom)).release();
    const secret = readFileSync(join(folder, 'lock-secret'));
    expect(secret).toHaveLength(32);
    expect(statSync(join(folder, 'lock-secret')).mode & 0o777).toBe(0o600);
    const lock = await acquireStateLock(folder, systemRandom);
    const names = readFileSync('/proc/net/unix', 'utf8').match(/@hearthd:[0-9a-f]{64}/g) ?? [];
    expect(names).not.toEqual([]);
    expect(names.filter((name) => name.includes(secret.toString('hex')))).toEqual([]);
    expect(readFileSync(join(folder, 'lock-secret'))).toEqual(secret);
    for (const name of names) {
      // A peer that connects learns nothing and holds nothing.
      const socket = connect(name.replace('@', '\0'));
      socket.on('error', () => undefined);
      // A reset is an end as well: `once` of node:events would reject it.
      await new Promise((resolve) => socket.once('close', resolve));
    }
    await lock.release();
  });

  test.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link to what never ends', (path: string) => symlinkSync('/dev/zero', path)],
  ])('S2: %s in the place of its secret is refused at once', async (_, put) => {
    const folder = makeFolder();
    put(join(folder, 'lock-secret'));
    await expect(acquireStateLock(folder, systemRandom)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});
