import { beforeAll, expect, test } from 'vitest';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldFaults } from '#web/form/field-faults.ts';
import { hub as german } from '#web/strings/de/hub/hub.ts';
import { hub as french } from '#web/strings/fr/hub/hub.ts';
import { hub as spanish } from '#web/strings/es/hub/hub.ts';
import { faultTexts as reasons } from '#words/de/faults.ts';
import { limitTexts as limits } from '#words/de/limits.ts';
import { limitTexts as frenchLimits } from '#words/fr/limits.ts';
import { limitTexts as spanishLimits } from '#words/es/limits.ts';
import { limit } from '#words/limits.ts';
import { hubText } from '#test/support/page/hub-text.ts';

beforeAll(() => {
  german.learn?.({ reasons, limits });
  french.learn?.({ reasons: {}, limits: frenchLimits });
  spanish.learn?.({ reasons: {}, limits: spanishLimits });
});

test.each([
  ['TOO_LONG', limit('most', { most: 100 }), 'Das ist zu lang. Höchstens 100.'],
  ['TOO_SHORT', limit('least', { least: 2 }), 'Das ist zu kurz. Mindestens 2.'],
  ['OUT_OF_RANGE', limit('range', { least: -20.5, most: '∞' }), 'Das liegt außerhalb der Grenzen. Von -20,5 bis ∞.'],
  ['OUT_OF_RANGE', limit('above', { above: 0 }), 'Das liegt außerhalb der Grenzen. Mehr als 0.'],
  ['OUT_OF_RANGE', limit('below', { below: 8 }), 'Das liegt außerhalb der Grenzen. Weniger als 8.'],
  ['OUT_OF_RANGE', limit('step', { step: 5 }), 'Das liegt außerhalb der Grenzen. Ein Vielfaches von 5.'],
  ['OUT_OF_RANGE', undefined, 'Das liegt außerhalb der Grenzen.'],
  ['OUT_OF_RANGE', { id: 'a_later_one', with: { least: 1 } }, 'Das liegt außerhalb der Grenzen.'],
])('the fault %s with the limit %j has it in German', (code, reason, words) => {
  expect(german.fault(code, reason)).toBe(words);
  for (const other of [french, spanish]) {
    const numbers = words.match(/-?\d[\d,]*\d|\d|∞/g) ?? [];
    for (const number of numbers) expect(other.fault(code, reason)).toContain(number);
  }
});

test('what is full says in German how much there may be', () => {
  expect(german.problem('LIMIT_REACHED', limit('most', { most: 20 }))).toBe(
    'Mehr davon sind nicht möglich. Höchstens 20.',
  );
});

test('in English, the hub’s own sentence is at the field', () => {
  const problem = new HubProblem(
    422,
    {
      code: 'VALIDATION_FAILED',
      detail: hubText('The request is not valid.'),
      errors: [
        {
          pointer: '/name',
          code: 'TOO_LONG',
          message: hubText('must have at most 100'),
          reason: { id: 'x', with: {} },
        },
      ],
    },
    null,
  );
  expect(fieldFaults(problem, ['name'])).toEqual({ name: 'Must have at most 100.' });
});

test('what is wrong with a field is said by its reason, with what stands in it, and else by its code', () => {
  const words = (id: string, values = {}): string | undefined => german.fault('INVALID_VALUE', { id, with: values });
  expect(words('weak_common')).toBe('Dieses Passwort ist zu bekannt. Nimm ein anderes.');
  expect(words('needed_again', { other: 'v1.2' })).toBe('Muss neu eingegeben werden, weil sich „v1.2“ geändert hat.');
  expect(words('number_range', { least: 0.5, most: 2 })).toBe('Muss eine Zahl von 0,5 bis 2 sein.');
  expect(words('email_form')).toBe('Gib eine E-Mail-Adresse ein, z. B. ada@example.org.');
  expect(words('constructor')).toBe('Dieser Wert ist nicht möglich.');
});

test('a table answers for no word that every object has', () => {
  expect([german.fault('constructor'), german.value('toString')]).toEqual([undefined, undefined]);
});
