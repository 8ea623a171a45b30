import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of its own that runs one of the programs beside this file and answers messages. */
export type Child = {
  readonly pid: number;
  /** Sends a message and waits for the next one that comes back. */
  readonly ask: <Answer>(message: unknown) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

export function startChild(program: string): Child {
  const child: ChildProcess = fork(new URL(program, import.meta.url), { execArgv: [] });
  return {
    pid: child.pid ?? 0,
    ask: async (message) => {
      const answer = once(child, 'message');
      child.send(message as object);
      return (await answer)[0];
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
