import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What came of a file. `reasons` are the names of what failed, or the errors outside of tests; empty if nothing failed. */
export type FileOutcome = {
  readonly file: string;
  readonly passed: number;
  readonly skipped: readonly string[];
  readonly reasons: readonly string[];
};
/** What came of a run; `unhandled` are errors that came while no file ran. */
export type Outcome = { readonly files: readonly FileOutcome[]; readonly unhandled: readonly string[] };

/** More than a test and a hook may take together. Vitest cannot end a file whose process is busy for ever. */
const SILENCE_MS = 12 * 60_000;

/**
 * Writes the outcome of the run to `path`, for the gate and for campaigns. With `hasDeadline`, ends a run that gave no
 * result for SILENCE_MS; its outcome has only the files that were under way.
 */
export function createOutcomeReporter(path: string, hasDeadline: boolean): Reporter {
  const underWay = new Set<string>();
  const endSilence = (): never => {
    const reason = `no result for ${SILENCE_MS / 60_000} minutes`;
    const files = [...underWay].map((file) => ({ file, passed: 0, skipped: [], reasons: [reason] }));
    writeFileSync(path, JSON.stringify({ files, unhandled: [reason] } satisfies Outcome));
    for (const pid of readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean))
      process.kill(Number(pid), 'SIGKILL');
    process.exit(1);
  };
  let deadline: NodeJS.Timeout | undefined;
  const restart = (): void => {
    clearTimeout(deadline);
    if (hasDeadline) deadline = setTimeout(endSilence, SILENCE_MS);
  };
  return {
    onTestRunStart: restart,
    onTestCaseResult: restart,
    onTestModuleQueued: ({ relativeModuleId }) => {
      underWay.add(relativeModuleId);
    },
    onTestModuleEnd: ({ relativeModuleId }) => {
      underWay.delete(relativeModuleId);
      restart();
    },
    onTestRunEnd: (modules, unhandledErrors) => {
      clearTimeout(deadline);
      const stray = unhandledErrors.map(({ message, ...rest }) => ({ message, path: rest['VITEST_TEST_PATH'] }));
      const files = modules.map((module) => {
        const during = stray.filter(({ path }) => path === module.moduleId).map(({ message }) => message);
        return outcomeOf(module, during);
      });
      const paths = new Set<unknown>(modules.map(({ moduleId }) => moduleId));
      const unhandled = stray.filter(({ path }) => !paths.has(path)).map(({ message }) => message);
      const outcome: Outcome = { files, unhandled };
      writeFileSync(path, JSON.stringify(outcome));
    },
  };
}

/** `during` are errors that nobody handled while the file ran. */
function outcomeOf(module: TestModule, during: readonly string[]): FileOutcome {
  const named = (state: 'passed' | 'failed' | 'skipped'): string[] =>
    [...module.children.allTests(state)].map(({ fullName }) => fullName);
  const outside = [module, ...module.children.allSuites()].flatMap((one) => one.errors().map(({ message }) => message));
  const failed = [...named('failed'), ...outside, ...during];
  const isBroken = module.state() === 'failed' && failed.length === 0;
  return {
    file: module.relativeModuleId,
    passed: named('passed').length,
    skipped: named('skipped'),
    reasons: isBroken ? ['a hook failed: see above'] : failed,
  };
}
