import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDefinition } from '#core/automation/check/check-definition.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import { compileProgram } from '#core/automation-run/program/program.ts';
import { changedDocument } from '#test/support/automation/changed-documents.ts';
import { KNOWN_HOME } from '#test/support/automation/known-home.ts';
import { runs, searchOf } from '#test/support/machine/runs.ts';

test('a document that was changed at random is checked and compiled without an exception, where it is one at all', () => {
  let compiled = 0;
  fc.assert(
    fc.property(changedDocument, (document) => {
      const { definition } = readDefinition(document, (_kind, reference) => reference);
      if (definition === undefined) return;
      checkDefinition(definition, KNOWN_HOME);
      const { triggers, steps } = compileProgram({ id: 'rule' as AutomationId, version: 1, definition });
      expect(triggers.length).toBeLessThanOrEqual(definition.triggers.length);
      expect(steps).toHaveLength(definition.steps.length);
      compiled += 1;
    }),
    searchOf(4000),
  );
  // Nearly half of them are: no seed comes near one in a hundred.
  expect(compiled).toBeGreaterThan(runs(4000) / 100);
});
