import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const TESTS = "import { test } from 'vitest'; test('runs', () => undefined); test.skip('is put off', () => undefined);";
const CONFIG = `
  import { createNothingSkipped } from '${ROOT}/test/support/projects/nothing-skipped.ts';
  export default { test: { include: ['*.test.ts'], reporters: ['default', createNothingSkipped()] } };
`;

function runVitest(...args: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  // Below the project, so that it finds the package.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.skipped-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'one.test.ts'), TESTS);
  writeFileSync(join(folder, 'vitest.config.ts'), CONFIG);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  return spawnSync(process.execPath, [vitest, 'run', '--root', folder, ...args], { encoding: 'utf8' });
}

test('a run that skips a test fails and names it', { timeout: 180_000 }, () => {
  const { status, stderr } = runVitest();
  expect(stderr).toContain('one.test.ts > is put off');
  expect(status).toBe(1);
});

test('a run of the tests with a name leaves the others out and succeeds', { timeout: 180_000 }, () => {
  expect(runVitest('-t', 'runs').status).toBe(0);
});
