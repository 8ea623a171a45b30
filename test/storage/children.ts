import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';

export type Child = {
  /** Lines on stdout so far. */
  readonly lines: string[];
  readonly errors: string[];
  /** Resolves once there are this many lines; rejects if the child ends before. */
  readonly until: (count: number) => Promise<void>;
  readonly kill: () => Promise<void>;
};

/** Bundles one of the programs in `children/`. */
export function bundleChild(name: string, folder: string): Promise<string> {
  return bundleEntry(join(import.meta.dirname, 'children', `${name}.ts`), folder);
}

export function startChild(entry: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const errors: string[] = [];
  const exited = once(child, 'close');
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  return {
    lines,
    errors,
    until: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (lines.length >= count) resolve();
        };
        waiting.add(look);
        void exited.then(() => reject(new Error(`the child ended: ${errors.join('\n')}`)));
        look();
      }),
    kill,
  };
}
