import { expect, test } from 'vitest';
import type { Device, Feature } from '#web/client/api.ts';
import { createQuestions, riskOf } from '#web/state/questions.ts';

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

test('a question that is closed or replaced was cancelled, and one that was confirmed was not', () => {
  const questions = createQuestions();
  const question = { title: 'Open?', text: 'Make sure.', confirm: 'Open' };
  const said: string[] = [];
  const ask = (name: string): number => {
    const say = (end: string) => () => void said.push(`${name} ${end}`);
    questions.ask(question, say('confirmed'), say('cancelled'));
    return questions.open.value?.turn ?? 0;
  };
  questions.close(ask('closed'));
  ask('replaced');
  const last = ask('agreed');
  questions.open.value?.onConfirm();
  questions.close(last);
  expect(said).toEqual(['closed cancelled', 'replaced cancelled', 'agreed confirmed']);
});

test.each([
  ['on_off_light', 'Garage light', 'on', false],
  ['thermostat', 'Garage heater', 'target_temperature', false],
  ['fan', 'Garage fan', 'on', false],
  ['contact_sensor', 'Garage window', 'on', false],
  ['contact_sensor', 'Opener', 'garage_trigger', true],
  ['on_off_plug_in_unit', 'Garage door', 'on', true],
  ['window_covering', 'Gate', 'on', true],
  ['other', 'Garage', 'on', true],
] as const)('a %s named %s asks before %s: %s', (...[type, name, key, isAsked]) => {
  const feature = { key, capability: key, category: 'primary', value: null } as unknown as Feature;
  const device = { type, name, model: null, features: [feature] } as unknown as Device;
  expect(riskOf(device, feature, key === 'on' ? true : 21) !== undefined).toBe(isAsked);
});
