import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromProgram } from '#integrations/ports.ts';
import type { Program, StartProgram } from '#hub/program-watch.ts';

/**
 * Heap of a program, and its limit for new objects: a process that needs more ends, and does not take the memory of the
 * hub. It has no environment, no input, and no arguments: all that it knows came over the channel.
 */
const LIMITS = ['--max-old-space-size=192', '--max-semi-space-size=4'];
/**
 * A program may leave so many bytes untaken. One that is alive takes them in far less than a minute; one that hangs
 * would let the memory of the hub fill.
 */
const MOST_WAITING = 8_388_608;
/** The most text that is kept of what a program printed at its end. */
const MOST_TEXT = 2_000;

/** Starts the programs beside the hub's own file. Each ends with the channel to it, also after a crash of the hub. */
export function createProgramStarter(bundleUrl: URL): StartProgram {
  return (name, onMessage): Program => {
    const child = fork(fileURLToPath(new URL(`${name}.mjs`, bundleUrl)), [], {
      env: {},
      cwd: '/',
      execArgv: LIMITS,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-MOST_TEXT);
    });
    // The program is of this version.
    child.on('message', (said) => onMessage(said as FromProgram));
    const ended = new Promise<string>((resolve) => {
      child.once('error', (cause) => resolve(cause.message));
      child.once('exit', (code, signal) => {
        const reason = printed.split('\n').find((line) => /^(?:\w*Error\b|FATAL)/.test(line)) ?? '';
        resolve(
          [signal === null ? `code ${code}` : `signal ${signal}`, reason].filter((text) => text !== '').join(', '),
        );
      });
    });
    /** Characters that did not fit the channel at once, and are still in the memory of the hub. */
    let waiting = 0;
    let isFull = false;
    return {
      send: (message) => {
        // Between its end and the news of that, a message is lost as it would be a moment earlier.
        if (!child.connected) return;
        // What waited before counts and not this message, so that a large one alone can always be sent.
        if (waiting > MOST_WAITING) {
          isFull = true;
          child.kill('SIGKILL');
          return;
        }
        let size = 0;
        const fits = child.send(message, () => (waiting -= size));
        if (fits) return;
        size = JSON.stringify(message).length;
        waiting += size;
      },
      ended: ended.then((why) => (isFull ? 'it took no messages any more' : why)),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}
