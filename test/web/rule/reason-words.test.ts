import { expect, test } from 'vitest';
import { reasonWords } from '#web/strings/rule/reason-words.ts';
import { runTexts } from '#words/de/runs.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const german = { locale: 'de', runTexts };

test.each([
  ['timed_out', {}, 'worauf sie wartete, kam nicht rechtzeitig'],
  ['late', { late_s: 3_601 }, '60 Minuten zu spät'],
  ['by_automation', { automation: 'Abends' }, 'Abends hat sie gestoppt'],
])('the reason %s with %j is in German "%s"', (id, values, words) => {
  expect(reasonWords({ reason: { id, with: values }, message: hubText('in English') }, german)).toBe(words);
});

test.each([
  [null, 'out of paper', 'out of paper'],
  [{ id: 'brand_new', with: {} }, 'it is new', 'it is new'],
])('what has no words here stays as it was written: %j', (reason, message, words) => {
  expect(reasonWords({ reason, message: hubText(message) }, german)).toBe(words);
});
