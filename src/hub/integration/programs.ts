import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromProgram } from '#integrations/ports.ts';
import type { Program, StartProgram } from './shared-programs.ts';

/**
 * Heap of a program, and its limit for new objects: a process that needs more ends, and does not take the memory of the
 * hub. It has no environment, no input, and no arguments: all that it knows came over the channel.
 */
const LIMITS = ['--max-old-space-size=192', '--max-semi-space-size=4'];
/** Of what it printed at its end. */
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
    return {
      send: (message) => {
        // Between its end and the news of that, a message is lost as it would be a moment earlier.
        if (child.connected) child.send(message, () => undefined);
      },
      ended,
      kill: () => void child.kill('SIGKILL'),
    };
  };
}
