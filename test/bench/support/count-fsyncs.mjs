// Loaded into each thread of the daemon: a byte at the end of the file named by FSYNC_COUNT for each fsync.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const path = process.env['FSYNC_COUNT'] ?? '';
for (const name of /** @type {const} */ (['fsyncSync', 'fdatasyncSync'])) {
  const sync = fs[name];
  fs[name] = (descriptor) => {
    fs.appendFileSync(path, '.');
    sync(descriptor);
  };
}
syncBuiltinESMExports();
