import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Fails a run of CI that skips a test: it would look green although nobody has looked. What CI cannot run is not
 * collected there. Tests that a name on the command line leaves out do not count.
 */
export function createNothingSkipped(): Reporter {
  let isNamed = false;
  return {
    onInit: (vitest: Vitest) => {
      isNamed = vitest.config.testNamePattern !== undefined;
    },
    onTestRunEnd: (modules: readonly TestModule[]) => {
      if (isNamed) return;
      const skipped = modules.flatMap((module) =>
        [...module.children.allTests('skipped')].map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`),
      );
      if (skipped.length === 0) return;
      process.stderr.write(`CI skips nothing, but this was skipped:\n${skipped.map((name) => `  ${name}\n`).join('')}`);
      process.exitCode = 1;
    },
  };
}
