import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const TEXTS = ['README.md', 'packaging/handbook.md', 'src/http/README.md'].map((path) =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8'),
);

/** What stands below a heading of the documents. */
export function sectionOf(heading: string): string {
  const sections = TEXTS.join('\n').split(/^(?=##)/m);
  return sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
}

/** The code blocks below a heading of the documents, as they stand there. */
export function blocksOf(heading: string, language: string): readonly string[] {
  return [...sectionOf(heading).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

export type Running = { readonly child: ChildProcess; readonly printed: () => string };

/** Runs a program in the folder until the test is over, with all that it starts. */
export function run(command: readonly [string, ...string[]], folder: string): Running {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: folder, detached: true, env: { ...process.env, PYTHONUNBUFFERED: '1' } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL');
  });
  return { child, printed: () => printed };
}

/** A folder that is there until the test is over. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
