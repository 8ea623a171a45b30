import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { threadUs } from '#test/bench/support/process-cost.ts';

/** The thread, beside the first one, that works most while `work` runs: while a question about the past is answered, the storage's. */
export async function findBusiestThread(pid: number, work: () => Promise<unknown>): Promise<number> {
  const others = (): number[] =>
    readdirSync(`/proc/${pid}/task`)
      .map(Number)
      .filter((id) => id !== pid);
  const before = new Map(others().map((id) => [id, threadUs(pid, id)]));
  await work();
  const used = others().map((id) => ({ id, us: threadUs(pid, id) - (before.get(id) ?? 0) }));
  const [busiest] = used.toSorted((left, right) => right.us - left.us);
  if (busiest === undefined) throw new Error(`the process ${pid} has one thread`);
  return busiest.id;
}

/** Linux knows a niceness of each thread. Going back to 0 needs root. */
export function renice(threadId: number, niceness: number): void {
  execFileSync('renice', ['-n', String(niceness), '-p', String(threadId)], { stdio: 'ignore' });
}
