import { expect, test } from 'vitest';
import type { StepRight } from '#core/automation/check/step-rights.ts';
import { rulePages as english } from '#web/strings/en/rule/pages.ts';
import { rulePages as german } from '#web/strings/de/rule/pages.ts';
import { rulePages as french } from '#web/strings/fr/rule/pages.ts';
import { rulePages as spanish } from '#web/strings/es/rule/pages.ts';

/** The compiler wants each right that a step can need. */
const RIGHTS: Readonly<Record<StepRight, true>> = {
  'device:control': true,
  'device:control_sensitive': true,
  'scene:run': true,
  'mode:set': true,
  'presence:tell': true,
  'user:manage': true,
  'automation:run': true,
  'notification:manage': true,
  'hub:manage': true,
};

test.each([
  ['English', english.rights],
  ['German', german.rights],
  ['French', french.rights],
  ['Spanish', spanish.rights],
])('each right that a step can need has words in %s', (_language, rights) => {
  expect(Object.keys(rights).sort()).toEqual(Object.keys(RIGHTS).sort());
  expect(Object.values(rights).filter((words) => words.includes(':'))).toEqual([]);
});
