import { fileURLToPath } from 'node:url';
import { errnoOf } from '#base/errno.ts';
import { isStderrJournal } from '#systemd/journal.ts';

declare const HEARTHD_VERSION: string;

/** Where the package puts the program; elsewhere it is a checkout or a copy, with its state beside it. */
const INSTALLED = '/usr/lib/hearthd/';

// Evaluates everything else only when it is needed: `version` needs no hub.
await runProgram();

async function runProgram(): Promise<void> {
  const level = isStderrJournal(process.env) ? '<3>' : '';
  const complain = (line: string): void => void process.stderr.write(`${level}${line}\n`);
  process.on('uncaughtException', (error) => {
    `hearthd: internal error: ${error.stack ?? error.message}`.split('\n').forEach(complain);
    process.exit(70);
  });
  // A journal or a reading process that is gone takes no more lines: that is no reason to end the hub.
  process.stderr.on('error', () => undefined);
  // The reader of the output may stop early, as in `hearthd user list | head -1`.
  process.stdout.on('error', (error) => process.exit(errnoOf(error) === 'EPIPE' ? 0 : 74));

  // Started by root as another user, who may have no access to the folders above the program.
  const file = fileURLToPath(import.meta.url).replace(/^\/proc\/self\/cwd(?=\/)/, process.cwd());
  const { runCommandLine } = await import('#cli/command-line.ts');
  const exitCode = await runCommandLine({
    argv: process.argv.slice(2),
    program: new URL(import.meta.url),
    environment: process.env,
    place: { installed: file.startsWith(INSTALLED), file, folder: process.cwd() },
    version: HEARTHD_VERSION,
    terminal: {
      print: (line) => void process.stdout.write(`${line}\n`),
      write: (text) => void process.stdout.write(text),
      prompt: (text) => void process.stderr.write(text),
      input: () => process.stdin,
      isInteractive: process.stdout.isTTY,
    },
    complain,
  });
  process.exit(exitCode);
}
