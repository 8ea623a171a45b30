import { expect, test } from 'vitest';
import { blankMember, blankPart, FORMS, isOptional, KINDS, missingOf, waysOf } from '#web/rule/editor/blank.ts';
import { settled } from '#web/rule/control/settled.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import type { BodyPart } from '#web/client/rule-forms.ts';
import type { Look } from '#web/rule/sentence/look.ts';
import { type JsonObject, withAdded, withMoved, withValueAt } from '#web/rule/sentence/json.ts';
import { lineOf, lineWords, voiceWith } from '#web/rule/sentence/sentence.ts';
import { ruleKinds as kindWords } from '#web/strings/en/rule/kinds.ts';
import { names } from './names.ts';

const told = voiceWith(names);
const ALL = (Object.keys(KINDS) as BodyPart[]).flatMap((part) => KINDS[part].map((kind) => [part, kind] as const));

test.each(ALL)('a new %s of the kind %s has a name, a note and a sentence', (part, kind) => {
  expect(kindWords[part][kind]).toHaveLength(2);
  const line = lineOf(told, part, { value: blankPart(part, kind), pointer: '/x' });
  expect(line.word).toBe(kind);
  expect(lineWords(line)).not.toMatch(/undefined|null|does not know/);
});

test.each([...FORMS].map(([say, form]) => [say, form] as const))(
  'each member that can be added to %s gets a first value',
  (_say, form) => {
    const without = missingOf(form, {}).filter((name) => {
      const member = form.members[name];
      return member === undefined || blankMember(name, member) === undefined;
    });
    expect(without).toEqual([]);
  },
);

test('a device is one of three ways, and cannot be left out; a length can', () => {
  const form = FORMS.get('trigger.feature');
  if (form === undefined) throw new Error('the form is there');
  const node: JsonObject = { device: 'hall-motion', key: 'motion', to: true, for_s: 60 };
  expect(waysOf(form, 'device')).toEqual(['device', 'group', 'any_of']);
  expect(isOptional(form, 'device', node)).toBe(false);
  expect(isOptional(form, 'for_s', node)).toBe(true);
  expect(isOptional(form, 'a-member-of-tomorrow', node)).toBe(true);
  expect(missingOf(form, node)).toEqual(['from', 'grace_s', 'by', 'all', 'assumed']);
});

const PRESS: Look = {
  key: 'action',
  capability: 'button',
  name: 'Button',
  kind: 'event',
  value_type: 'enum',
  unit: null,
  min: null,
  max: null,
  step: null,
  options: ['single', 'double'],
  writable: false,
};
const home: RuleHome = {
  ...names,
  options: () => [],
  capabilities: () => [],
  recipients: () => [],
  features: (device) =>
    device === 'remote' ? [PRESS] : ['motion', 'illuminance'].flatMap((key) => names.feature('hall-motion', key) ?? []),
};

test.each<[string, JsonObject, JsonObject]>([
  ['trigger.feature', { device: 'hall-motion' }, { device: 'hall-motion', key: 'motion', to: true }],
  ['trigger.threshold', { device: 'hall-lux', key: 'motion' }, { device: 'hall-lux', key: 'illuminance', above: 0 }],
  ['trigger.occurrence', { device: 'remote' }, { device: 'remote', key: 'action', action: 'single' }],
  ['condition.feature', { device: 'hall-motion', is_not: 5 }, { device: 'hall-motion', key: 'motion', is: true }],
  [
    'trigger.feature',
    { device: 'hall-lux', key: 'illuminance', to: 5 },
    { device: 'hall-lux', key: 'illuminance', to: 5 },
  ],
])('after a device was chosen, %s begins with what people probably mean', (say, node, wanted) => {
  expect(settled({ x: node }, { pointer: '/x', say, name: 'device' }, home)).toEqual({ x: wanted });
});

test('after another feature was chosen, a value that does not fit it is replaced', () => {
  const before = { x: { device: 'hall-lux', key: 'illuminance', is: true } };
  const after = { x: { device: 'hall-lux', key: 'illuminance', above: 0 } };
  expect(settled(before, { pointer: '/x', say: 'condition.feature', name: 'key' }, home)).toEqual(after);
});

test('parts are added, moved and taken out at any depth, and all else stays as it is', () => {
  const document = {
    steps: [{ delay: { s: 1 } }, { repeat: { max: 2, steps: [{ restore: {} }] } }],
    other: { a: [1] },
  };
  const added = withAdded(document, '/steps/1/repeat/steps', { delay: { s: 2 } });
  expect(added).toEqual({
    ...document,
    steps: [document.steps[0], { repeat: { max: 2, steps: [{ restore: {} }, { delay: { s: 2 } }] } }],
  });
  expect(withMoved(added, '/steps/1/repeat/steps/1', -1)).toEqual({
    ...document,
    steps: [document.steps[0], { repeat: { max: 2, steps: [{ delay: { s: 2 } }, { restore: {} }] } }],
  });
  expect(withMoved(document, '/steps/0', -1)).toBe(document);
  expect(withValueAt(document, '/steps/0', undefined)).toEqual({ ...document, steps: [document.steps[1]] });
  expect(withValueAt({ 'a/b': { '~': 1 } }, '/a~1b/~0', 2)).toEqual({ 'a/b': { '~': 2 } });
  expect(withAdded({}, '/steps', 1)).toEqual({ steps: [1] });
});
