import { expect, test } from 'vitest';
import { createQuestions } from '#web/state/questions.ts';

test('the late end of one question leaves a newer one open', () => {
  const questions = createQuestions();
  const question = { title: 'Leave?', text: 'It is lost then.', confirm: 'Leave' };
  questions.ask(question, () => undefined);
  const first = questions.open.value?.turn ?? 0;
  questions.ask(question, () => undefined);
  questions.close(first);
  expect(questions.open.value).toMatchObject(question);
  questions.close(questions.open.value?.turn ?? 0);
  expect(questions.open.value).toBeNull();
});
