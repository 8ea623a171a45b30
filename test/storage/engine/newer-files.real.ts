import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemRandom } from '#base/random.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { MIGRATIONS } from '#storage/engine/schema.ts';
import { HOURS_MIGRATIONS } from '#storage/hours/hours-file.ts';
import { MONTH_MIGRATIONS } from '#storage/history/month-file.ts';
import { JOURNAL_MIGRATIONS } from '#storage/journal/journal-file.ts';
import { restoreUnopened } from '#storage/open/open-storage.ts';
import { createBench, sqlite } from '#test/storage/storage-harness.ts';
import { makeUser, NOW_MS } from '#test/storage/storage-makers.ts';

/** Every file with its content and times. */
function look(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { mtimeMs, ino, mode } = statSync(join(folder, name));
      const isFile = statSync(join(folder, name)).isFile();
      return `${name} ${ino} ${mode} ${isFile ? `${mtimeMs} ${readFileSync(join(folder, name)).toString('base64')}` : ''}`;
    });
}

test.each([
  ['hearthd.db', MIGRATIONS.length],
  ['journal.db', JOURNAL_MIGRATIONS.length],
  ['history/2026-01.db', MONTH_MIGRATIONS.length],
  ['history/hours-2026.db', HOURS_MIGRATIONS.length],
])('a newer %s is refused, nothing changes on disk, and a restore keeps it', async (name, known) => {
  const bench = createBench();
  const { state } = bench.folders;
  const engine = await bench.openOwned({ version: '0.9.0' });
  engine.operations.users.insertUser(makeUser(1, { role: 'owner' }));
  const { id } = engine.operations.backups.make();
  await engine.close();
  mkdirSync(dirname(join(state, name)), { recursive: true });
  const file = openDatabase(sqlite, join(state, name));
  file.exec(`PRAGMA user_version=${known + 1}`);
  file.close();
  const before = look(state);
  for (const _again of [1, 2]) {
    await expect(bench.openOwned()).rejects.toMatchObject({
      reason: 'too_new',
      message: expect.stringMatching(
        new RegExp(`has schema ${known + 1}; this one knows ${known}.*install hearthd 0\\.9\\.0 or a later one again`),
      ) as string,
    });
  }
  expect(look(state)).toEqual(before);

  const deps = { folders: bench.folders, log: bench.log, wallMs: () => NOW_MS, random: systemRandom };
  await restoreUnopened(deps, join(state, 'backups', `${id}.db`));
  const again = await bench.openOwned();
  expect(again.operations.users.loadUsers()).toHaveLength(1);
  expect(readdirSync(join(state, 'corrupt'), { recursive: true }).join(' ')).toContain(name.replace('history/', ''));
});
