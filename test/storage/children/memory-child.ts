import { join } from 'node:path';
import { openDatabase, loadSqlite } from '#storage/engine/database.ts';

// Prints by how many bytes the process grew to load SQLite and work with it.
const before = process.memoryUsage().rss;
const sqlite = await loadSqlite();
const database = openDatabase(sqlite, join(process.argv[2] ?? '', 'memory.db'));
database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
database.transaction(() => {
  for (let number = 0; number < 50_000; number += 1) database.run('INSERT INTO t VALUES (?, ?)', [number, 'some text']);
});
database.all('PRAGMA quick_check');
database.close();
process.stdout.write(String(process.memoryUsage().rss - before));
