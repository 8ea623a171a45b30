// Loaded before the hub by `node --require`: makes it get one thing wrong, for the tests that must notice.
const fs = require('node:fs');

const isLog = (path) => String(path).endsWith('-wal');

/** A commit is acknowledged while its bytes still wait in the process. */
function holdWritesBack() {
  const { openSync, writeSync, readSync, fstatSync, ftruncateSync, closeSync } = fs;
  const logs = new Set();
  const held = [];
  const flush = () => {
    for (const args of held.splice(0)) writeSync(...args);
  };
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    if (isLog(path)) logs.add(fd);
    return fd;
  };
  fs.writeSync = (...args) => {
    const [fd, bytes, from, length, position] = args;
    if (!logs.has(fd)) return writeSync(...args);
    if (held.length === 0) setTimeout(flush, 400).unref();
    held.push([fd, Buffer.from(bytes.subarray(from, from + length)), 0, length, position]);
    return length;
  };
  for (const [name, original] of Object.entries({ readSync, fstatSync, ftruncateSync, closeSync })) {
    fs[name] = (...args) => {
      if (logs.has(args[0])) flush();
      return original(...args);
    };
  }
}

/** The log is not removed at the end, as if nobody had moved it into the database. */
function keepLog() {
  const { unlinkSync } = fs;
  fs.unlinkSync = (path) => (isLog(path) ? undefined : unlinkSync(path));
}

/** The folder of backups looks empty. */
function overlookBackups() {
  const { readdirSync } = fs;
  fs.readdirSync = (path, ...rest) => (String(path).endsWith('/backups') ? [] : readdirSync(path, ...rest));
}

const mistakes = { 'held writes': holdWritesBack, 'kept log': keepLog, 'unseen backups': overlookBackups };
mistakes[process.env.MISTAKE]();
