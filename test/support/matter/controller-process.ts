import { readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** An app of another maker, as a process in the LAN. */
export type Controller = {
  readonly pid: number;
  readonly call: (call: string, args?: object) => Promise<unknown>;
  /** It keeps its sockets, and answers nothing any more. */
  readonly freeze: () => void;
  readonly isFrozen: () => boolean;
  readonly goOn: () => void;
  readonly kill: () => void;
};

type Answer = { readonly result?: unknown; readonly error?: string };
type Said = Answer & { readonly ready?: true; readonly id?: number };

/** Waits until it can be called. It reads one call per line, and answers with a line. */
export async function awaitController(child: ChildProcess): Promise<Controller> {
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => (printed = `${printed}${chunk.toString()}`.slice(-20_000)));
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (!line.startsWith('{')) return;
      const said = JSON.parse(line) as Said;
      if (said.ready === true) resolve();
      else waiting.get(said.id ?? 0)?.(said);
    });
    child.once('exit', (code) => {
      reject(new Error(`the controller ended with ${code}: ${printed}`));
      for (const end of waiting.values()) end({ error: `the controller ended: ${printed}` });
    });
  });
  return {
    pid: child.pid ?? 0,
    freeze: () => void child.kill('SIGSTOP'),
    isFrozen: () => / T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8')),
    goOn: () => void child.kill('SIGCONT'),
    kill: () => void child.kill('SIGKILL'),
    call: async (call, args = {}) => {
      last += 1;
      const id = last;
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      child.stdin?.write(`${JSON.stringify({ ...args, id, call })}\n`);
      const { result, error } = await answered;
      waiting.delete(id);
      if (error !== undefined) throw new Error(`${call} ${JSON.stringify(args)}: ${error}`);
      return result;
    },
  };
}
