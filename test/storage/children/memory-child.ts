import { once } from 'node:events';
import { join } from 'node:path';
import { openDatabase, loadSqlite } from '#storage/engine/database.ts';

// Says when it is about to load SQLite and work with it, and when it has, so that its memory can be read then.
process.stdout.write('at rest\n');
await once(process.stdin, 'data');
const sqlite = await loadSqlite();
const database = openDatabase(sqlite, join(process.argv[2] ?? '', 'memory.db'));
database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
database.transaction(() => {
  for (let number = 0; number < 50_000; number += 1) database.run('INSERT INTO t VALUES (?, ?)', [number, 'some text']);
});
database.all('PRAGMA quick_check');
database.close();
process.stdout.write('has worked\n');
await once(process.stdin, 'data');
