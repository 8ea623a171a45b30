import { expect, test } from 'vitest';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldFaults } from '#web/form/field-faults.ts';
import { hub as german } from '#web/strings/de/hub/hub.ts';
import { hub as french } from '#web/strings/fr/hub/hub.ts';
import { hub as spanish } from '#web/strings/es/hub/hub.ts';
import { hubTexts } from '#web/strings/de/hub/hub-texts.ts';

test.each([
  ['TOO_LONG', 'must have at most 100 characters', 'Das ist zu lang. Höchstens 100.'],
  ['TOO_SHORT', 'must have at least 2', 'Das ist zu kurz. Mindestens 2.'],
  ['OUT_OF_RANGE', 'must be from -20.5 to ∞', 'Das liegt außerhalb der Grenzen. Von -20,5 bis ∞.'],
  ['OUT_OF_RANGE', 'must be at least 0 and at most 8', 'Das liegt außerhalb der Grenzen. Von 0 bis 8.'],
  ['OUT_OF_RANGE', 'must be more than 0', 'Das liegt außerhalb der Grenzen. Mehr als 0.'],
  ['OUT_OF_RANGE', 'must be a multiple of 5', 'Das liegt außerhalb der Grenzen. Ein Vielfaches von 5.'],
  ['OUT_OF_RANGE', 'lies in the future', 'Das liegt außerhalb der Grenzen.'],
  ['INVALID_VALUE', 'must be at most 5', 'Dieser Wert ist nicht möglich.'],
])('the fault %s "%s" keeps its limit in German', (code, message, words) => {
  expect(german.fault(code, message)).toBe(words);
  for (const other of [french, spanish]) {
    const numbers = words.match(/-?\d[\d,]*\d|\d|∞/g) ?? [];
    for (const number of numbers) expect(other.fault(code, message)).toContain(number);
  }
});

test('in English, the hub’s own sentence is at the field', () => {
  const problem = new HubProblem(
    422,
    {
      code: 'VALIDATION_FAILED',
      detail: 'The request is not valid.',
      errors: [{ pointer: '/name', code: 'TOO_LONG', message: 'must have at most 100' }],
    },
    null,
  );
  expect(fieldFaults(problem, ['name'])).toEqual({ name: 'Must have at most 100.' });
});

test('a table answers for no word that every object has', () => {
  expect([german.fault('constructor', ''), german.value('toString'), hubTexts.error('valueOf')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
