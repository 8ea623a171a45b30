import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OracleCase } from './template-judge.ts';

/** Asks the real Home Assistant again about these steps; needs its environment and mosquitto. */
export function askHomeAssistant(
  python: string,
  questions: readonly Omit<OracleCase, 'answers'>[],
): readonly OracleCase[] {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-oracle-'));
  try {
    const [asked, answered] = [join(folder, 'cases.jsonl'), join(folder, 'answers.jsonl')];
    writeFileSync(asked, questions.map(({ name, steps }) => `${JSON.stringify({ name, steps })}\n`).join(''));
    const judge = join(import.meta.dirname, 'home_assistant_oracle.py');
    const run = spawnSync(python, [judge, 'ask', asked, answered], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (run.status !== 0) throw new Error(`the judge failed: ${run.stderr.slice(-1_000)}`);
    const answers = readFileSync(answered, 'utf8').trim().split('\n');
    return questions.map((one, at) => {
      const { answers: own } = JSON.parse(answers[at] ?? '{}') as Pick<OracleCase, 'answers'>;
      return { ...one, answers: own };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
