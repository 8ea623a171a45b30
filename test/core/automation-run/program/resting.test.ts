import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Program } from '#core/automation-run/program/program.ts';
import { restingProgram } from '#core/automation-run/program/program.ts';
import { automation } from '#test/support/automation/virtual-home.ts';

test('a program is the same while a run holds it, and is made anew once it was collected', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const rule = automation('rule', { steps: [{ id: 's1', delay: { s: 1 } }] });
  const { ready } = restingProgram(rule);
  const run: { program: Program | null } = { program: ready() };
  const first = new WeakRef(ready());
  await turnOfOthers();
  collectGarbage();
  expect(ready()).toBe(run.program);
  run.program = null;
  await turnOfOthers();
  collectGarbage();
  expect(first.deref()).toBeUndefined();
  expect(ready().steps).toHaveLength(1);
});
